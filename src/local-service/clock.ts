/**
 * Time, as the service sees it: rate windows, quota cycles and the life of a link are all measured
 * by the one clock that is passed in. The service waits for nothing, so it needs no timers here.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The computer's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
