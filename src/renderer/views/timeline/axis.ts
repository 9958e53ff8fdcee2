/** How long the axis of the timeline is, and where it has marks. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In milliseconds. */
const SHORTEST = 2 * MINUTE;
const LONGEST = 31 * DAY;

/** About as many marks as fit beside each other. */
const MARKS = 9;

/** Minutes between marks that a reader can count in. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7200];

/** Lengths that the user can choose, in milliseconds. */
export const ZOOMS = {
  minutes: 10 * MINUTE,
  hours: 3 * HOUR,
  day: DAY,
  week: 7 * DAY,
  month: LONGEST,
} as const;

export const ZOOM_NAMES = ['minutes', 'hours', 'day', 'week', 'month'] as const;

export type ZoomName = (typeof ZOOM_NAMES)[number] | 'fit';

export interface Axis {
  /** In milliseconds. */
  readonly length: number;
  /** Minutes between marks. */
  readonly step: number;
  readonly unit: 'hour' | 'day';
}

/**
 * The length that shows all that is planned, between two minutes and a month.
 * @param ends when the batches will be saved
 * @param resetAt until when rows wait for the quota; `null` if none does
 */
export function fitOf(ends: readonly number[], resetAt: number | null, now: number): number {
  const end = Math.max(now, ...ends, resetAt ?? now);
  // A twelfth of the axis shows the past, and a little room is left after the end for its label.
  const wanted = ((end - now) * 12) / 10;
  // In whole steps, so that the axis does not move with every second.
  const { step } = axisOf(Math.max(SHORTEST, wanted));
  const whole = Math.ceil(wanted / (step * MINUTE)) * step * MINUTE;
  return Math.min(LONGEST, Math.max(SHORTEST, whole));
}

export function axisOf(length: number): Axis {
  const step = STEPS.find((minutes) => length / (minutes * MINUTE) <= MARKS) ?? 7200;
  return { length, step, unit: step >= 1440 ? 'day' : 'hour' };
}
