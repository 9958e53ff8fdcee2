import type { LogNormal } from './render-times.ts';
import type { RateView } from './rate-window.ts';

/** One video that the service is rendering. Moments are epoch ms by the local wall clock. */
export interface PollTarget {
  /** When the service accepted it. */
  submittedAt: number;
  /** When its status was last asked for, or null. */
  askedAt: number | null;
  /**
   * The last answer said nothing of it, as one that does not know it. The caller spaces the questions
   * until one does; its age says nothing about when that will be.
   */
  isUnanswered: boolean;
  /** A video waits for its end, so that it is asked about soon even when it is late. */
  isAwaited?: boolean;
  /** How long renders like it take. */
  renderTime: LogNormal;
}

/** Which target to ask about (an index into the targets), and when. */
export interface Poll {
  index: number;
  at: number;
}

/**
 * Status calls a minute that are kept for the user's own actions, of 60 (`service-api.md §8.1`). An
 * account may have more than that, and a rate window counts on no fewer.
 */
export const POLL_RESERVE = 12;

/** Of a limit that is lower than the documented one, this share is kept. */
const RESERVED_SHARE = 0.2;

/**
 * No status is asked for before this share of renders would be done. At 2% a memoryless render of ten minutes,
 * alone, would lie unnoticed almost twice as long as it has to (`bench/polling.ts`).
 */
const EARLIEST_SHARE = 0.005;
/** A render is late beyond this many times the 95th percentile. */
const LATE_FACTOR = 3;
const LATE_SHARE = 0.95;
/** A late render is asked about again after this share of its age, and at least this often. */
const LATE_GAP_SHARE = 0.1;
const LATE_GAP_MAX_MS = 300_000;
/** The same where a video waits for its end. */
const AWAITED_GAP_SHARE = 0.01;
const AWAITED_GAP_MAX_MS = 15_000;

/**
 * The next status call. All videos share the calls that the limit allows, evenly spaced because a
 * render may finish at any moment; each goes to the video with the longest expected time of lying
 * finished and unnoticed. That makes the density of checks follow the chance of finishing.
 *
 * @param budget the status window's view
 * @param lastAt when any status was last asked for, or null
 * @returns null when there is nothing to ask about
 */
export function nextPoll(
  targets: readonly PollTarget[],
  budget: Omit<RateView, 'resetAt' | 'othersPerHour'>,
  lastAt: number | null,
  now: number,
): Poll | null {
  const free = freeAt(budget, lastAt, now);
  let best: Poll | null = null;
  let bestGain = 0;
  for (const [index, target] of targets.entries()) {
    const at = Math.max(free, dueAt(target));
    if (best !== null && at > best.at) continue;
    const gain = idleUntil(target, at);
    if (best === null || at < best.at || gain > bestGain) {
      best = { index, at };
      bestGain = gain;
    }
  }
  return best;
}

/** When the shared budget allows the next status call. */
function freeAt(
  { limit, remaining, nextAt, windowMs }: Parameters<typeof nextPoll>[1],
  lastAt: number | null,
  now: number,
): number {
  const reserve = Math.min(POLL_RESERVE, Math.ceil(limit * RESERVED_SHARE));
  const reserveTouched = remaining !== null && remaining < reserve;
  // Only an answer tells that there is room again, so it is still asked now and then.
  const perWindow = Math.max(1, reserveTouched ? reserve : limit - reserve);
  return Math.max(now, nextAt, lastAt === null ? now : lastAt + windowMs / perWindow);
}

/** Before this moment a check is not worth its call. */
function dueAt({
  submittedAt,
  askedAt,
  isUnanswered,
  isAwaited = false,
  renderTime,
}: PollTarget): number {
  const earliest = submittedAt + renderTime.quantile(EARLIEST_SHARE);
  if (askedAt === null) return earliest;
  const age = askedAt - submittedAt;
  const isLate = age >= LATE_FACTOR * renderTime.quantile(LATE_SHARE);
  if (isUnanswered || !isLate) return Math.max(earliest, askedAt);
  return isAwaited
    ? askedAt + Math.min(AWAITED_GAP_SHARE * age, AWAITED_GAP_MAX_MS)
    : askedAt + Math.min(LATE_GAP_SHARE * age, LATE_GAP_MAX_MS);
}

function idleUntil({ submittedAt, askedAt, renderTime }: PollTarget, at: number): number {
  return renderTime.expectedIdle((askedAt ?? submittedAt) - submittedAt, at - submittedAt);
}
