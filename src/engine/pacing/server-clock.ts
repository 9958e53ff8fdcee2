import { z } from 'zod';

/**
 * Estimates the service's clock from its `Date` headers, as an interval that certainly contains
 * `service time − local time`. An estimate with an error would be enough for display; a request
 * that must not arrive before a slot opens needs the bound.
 *
 * `Date` is rounded down to a second, and the service wrote it between our sending and our
 * receiving. So one response says: `Date − receivedAt ≤ offset ≤ Date + 1 s − sentAt`. The
 * intersection of several responses is soon narrower than the best single one.
 */
export const serverClockStateSchema = z.object({
  /** The latest responses, oldest first: bounds of the offset in milliseconds. */
  samples: z.array(z.object({ low: z.number(), high: z.number() })).max(8),
});

export type ServerClockState = z.infer<typeof serverClockStateSchema>;

/** Bounds of `service time − local wall-clock time`, in milliseconds. */
export interface ClockOffset {
  low: number;
  high: number;
}

/** What one response shows. All in epoch milliseconds; `date` by the service's clock. */
export interface ClockSample {
  date: number;
  sentAt: number;
  receivedAt: number;
}

/** `Date` has a resolution of one second. */
export const DATE_RESOLUTION_MS = 1000;
const KEPT_SAMPLES = 8;

export const UNKNOWN_CLOCK: ServerClockState = { samples: [] };

export function learnClock(clock: ServerClockState, sample: ClockSample): ServerClockState {
  // The wall clock was set back during the request: this response says nothing.
  if (sample.receivedAt < sample.sentAt) return clock;
  const low = sample.date - sample.receivedAt;
  const high = sample.date + DATE_RESOLUTION_MS - sample.sentAt;
  return { samples: [...clock.samples, { low, high }].slice(-KEPT_SAMPLES) };
}

/**
 * The offset as far as it is known, or null before the first response. Samples that contradict a
 * newer one are older than a change of a clock and are dropped.
 */
export function clockOffset(clock: ServerClockState): ClockOffset | null {
  let offset: ClockOffset | null = null;
  for (const sample of clock.samples.toReversed()) {
    if (offset === null) {
      offset = { ...sample };
      continue;
    }
    const low = Math.max(offset.low, sample.low);
    const high = Math.min(offset.high, sample.high);
    if (low > high) break;
    offset = { low, high };
  }
  return offset;
}

/**
 * The wall clock moved `byMs` more than the monotonic clock did. If it went back, it was set, and
 * the offset changed by as much. If it went forward, it was set, or the computer slept and the
 * offset is unchanged: until the next response both are assumed possible.
 */
export function clockDiverged(clock: ServerClockState, byMs: number): ServerClockState {
  const offset = clockOffset(clock);
  if (offset === null) return clock;
  const high = byMs > 0 ? offset.high : offset.high - byMs;
  return { samples: [{ low: offset.low - byMs, high }] };
}
