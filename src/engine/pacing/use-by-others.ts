import { z } from 'zod';

const seenWindowSchema = z.object({
  at: z.number(),
  /** The least number of others' requests that it contained. */
  held: z.number().nonnegative(),
  hasRoom: z.boolean(),
  /** How many of them were made since the previous response, and when that was. */
  added: z.number().nonnegative(),
  since: z.number(),
  /** When it began, if it gives the whole limit back at once; `null` otherwise. */
  beganAt: z.number().nullable(),
  /** The limit was this or more. */
  limit: z.int().nonnegative(),
});

type SeenWindow = Readonly<z.infer<typeof seenWindowSchema>>;

/**
 * How much other clients were seen to use of one limit. Moments are epoch ms by the service's
 * clock, so setting the local clock does not change them.
 */
export const useByOthersSchema = z.object({
  /** Requests of others, and the time in which they could be made, in ms. Older ones count less. */
  count: z.number().nonnegative(),
  seenMs: z.number().nonnegative(),
  at: z.number(),
  /** As of the latest response; `null` before the first. */
  last: seenWindowSchema.nullable(),
  /** The limit that two responses in a row have shown, and when they last did. */
  limit: z.int().nonnegative(),
  limitAt: z.number(),
  /** When requests of ours were refused, oldest first. */
  refusedAt: z.array(z.number()),
});

export type UseByOthers = Readonly<z.infer<typeof useByOthersSchema>>;

export const NO_USE_BY_OTHERS: UseByOthers = {
  count: 0,
  seenMs: 0,
  at: 0,
  last: null,
  limit: 0,
  limitAt: 0,
  refusedAt: [],
};

/** What a response says about a window, and what we have sent ourselves. */
export interface SharedReading {
  /** The documented limit, and the highest credible one. */
  readonly limit: number;
  readonly maxLimit: number;
  readonly windowMs: number;
  /** When it was written, by the service's clock. */
  readonly at: number;
  readonly remaining: number;
  /** When a window ends that gives the whole limit back at once; `null` for other windows. */
  readonly endsAt: number | null;
  /** Such windows begin at fixed moments; otherwise with a request, ours or another's. */
  readonly isFixed: boolean;
  /** Times of our requests, including those that may not have been counted. */
  readonly ours: readonly number[];
}

/**
 * After this time, what was learned counts half: the use by others changes with the time of day.
 */
const HALF_LIFE_MS = 8 * 3_600_000;
/**
 * At first, others are assumed to have used nothing for this share of a window. Otherwise a single
 * request of theirs would count as regular use.
 */
const UNSHARED_SHARE = 0.5;
/** The service may count a request this share of a window after its response. */
const LATE_SHARE = 0.05;
/** How long a limit above the documented one is assumed. */
const HIGHER_LIMIT_MS = 24 * 3_600_000;
const MAX_REFUSED = 100;

/**
 * Learns from a response how much others use. What a window contains besides our own requests is
 * theirs, and what was added since the last response came in the time between. While there was no
 * room, it is unknown how much they would have used: that time does not count.
 *
 * Requests that may be ours or theirs count as ours, so that an account that only we use never
 * seems shared: requests without a response, refused ones (some services count them), and those
 * near the edge of the window. If one response is about another limit, or late, it adds requests
 * that the next one removes.
 */
