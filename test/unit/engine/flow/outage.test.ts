import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { Outage } from '../../../../src/engine/flow/outage.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const failure = {
  code: 'service-unreachable',
  ...userMessage('verbatim', { text: 'Gone.' }),
} as const;

test('pauses double up to a minute, are cut by up to half, and end with the first answer', async () => {
  const clock = new VirtualClock();
  const outage = new Outage(clock, () => 1, 'service');
  const pauses: number[] = [];
  for (let times = 0; times < 8; times++) {
    outage.failed(failure);
    pauses.push(outage.wait());
    await clock.advance(outage.wait());
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);

  expect(outage.failure).toMatchObject({ ...failure, retryAt: clock.now() });
  outage.ended();
  expect(outage.failure).toBeNull();

  const shorter = new Outage(clock, () => 0, 'service');
  shorter.failed(failure);
  expect(shorter.wait()).toBe(500);
});

test('requests that fail together count as one failure', () => {
  const outage = new Outage(new VirtualClock(), () => 1, 'service');
  for (let times = 0; times < 5; times++) outage.failed(failure);
  expect(outage.wait()).toBe(1000);
});
