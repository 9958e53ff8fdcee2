/**
 * The service's clock. Rate windows, quota cycles and link expiry use the injected clock only.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The computer's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Calls `work` once after `ms` milliseconds, unless the result is disposed first. */
export type After = (ms: number, work: () => void) => Disposable;

/** Uses the computer's timers; they do not keep the process alive. */
export const systemAfter: After = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
};
