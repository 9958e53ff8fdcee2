import { expect, test } from 'vitest';
import { LinkDelay } from '../../../../src/engine/flow/link-delay.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const ONE_BROKEN = 1;

function delayAt(): { delay: LinkDelay; pass: (ms: number) => void } {
  let now = 0;
  return { delay: new LinkDelay({ monotonic: () => now }), pass: (ms) => (now += ms) };
}

test('a video that has had no link for hours puts off no other', () => {
  const { delay, pass } = delayAt();
  delay.becameReady(ONE_BROKEN);
  pass(5 * HOUR);
  for (const video of [2, 3]) delay.becameReady(video);
  pass(SECOND);
  for (const video of [2, 3, ONE_BROKEN]) delay.tooEarly(video);

  delay.becameReady(4);
  expect(delay.left(4)).toBeLessThanOrEqual(20 * SECOND);
});

test('three videos without a link put off the others for longer each time', () => {
  const { delay, pass } = delayAt();
  for (const video of [1, 2, 3, 4]) delay.becameReady(video);
  for (const seconds of [5, 10, 20, 40]) {
    for (const video of [1, 2, 3]) delay.tooEarly(video);
    expect(delay.left(4)).toBe(seconds * SECOND - (seconds === 5 ? 0 : (seconds / 2) * SECOND));
    pass(delay.left(4));
  }
});
