import type { LogNormal } from './render-times.ts';
import type { RateView } from './rate-window.ts';

/** One video that the service is rendering. Moments are epoch ms by the local wall clock. */
export interface PollTarget {
  /** When the service accepted it, or began to render it if that is known. */
  submittedAt: number;
  /** When its status was last requested, or null. */
  askedAt: number | null;
  /**
   * The last response contained nothing about it, for example because the service does not know it.
   * The caller spaces the requests until one does; its age says nothing about when that will be.
   */
  isUnanswered: boolean;
  /** The least time between two requests for its status, in milliseconds. */
  everyMs?: number;
  /** It is requested at least this often, whatever its age; milliseconds. */
  maxGapMs?: number;
  /** Another video waits for its end, so it is requested soon even when it is late. */
  isAwaited?: boolean;
  /** How long similar renders take. */
  renderTime: LogNormal;
}

/** Which target to request (an index into the targets), and when. */
export interface Poll {
  index: number;
  at: number;
}

/**
 * Status requests a minute that are reserved for the user's actions, of 60 (`service-api.md §8.1`).
 * An account may have a higher limit; the rate window assumes at least 60.
 */
export const POLL_RESERVE = 12;

/** Of a limit that is lower than the documented one, this share is reserved. */
const RESERVED_SHARE = 0.2;

/**
 * No status is requested before this share of renders would be done. At 2% a memoryless render of
 * ten minutes would, alone, stay unnoticed almost twice as long as necessary (`bench/polling.ts`).
 */
const EARLIEST_SHARE = 0.005;
/** A render is late beyond this many times the 95th percentile. */
const LATE_FACTOR = 3;
const LATE_SHARE = 0.95;
/** A late render is requested again after this share of its age, and at least this often. */
const LATE_GAP_SHARE = 0.1;
const LATE_GAP_MAX_MS = 300_000;
/** The same if another video waits for its end. */
const AWAITED_GAP_SHARE = 0.01;
const AWAITED_GAP_MAX_MS = 15_000;

/**
 * The next status request. All videos share the requests that the limit allows, evenly spaced
 * because a render may finish at any moment; each is for the video with the longest expected time
 * of being finished and unnoticed. So the density of checks follows the probability of finishing.
 *
 * @param budget the status window's view
 * @param lastAt when any status was last requested, or null
 * @returns null when there is nothing to request
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

/** When the shared budget allows the next status request. */
function freeAt(
  { limit, remaining, nextAt, windowMs }: Parameters<typeof nextPoll>[1],
  lastAt: number | null,
  now: number,
): number {
  const reserve = Math.min(POLL_RESERVE, Math.ceil(limit * RESERVED_SHARE));
  const reserveTouched = remaining !== null && remaining < reserve;
  // Only a response shows that there is room again, so a request is still made now and then.
  const perWindow = Math.max(1, reserveTouched ? reserve : limit - reserve);
  return Math.max(now, nextAt, lastAt === null ? now : lastAt + windowMs / perWindow);
}

/** Before this moment a check is not worth its request. */
function dueAt(target: PollTarget): number {
  const { submittedAt, askedAt, maxGapMs = Infinity } = target;
  return Math.min(worthwhileAt(target), Math.max(submittedAt, askedAt ?? 0) + maxGapMs);
}

function worthwhileAt({
  submittedAt,
  askedAt,
  isUnanswered,
  everyMs = 0,
  isAwaited = false,
  renderTime,
}: PollTarget): number {
  const first = submittedAt + renderTime.quantile(EARLIEST_SHARE);
  if (askedAt === null) return first;
  const earliest = Math.max(first, askedAt + everyMs);
  const age = askedAt - submittedAt;
  const isLate = age >= LATE_FACTOR * renderTime.quantile(LATE_SHARE);
  if (isUnanswered || !isLate) return earliest;
  const gap = isAwaited
    ? Math.min(AWAITED_GAP_SHARE * age, AWAITED_GAP_MAX_MS)
    : Math.min(LATE_GAP_SHARE * age, LATE_GAP_MAX_MS);
  return Math.max(earliest, askedAt + gap);
}

function idleUntil({ submittedAt, askedAt, renderTime }: PollTarget, at: number): number {
  return renderTime.expectedIdle((askedAt ?? submittedAt) - submittedAt, at - submittedAt);
}
