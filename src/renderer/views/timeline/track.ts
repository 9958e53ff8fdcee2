import type { Job } from '../../../contract/job.ts';
import type { Summary } from '../../../contract/summary.ts';
import { isForecast } from '../../../contract/wait.ts';

export type Stage = 'waits' | 'renders' | 'fetches';

/** Part of a track, in milliseconds since the epoch. */
export interface TrackSegment {
  readonly stage: Stage;
  /** Whether it is an estimate. */
  readonly expected: boolean;
  readonly from: number;
  readonly to: number;
}

/** What a line of the timeline draws. */
export interface Track {
  readonly segments: readonly TrackSegment[];
  /** When its request is or was sent. */
  readonly sendAt: number | null;
  readonly savedAt: number | null;
}

/** A job from its request to its file: what happened, then what is expected. */
export function trackOf(job: Job, now: number): Track {
  const sendAt = job.submittedAt ?? job.forecast.sendAt;
  const readyAt = job.readyAt ?? job.forecast.readyAt;
  const savedAt = job.savedAt ?? job.forecast.savedAt;
  const isStuck = job.state === 'queued' && !isForecast(job.wait);
  if (!isUnderWay(job) || isStuck || sendAt === null)
    return { segments: [], sendAt: null, savedAt: null };
  return {
    sendAt,
    savedAt,
    segments: [
      ...splitAtNow('waits', now, sendAt, now),
      ...splitAtNow('renders', sendAt, readyAt ?? now, now),
      ...splitAtNow('fetches', readyAt ?? now, savedAt ?? now, now),
    ],
  };
}

/** A stage split at `now`, without empty parts. */
function splitAtNow(stage: Stage, from: number, to: number, now: number): readonly TrackSegment[] {
  return [
    { stage, expected: false, from, to: Math.min(to, now) },
    { stage, expected: true, from: Math.max(from, now), to },
  ].filter((segment) => segment.to > segment.from);
}

/** Whether the job can be drawn: one that waits for the user has no forecast. */
function isUnderWay({ state }: Job): boolean {
  switch (state) {
    case 'queued':
    case 'reserved':
    case 'sending':
    case 'submitted':
    case 'rendering':
    case 'ready':
    case 'downloading':
    case 'verifying':
      return true;
    case 'held':
    case 'uncertain':
    case 'done':
    case 'missing':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'abandoned':
      return false;
  }
}

/** The range of the axis, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The position of a time on the axis, as a share of it; below 0 or above 1 outside. */
export function shareOf(span: Span, at: number): number {
  return (at - span.from) / (span.to - span.from);
}

/** The visible part of a range, as shares of the axis; `null` if it is outside. */
export function placeOn(
  span: Span,
  from: number,
  to: number,
): { start: number; size: number } | null {
  const start = Math.max(0, shareOf(span, from));
  const end = Math.min(1, shareOf(span, to));
  return end > start ? { start, size: end - start } : null;
}

/** A limit that resets at a time on the axis. */
export interface Reset {
  readonly what: 'generate' | 'quota';
  readonly at: number;
  /** Start of the window that ends; `null` for the quota, whose window is too long to draw. */
  readonly from: number | null;
}

/** The resets within a span. */
export function resetsOf(
  { limits, quota }: Pick<Summary, 'limits' | 'quota'>,
  span: Span,
): Reset[] {
  const { resetAt, windowSeconds } = limits.generate;
  const all: Reset[] = quota === null ? [] : [{ what: 'quota', at: quota.resetAt, from: null }];
  if (resetAt !== null) {
    all.unshift({ what: 'generate', at: resetAt, from: resetAt - windowSeconds * 1000 });
  }
  return all.filter(({ at }) => at > span.from && at < span.to);
}

export function isMidnight(at: number): boolean {
  const moment = new Date(at);
  return moment.getHours() === 0 && moment.getMinutes() === 0;
}

/** Local times within a span, every `stepMinutes` from midnight. */
export function marksOf(span: Span, stepMinutes: number): readonly number[] {
  const marks: number[] = [];
  const first = new Date(span.from);
  // By the calendar, and each from the first day, so that a day of 23 hours moves no mark: in some
  // zones it has no midnight.
  for (let minutes = 0; ; minutes += stepMinutes) {
    const mark = new Date(first.getFullYear(), first.getMonth(), first.getDate(), 0, minutes);
    const at = mark.getTime();
    if (at >= span.to) return marks;
    // A time that is skipped in spring is the same moment as one an hour later.
    if (at > (marks.at(-1) ?? span.from)) marks.push(at);
  }
}
