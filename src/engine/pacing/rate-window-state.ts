import { z } from 'zod';
import { serverClockStateSchema, UNKNOWN_CLOCK } from './server-clock.ts';
import { NO_USE_BY_OTHERS, useByOthersSchema } from './use-by-others.ts';

/** A number of requests in a number of milliseconds. */
export interface RateLimit {
  limit: number;
  windowMs: number;
}

export type Endpoint = 'generate' | 'status' | 'download';

/** `service-api.md §8.1`. Whether the windows are fixed or sliding is not documented (§8.5). */
export const DOCUMENTED_LIMITS: Readonly<Record<Endpoint, RateLimit>> = {
  generate: { limit: 10, windowMs: 3_600_000 },
  status: { limit: 60, windowMs: 60_000 },
  download: { limit: 30, windowMs: 3_600_000 },
};

/**
 * What `X-RateLimit-Reset` has turned out to mean on this service:
 * - `slot`: when the next request will be accepted (fixed and anchored windows, and sliding ones
 *   that report their oldest charge);
 * - `empty`: when a sliding window will contain no charge at all;
 * - `full`: when a token bucket will be full again.
 */
const resetMeaningSchema = z.enum(['slot', 'empty', 'full']);
export type ResetMeaning = z.infer<typeof resetMeaningSchema>;

const chargeSchema = z.object({
  seq: z.int().nonnegative(),
  /** The latest moment at which the service can have counted it; epoch ms by its clock. */
  at: z.number(),
  /** A response may still come. */
  open: z.boolean(),
  /** Sent before its slot was known, to learn the slot (`RateWindow`, rule 4). */
  attempt: z.boolean(),
  /** No response reported the limit, so it is unknown whether the service counted it. */
  unsure: z.boolean().default(false),
});

/** One request, stored before it was sent. */
export type Charge = Readonly<z.infer<typeof chargeSchema>>;

/** All moments are epoch milliseconds by the service's clock, as far as that is known. */
export const rateWindowStateSchema = z.object({
  version: z.literal(1),
  /** The documented limit, or more where `remaining` has shown that the account has more (§8.5). */
  limit: z.int().positive(),
  nextSeq: z.int().nonnegative(),
  /** Oldest first; as many settled ones as the limit, and all that are open. */
  charges: z.array(chargeSchema),
  remaining: z.int().nonnegative().nullable(),
  resetAt: z.number().nullable(),
  /**
   * The charge whose response `remaining` and `resetAt` come from, and when it was answered.
   * (Stored under these names.)
   */
  heardSeq: z.int(),
  heardAt: z.number().nullable(),
  meaning: resetMeaningSchema.nullable(),
  /** The whole limit has been seen to return at once, so forecasts may rely on it. */
  wholeReset: z.boolean(),
  /**
   * Windows begin at fixed moments, independent of requests: resets are whole windows apart, and
   * give the whole limit back.
   */
  isFixed: z.boolean().default(false),
  /** The bucket refills continuously, and the reset is when the next token comes. */
  namesToken: z.boolean().default(false),
  /** Set by a 429, cleared by the next accepted request. */
  notBefore: z.number().nullable(),
  /** When that 429 was answered. */
  refusedAt: z.number().nullable().default(null),
  /** An early attempt has been made for the present slot. */
  attempted: z.boolean(),
  /** Consecutive 429s, each to a request that had waited as the service asked. */
  refusals: z.int().nonnegative(),
  /** Every charge up to this one was sent before the latest 429 was known. */
  refusedSeq: z.int(),
  penalisedUntil: z.number().nullable(),
  clock: serverClockStateSchema,
  others: useByOthersSchema.default(NO_USE_BY_OTHERS),
});

export type RateWindowState = Readonly<z.infer<typeof rateWindowStateSchema>>;

export function freshRateWindow(limit: RateLimit): RateWindowState {
  return {
    version: 1,
    limit: limit.limit,
    nextSeq: 0,
    charges: [],
    remaining: null,
    resetAt: null,
    heardSeq: -1,
    heardAt: null,
    meaning: null,
    wholeReset: false,
    isFixed: false,
    namesToken: false,
    notBefore: null,
    refusedAt: null,
    attempted: false,
    refusals: 0,
    refusedSeq: -1,
    penalisedUntil: null,
    clock: UNKNOWN_CLOCK,
    others: NO_USE_BY_OTHERS,
  };
}

/**
 * How far the latest recorded event is in the future, in milliseconds. More than 0 means that a
 * clock was set back.
 *
 * @param latest the latest that the service's clock can show, in epoch ms
 */
export function happenedAhead(state: RateWindowState, latest: number): number {
  let last = Math.max(latest, state.heardAt ?? latest, state.refusedAt ?? latest);
  for (const { at } of state.charges) last = Math.max(last, at);
  return last - latest;
}

/**
 * The state without events in the future. Such events are moved to now, and what follows them keeps
 * its distance. No wait gets longer, however far the clock was set back.
 */
export function withoutFuture(state: RateWindowState, latest: number): RateWindowState {
  if (happenedAhead(state, latest) === 0) return state;
  const answeredAhead = Math.max(0, (state.heardAt ?? latest) - latest);
  const refusedAhead = Math.max(0, (state.refusedAt ?? latest) - latest);
  const charges = state.charges.map((charge) => ({ ...charge, at: Math.min(charge.at, latest) }));
  return movedBack({ ...state, charges }, answeredAhead, refusedAhead);
}

/** The state with all its moments later by `byMs`. */
export function shifted(state: RateWindowState, byMs: number): RateWindowState {
  const charges = state.charges.map((charge) => ({ ...charge, at: charge.at + byMs }));
  return movedBack({ ...state, charges }, -byMs, -byMs);
}

function movedBack(state: RateWindowState, answeredBy: number, refusedBy: number): RateWindowState {
  return {
    ...state,
    heardAt: earlier(state.heardAt, answeredBy),
    resetAt: earlier(state.resetAt, answeredBy),
    refusedAt: earlier(state.refusedAt, refusedBy),
    notBefore: earlier(state.notBefore, refusedBy),
    penalisedUntil: earlier(state.penalisedUntil, refusedBy),
  };
}

function earlier(at: number | null, byMs: number): number | null {
  return at === null ? null : at - byMs;
}