export function learnUseByOthers(use: UseByOthers, reading: SharedReading): UseByOthers {
  const { windowMs, remaining, endsAt, isFixed } = reading;
  const lateMs = LATE_SHARE * windowMs;
  // The service's clock was set back. Smaller differences come from several servers.
  if (reading.at < use.at - lateMs) {
    return { ...NO_USE_BY_OTHERS, count: use.count, seenMs: use.seenMs, at: reading.at };
  }
  const at = Math.max(reading.at, use.at);
  // Some services report what remained before the request, so it does not prove one more.
  const limit = Math.min(Math.max(reading.limit, remaining), reading.maxLimit);
  const credible = credibleLimit(use, Math.min(limit, use.last?.limit ?? reading.limit), at);
  const isWhole = endsAt !== null && endsAt > at;
  const beganAt = isWhole ? Math.min(at, endsAt - windowMs) : null;
  const since = (beganAt ?? at - windowMs) - lateMs;
  const refusedAt = use.refusedAt.filter((moment) => moment > at - 2 * windowMs);
  const ours = [...reading.ours, ...refusedAt].filter((moment) => moment > since).length;
  const held = Math.max(0, credible.limit - remaining - ours);
  const hasRoom = remaining > 0;
  const tooMany = use.last === null ? 0 : countedTooMany(use.last, { at, held, beganAt }, windowMs);
  const last = use.last && { ...use.last, held: use.last.held - tooMany };
  const added = addedSince(last, { at, held, beganAt }, windowMs, isFixed);
  const decay = decayUntil(use, at);
  return {
    ...credible,
    count: Math.max(0, (use.count - tooMany) * decay + added.count),
    seenMs: use.seenMs * decay + added.seenMs,
    at,
    last: {
      at,
      held,
      hasRoom,
      beganAt,
      limit,
      since: added.since,
      added: Math.max(0, added.count),
    },
    refusedAt,
  };
}

/** A request of ours was refused: some services count it. */
export function withRefusal(use: UseByOthers, at: number): UseByOthers {
  return { ...use, refusedAt: [...use.refusedAt, at].slice(-MAX_REFUSED) };
}

/**
 * Requests of others per millisecond, never more than the limit. The older the observation, the
 * nearer to 0.
 */
export function othersPerMs(
  use: UseByOthers,
  { limit, windowMs }: Pick<SharedReading, 'limit' | 'windowMs'>,
  serverNow: number,
): number {
  const decay = decayUntil(use, serverNow);
  const perMs = (use.count * decay) / (use.seenMs * decay + UNSHARED_SHARE * windowMs);
  return Math.min(perMs, limit / windowMs);
}

function decayUntil(use: UseByOthers, at: number): number {
  return 0.5 ** (Math.max(0, at - use.at) / HALF_LIFE_MS);
}

/** A single response with a higher count may be about another limit. */
function credibleLimit(
  { limit, limitAt }: UseByOthers,
  shown: number,
  at: number,
): Pick<UseByOthers, 'limit' | 'limitAt'> {
  const isBelieved = shown < limit && at - limitAt <= HIGHER_LIMIT_MS;
  return isBelieved ? { limit, limitAt } : { limit: shown, limitAt: at };
}

type Contents = Pick<SeenWindow, 'at' | 'held' | 'beganAt'>;

/**
 * The requests added by the last response that are gone sooner than any request could leave: they
 * never existed. That response was about another limit, or refused for another reason.
 */
function countedTooMany(
  last: SeenWindow,
  { at, held, beganAt }: Contents,
  windowMs: number,
): number {
  const isSame = beganAt === null ? at < last.since + windowMs : last.since >= beganAt;
  return isSame ? Math.min(last.held, Math.max(0, last.added - held)) : 0;
}

/** Requests of others since the last response, and how long there was room for them. */
function addedSince(
  last: SeenWindow | null,
  { at, held, beganAt }: Contents,
  windowMs: number,
  isFixed: boolean,
): { readonly count: number; readonly seenMs: number; readonly since: number } {
  if (last === null || last.at < (beganAt ?? at - windowMs)) {
    // Everything in the window was added since.
    if (beganAt === null) return { count: held, seenMs: windowMs, since: at - windowMs };
    const idleMs = beganAt - ((last?.beganAt ?? -Infinity) + windowMs);
    // No request was made in that time, or another window would have begun.
    const isIdle = !isFixed && idleMs > 0 && idleMs < windowMs;
    return { count: held, seenMs: at - beganAt + (isIdle ? idleMs : 0), since: beganAt };
  }
  const since = last.at;
  if (!last.hasRoom) return { count: 0, seenMs: 0, since };
  const passedMs = at - since;
  // A sliding window has dropped as many as if they had been made evenly.
  const kept = beganAt === null ? 1 - passedMs / windowMs : 1;
  return { count: held - last.held * kept, seenMs: passedMs, since };
}
