import { expect, test } from 'vitest';
import type { z } from 'zod';
import { LinkDelay } from '../../../../src/engine/flow/link-delay.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const BROKEN = 1;

interface Rig {
  readonly delay: LinkDelay;
  readonly pass: (ms: number) => void;
  /** As after a restart of the program. */
  readonly restarted: () => LinkDelay;
}

function delayAt(): Rig {
  let now = 0;
  const stored = new Map<string, unknown>();
  const notes = {
    read: <T>(name: string, schema: z.ZodType<T>) =>
      schema.safeParse(stored.get(name)).data ?? null,
    write: (name: string, value: unknown) => void stored.set(name, value),
  };
  const restarted = () => new LinkDelay({ monotonic: () => now }, notes);
  return { delay: restarted(), pass: (ms) => (now += ms), restarted };
}

test('the learned delay is kept after a restart', () => {
  const { delay, pass, restarted } = delayAt();
  for (const video of [1, 2, 3]) delay.becameReady(video);
  pass(30 * SECOND);
  for (const video of [1, 2, 3]) delay.tooEarly(video);
  pass(30 * SECOND);
  for (const video of [1, 2, 3]) delay.given(video);

  delay.becameReady(4);
  const again = restarted();
  again.becameReady(4);
  expect(again.left(4)).toBeGreaterThan(50 * SECOND);
  expect(again.left(4)).toBe(delay.left(4));
});

/** A delay learned from a service that has links a minute after “done”. */
function learnedMinute(): Rig {
  const rig = delayAt();
  for (const video of [1, 2, 3]) rig.delay.becameReady(video);
  rig.pass(30 * SECOND);
  for (const video of [1, 2, 3]) rig.delay.tooEarly(video);
  rig.pass(30 * SECOND);
  for (const video of [1, 2, 3]) rig.delay.given(video);
  return rig;
}

test('after sleep, links of videos that were finished are requested at once, and others later', () => {
  const { delay, pass } = learnedMinute();
  for (const video of [4, 5]) delay.becameReady(video);
  pass(SECOND);
  delay.tryNow();
  expect([4, 5].map((video) => delay.left(video))).toEqual([0, 0]);

  // How long they took is not known: the computer slept.
  delay.given(4);
  delay.becameReady(6);
  expect(delay.left(6)).toBeGreaterThan(50 * SECOND);

  // A video that still has no link waits as long as any other.
  delay.tooEarly(5);
  expect(delay.left(5)).toBeGreaterThan(50 * SECOND);
});

test('an unconfirmed delay is halved by each link that comes earlier', () => {
  const { delay, pass } = delayAt();
  for (const video of [1, 2, 3]) delay.becameReady(video);
  pass(40 * SECOND);
  for (const video of [1, 2, 3]) delay.tooEarly(video);
  delay.becameReady(4);
  expect(delay.left(4)).toBe(80 * SECOND);

  delay.tryNow();
  delay.given(4);
  delay.becameReady(5);
  expect(delay.left(5)).toBe(40 * SECOND);
});

test('a video without a link for hours delays no other', () => {
  const { delay, pass } = delayAt();
  delay.becameReady(BROKEN);
  pass(5 * HOUR);
  for (const video of [2, 3]) delay.becameReady(video);
  pass(SECOND);
  for (const video of [2, 3, BROKEN]) delay.tooEarly(video);

  delay.becameReady(4);
  expect(delay.left(4)).toBeLessThanOrEqual(20 * SECOND);
});

test('one video without a link does not lengthen the delay of the others', () => {
  const { delay, pass } = delayAt();
  for (const video of [BROKEN, 2, 3]) delay.becameReady(video);
  pass(SECOND);
  for (const video of [2, 3, BROKEN]) delay.tooEarly(video);
  for (let seconds = 5; seconds <= 640; seconds *= 2) {
    pass(seconds * SECOND);
    delay.tooEarly(BROKEN);
  }

  delay.becameReady(4);
  expect(delay.left(4)).toBeLessThanOrEqual(20 * SECOND);
});

test('several videos that never have a link stop delaying others once others have links', () => {
  const { delay, pass } = delayAt();
  const broken = [1, 2, 3, 4];
  for (const video of broken) delay.becameReady(video);
  for (let minutes = 0; minutes < 300; minutes += 10) {
    for (const video of broken) delay.tooEarly(video);
    const healthy = 10 + minutes;
    delay.becameReady(healthy);
    pass(delay.left(healthy));
    delay.given(healthy);
    pass(10 * MINUTE - delay.left(healthy));
  }
  delay.becameReady(5);
  expect(delay.left(5)).toBeLessThan(SECOND);
});

test('does not learn the delay from an outage', () => {
  const { delay, pass } = delayAt();
  for (const video of [1, 2, 3]) delay.becameReady(video);
  for (let minutes = 0; minutes < 30; minutes += 3) {
    for (const video of [1, 2, 3]) delay.tooEarly(video);
    pass(3 * MINUTE);
  }
  for (const video of [1, 2, 3]) delay.given(video);

  let waited = 0;
  for (let video = 4; video < 12; video++) {
    delay.becameReady(video);
    const left = delay.left(video);
    waited += left;
    pass(left);
    delay.given(video);
  }
  expect(waited).toBeLessThan(3 * MINUTE);
});

test('learns the delay from late links', () => {
  const { delay, pass } = delayAt();
  for (const video of [1, 2, 3, 4]) delay.becameReady(video);
  for (const seconds of [5, 10, 20, 40, 80]) {
    for (const video of [1, 2, 3]) delay.tooEarly(video);
    pass(seconds * SECOND);
  }
  for (const video of [1, 2, 3, 4]) delay.given(video);

  delay.becameReady(5);
  expect(delay.left(5)).toBeGreaterThan(140 * SECOND);
  expect(delay.left(5)).toBeLessThan(155 * SECOND);
});

test('learns from two late links in a row where videos are ready one at a time', () => {
  const { delay, pass } = delayAt();
  const late = (video: number, ms: number): void => {
    delay.becameReady(video);
    delay.tooEarly(video);
    pass(ms);
    delay.given(video);
  };
  late(1, 2 * MINUTE);
  delay.becameReady(2);
  expect(delay.left(2)).toBe(0);
  delay.forget(2);
  late(3, MINUTE);
  delay.becameReady(4);
  expect(delay.left(4)).toBe(MINUTE);

  late(5, HOUR);
  late(6, HOUR);
  delay.becameReady(7);
  expect(delay.left(7)).toBeLessThan(MINUTE);
});

test('three videos without a link delay the others longer each time', () => {
  const { delay, pass } = delayAt();
  for (const video of [1, 2, 3, 4]) delay.becameReady(video);
  for (const seconds of [5, 10, 20, 40]) {
    for (const video of [1, 2, 3]) delay.tooEarly(video);
    expect(delay.left(4)).toBe(seconds * SECOND - (seconds === 5 ? 0 : (seconds / 2) * SECOND));
    pass(delay.left(4));
  }
});
