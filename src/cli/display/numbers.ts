import { sizesIn } from '../../contract/sizes.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// Made once: a date's own methods make one for each call, which takes longer than all else of a row.
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DATE_WITH_YEAR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** A size in decimal units: `812 B`, `4.20 MB`. */
export function formatSize(bytes: number): string {
  return sizesIn('en-GB').bytes(bytes);
}

/** A video's length as players show it: `0:08`, `1:02:30`. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const tail = String(whole % 60).padStart(2, '0');
  if (minutes < 60) return `${minutes}:${tail}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${tail}`;
}

/** How long something took or will take: `8 s`, `12 min`, `2 h 05`, `3 days`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) {
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
  }
  return `${Math.round(minutes / (24 * 60))} days`;
}

/**
 * A future time as part of a sentence: `in 12 min` under an hour, `at 14:20` today, `on Tue at
 * 09:00` within a week, `on 1 Dec` beyond. In the computer's time zone.
 */
export function formatWhen(instant: number, now: number): string {
  return formatFutureTime(instant, now, { at: 'at ', on: 'on ' });
}

/** Same as `formatWhen`, for a column: `in 12 min`, `14:20`, `Tue 09:00`, `1 Dec`. */
export function formatWhenShort(instant: number, now: number): string {
  return formatFutureTime(instant, now, { at: '', on: '' });
}

function formatFutureTime(
  instant: number,
  now: number,
  { at, on }: { readonly at: string; readonly on: string },
): string {
  const ahead = instant - now;
  if (ahead < SECOND) return 'now';
  if (ahead < HOUR) return `in ${formatDuration(ahead)}`;
  const then = new Date(instant);
  const clock = CLOCK.format(then);
  if (then.toDateString() === new Date(now).toDateString()) return `${at}${clock}`;
  if (ahead < 6 * DAY) {
    return `${on}${WEEKDAY.format(then)} ${at}${clock}`;
  }
  return `${on}${formatDate(instant, now)}`;
}

/** A future time that is estimated: `in about 12 min`, `about 14:20`, `about Tue 09:00`. */
export function formatEstimate(instant: number, now: number): string {
  const words = formatWhenShort(instant, now);
  if (words === 'now') return 'in a moment';
  return words.startsWith('in ') ? words.replace('in ', 'in about ') : `about ${words}`;
}

/** A narrower range is said as one time, unless its ends differ by this factor of the time left. */
const MIN_RANGE = 2 * MINUTE;
const MIN_RATIO = 1.5;

/**
 * An estimated end: `in 12 to 18 min`, `between 14:15 and 14:25`; one time where it is certain.
 * @param between `null` if it is not known how uncertain it is
 */
export function formatEnd(
  at: number,
  between: { readonly from: number; readonly to: number } | null,
  now: number,
): string {
  if (between === null || between.to - now > 6 * DAY) return formatEstimate(at, now);
  const { from, to } = between;
  const isNarrow = to - from < MIN_RANGE;
  if (isNarrow && to - now <= MIN_RATIO * (from - now)) return formatEstimate(at, now);
  if (isNarrow && to - now < 100 * SECOND)
    return `in ${whole(from - now, SECOND)} to ${whole(to - now, SECOND)} s`;
  if (to - now < HOUR) return `in ${whole(from - now, MINUTE)} to ${whole(to - now, MINUTE)} min`;
  const clock = (moment: number): string => {
    const isToday = new Date(moment).toDateString() === new Date(now).toDateString();
    return isToday ? CLOCK.format(moment) : `${WEEKDAY.format(moment)} ${CLOCK.format(moment)}`;
  };
  return `between ${clock(from)} and ${clock(to)}`;
}

/** @returns how many units a time has, at least 1 */
function whole(ms: number, unit: number): number {
  return Math.max(1, Math.round(ms / unit));
}

/** A past time in words: `just now`, `3 min ago`, `2 h 05 ago`. */
export function formatAgo(instant: number, now: number): string {
  const past = now - instant;
  return past < MINUTE ? 'just now' : `${formatDuration(past)} ago`;
}

/** A date, with the year if it is not the present one: `1 Dec`, `1 Feb 2027`. */
export function formatDate(instant: number, now: number): string {
  const isThisYear = new Date(instant).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? DATE : DATE_WITH_YEAR).format(instant);
}

/** A past time, to the second: `21 Nov 2026, 10:04:31`. In the computer's time zone. */
export function formatTimestamp(instant: number): string {
  const then = new Date(instant);
  const day = then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${day}, ${then.toLocaleTimeString('en-GB')}`;
}

/** `1 video`, `6 videos`. */
export function formatCount(count: number, singular: string): string {
  return `${count} ${singular}${count === 1 ? '' : 's'}`;
}
