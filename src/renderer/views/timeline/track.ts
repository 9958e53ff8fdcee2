import type { Job } from '../../../contract/job.ts';
import type { Summary } from '../../../contract/summary.ts';
import { isForecast } from '../../../contract/wait.ts';

export type Stage = 'waits' | 'renders' | 'fetches';

/** A stretch of a job's way, in milliseconds since the epoch. */
export interface Stretch {
  readonly stage: Stage;
  /** Not yet so: an estimate. */
  readonly expected: boolean;
  readonly from: number;
  readonly to: number;
}

/** What a line of the timeline draws. */
export interface Track {
  readonly stretches: readonly Stretch[];
  /** When its request leaves or left. */
  readonly sendAt: number | null;
  readonly savedAt: number | null;
}

/** A job's way from the request to the file: what is known of it, then what is expected. */
export function trackOf(job: Job, now: number): Track {
  const sendAt = job.submittedAt ?? job.forecast.sendAt;
  const readyAt = job.readyAt ?? job.forecast.readyAt;
  const savedAt = job.savedAt ?? job.forecast.savedAt;
  const isStuck = job.state === 'queued' && !isForecast(job.wait);
  if (!isUnderWay(job) || isStuck || sendAt === null)
    return { stretches: [], sendAt: null, savedAt: null };
  return {
    sendAt,
    savedAt,
    stretches: [
      ...stretches('waits', now, sendAt, now),
      ...stretches('renders', sendAt, readyAt ?? now, now),
      ...stretches('fetches', readyAt ?? now, savedAt ?? now, now),
    ],
  };
}

/** A stage's way up to now, and from now on; of no length, neither is there. */
function stretches(stage: Stage, from: number, to: number, now: number): readonly Stretch[] {
  return [
    { stage, expected: false, from, to: Math.min(to, now) },
    { stage, expected: true, from: Math.max(from, now), to },
  ].filter((stretch) => stretch.to > stretch.from);
}

/** Whether its way can be drawn: a job that waits for the user has none until they decide. */
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
    case 'draft':
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

/** Part of the axis before and after which nothing is drawn. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where a moment lies on the axis, as a share of it; below 0 and above 1 when beside it. */
export function shareOf(span: Span, at: number): number {
  return (at - span.from) / (span.to - span.from);
}

/** Where a stretch lies on the axis, as shares of it; `null` when it lies beside it. */
export function placeOn(
  span: Span,
  from: number,
  to: number,
): { start: number; size: number } | null {
  const start = Math.max(0, shareOf(span, from));
  const end = Math.min(1, shareOf(span, to));
  return end > start ? { start, size: end - start } : null;
}

/** Something whose count starts again at a moment on the axis. */
export interface Reset {
  readonly what: 'generate' | 'quota';
  readonly at: number;
  /** When the window that ends began to count, where it is short enough to be drawn. */
  readonly from: number | null;
}

/** What starts again within a span. */
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

/** Round local moments within a span, `stepMinutes` apart from midnight on. */
export function marksOf(span: Span, stepMinutes: number): readonly number[] {
  const marks: number[] = [];
  const mark = new Date(span.from);
  mark.setHours(0, 0, 0, 0);
  // Counted by the calendar and not in milliseconds, so that a day of 23 hours moves no mark.
  for (; mark.getTime() < span.to; mark.setMinutes(mark.getMinutes() + stepMinutes)) {
    if (mark.getTime() > span.from) marks.push(mark.getTime());
  }
  return marks;
}
