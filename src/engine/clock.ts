/**
 * Time, as the engine sees it. Hosts pass the system's clock; tests pass one that they advance by
 * hand (`test/rigs/virtual-clock.ts`), so that no test waits for real time.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch. May jump when someone sets the clock. */
  now(): number;

  /** Milliseconds since an arbitrary start; never jumps, never goes back. Measures durations. */
  monotonic(): number;

  /**
   * Resolves after `ms` milliseconds of monotonic time (0 or less: on the next turn).
   * Rejects with the signal's reason as soon as it is aborted.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A uniformly distributed number in [0, 1): `Math.random` in a host, a seeded generator in tests. */
export type Random = () => number;

/** Without a reason, each abort would make an exception with its stack. */
const DISPOSED = 'disposed';

/** Calls `act` after `ms` milliseconds of monotonic time, unless the timer is disposed of before. */
export function after(clock: Clock, ms: number, act: () => void): Disposable {
  const disposed = new AbortController();
  clock.sleep(ms, disposed.signal).then(act, () => undefined);
  return { [Symbol.dispose]: () => disposed.abort(DISPOSED) };
}
