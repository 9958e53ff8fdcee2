import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Node's timers accept at most 2³¹−1 ms (24.8 days) and fire at once beyond it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The computer's own clocks. The only place in the engine that reads real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    // A timer takes a millisecond at least.
    if (ms <= 0) return nextTurn(undefined, signal ? { signal } : {});
    for (let left = Math.max(0, ms); ; left -= MAX_TIMER_MS) {
      await delay(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {});
      if (left <= MAX_TIMER_MS) return;
    }
  },
};
