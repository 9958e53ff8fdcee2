import { expect, test } from 'vitest';
import { backoff, type BackoffPolicy } from '../../../src/engine/backoff.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const WAITS: readonly (readonly [BackoffPolicy, readonly number[]])[] = [
  ['video', [5, 10, 20, 40, 80, 160, 320, 600, 600].map((seconds) => seconds * SECOND)],
  ['service', [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * SECOND)],
  ['links', [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600].map((seconds) => seconds * SECOND)],
  ['sending', [MINUTE, 4 * MINUTE, 16 * MINUTE, HOUR, HOUR]],
  ['quota', [MINUTE, 4 * MINUTE, 16 * MINUTE, 64 * MINUTE, 256 * MINUTE, 1024 * MINUTE, 24 * HOUR]],
  ['transfer', [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
];

test.each(WAITS)('%s: grows with each failure up to its longest', (policy, waits) => {
  expect(waits.map((_, index) => backoff(policy, index + 1))).toEqual(waits);
  expect(backoff(policy, 10_000)).toBe(waits.at(-1));
});

test('only waits that many clients share are randomised, by up to a half', () => {
  const shortest = WAITS.map(([policy]) => [policy, backoff(policy, 1, () => 0)]);
  expect(Object.fromEntries(shortest)).toEqual({
    video: 5000,
    service: 500,
    links: 500,
    sending: MINUTE,
    quota: MINUTE,
    transfer: 250,
  });
});
