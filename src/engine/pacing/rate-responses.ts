import { MARGIN_MS } from './next-slot.ts';
import { credibleReset, reportedLimit, type RateHeaders } from './rate-headers.ts';
import type { Charge, RateLimit, RateWindowState } from './rate-window-state.ts';
import {
  hasFixedWindows,
  learnMeaning,
  namesNextToken,
  ROUNDED_MS,
  showsWholeReset,
} from './reset-meaning.ts';
import { clockOffset } from './server-clock.ts';
import { learnUseByOthers, withRefusal } from './use-by-others.ts';

/** A limit above the documented one (§8.5) is not raised beyond this, which bounds memory. */
const MAX_LIMIT = 10_000;

const MAX_BACKOFF_MS = 3_600_000;

/** This many are stored, however old they are. */
const MANY_CHARGES = 100;

/**
 * What a rate window has learned from the response to a request that was counted.
 * @param at when the response was written, at the earliest and the latest, by the service's clock
 * @param isSuccess whether its status says that the request was accepted
 */
export function afterResponse(
  before: RateWindowState,
  window: RateLimit,
  charge: Charge,
  headers: RateHeaders,
  at: { readonly from: number; readonly to: number },
  isSuccess: boolean,
): RateWindowState {
  const { remaining } = headers;
  const counted = settled(before, window, { ...charge, unsure: remaining === null }, at.to);
  // The response did not come from the limiter, so it says no more about it.
  if (remaining === null) {
    const endsRefusals = isSuccess && charge.seq > counted.refusedSeq;
    return endsRefusals ? { ...counted, refusals: 0 } : counted;
  }
  const state = charge.seq > counted.refusedSeq ? { ...counted, ...NOT_REFUSED } : counted;
  const resetAt = resetIn(headers, state, window, at.to);
  const isRounded = headers.resetAt === null;
  if (charge.seq < state.heardSeq) {
    // Requests overtook each other: of two responses about one window the lower count is newer.
    const apart = Math.abs((resetAt ?? 0) - (state.resetAt ?? 0));
    return state.remaining !== null && apart <= (isRounded ? ROUNDED_MS : 0)
      ? { ...state, remaining: Math.min(remaining, state.remaining) }
      : state;
  }
  const latest = { remaining, resetAt, heardSeq: charge.seq, heardAt: at.from };
  const limit = Math.max(state.limit, Math.min(reportedLimit(headers, window), MAX_LIMIT));
  const limited = { ...state, limit };
  if (resetAt === null) {
    return withUseByOthers({ ...limited, ...latest }, window, charge, headers, null);
  }
  const reading = { remaining, resetAt, at: at.from, isRounded };
  const unsettled = { ...limited, charges: before.charges };
  const learned = {
    ...limited,
    ...latest,
    meaning: learnMeaning(limited, window, reading),
    wholeReset: state.wholeReset || showsWholeReset(limited, window, reading),
    isFixed: hasFixedWindows(unsettled, window, reading),
    namesToken: namesNextToken(unsettled, window, reading),
  };
  return withUseByOthers(learned, window, charge, headers, resetAt);
}

const NOT_REFUSED = { notBefore: null, refusedAt: null, refusals: 0, attempted: false };

/**
 * The same for a 429, which takes the charge back (rule 5 of `RateWindow`).
 * @param at when it was written, at the latest, by the service's clock
 */
export function afterRefusal(
  state: RateWindowState,
  window: RateLimit,
  charge: Charge,
  headers: RateHeaders,
  at: number,
): RateWindowState {
  const { windowMs } = window;
  const { detailsResetAt } = headers;
  const read = detailsResetAt === null ? headers : { ...headers, resetAt: detailsResetAt };
  const resetAt = resetIn(read, state, window, at);
  const retryAt = headers.retryAfterMs === null ? null : at + headers.retryAfterMs;
  const blindly = at + windowMs / state.limit;

  const hadWaited = charge.seq > state.refusedSeq && !charge.attempt;
  const refusals = state.refusals + (hadWaited ? 1 : 0);
  const penalised = refusals >= 2;
  const notBefore =
    MARGIN_MS +
    (penalised
      ? Math.max(retryAt ?? 0, resetAt ?? 0, blindly, at + afterRefusals(refusals))
      : (retryAt ?? resetAt ?? blindly));
  const refused = {
    ...state,
    charges: chargesWithout(state, charge),
    remaining: 0,
    heardSeq: Math.max(state.heardSeq, charge.seq),
    refusals,
    refusedSeq: state.nextSeq - 1,
    notBefore: Math.max(notBefore, state.notBefore ?? notBefore),
    refusedAt: at,
    penalisedUntil: penalised ? notBefore + windowMs : state.penalisedUntil,
  };
  const learned = withUseByOthers(refused, window, charge, headers, resetAt);
  return { ...learned, others: withRefusal(learned.others, at) };
}

/**
 * The shortest wait after this many 429s in a row, in milliseconds: their headers may be about
 * another limit than the one that refuses.
 */
function afterRefusals(refusals: number): number {
  return Math.min(1000 * 2 ** (refusals - 1), MAX_BACKOFF_MS);
}

/** The state once no response to a request is waited for: it counts as made at `at`. */
export function settled(
  state: RateWindowState,
  window: RateLimit,
  charge: Charge,
  at: number,
): RateWindowState {
  const all = [...chargesWithout(state, charge), { ...charge, at, open: false }];
  const charges = all.toSorted((a, b) => a.at - b.at);
  const closed = worthKeeping(
    charges.filter(({ open }) => !open),
    window,
  ).slice(-state.limit);
  return { ...state, charges: charges.filter((each) => each.open || closed.includes(each)) };
}

export function chargesWithout({ charges }: RateWindowState, charge: Charge): Charge[] {
  return charges.filter(({ seq }) => seq !== charge.seq);
}

/**
 * In a window with a high limit, charges that left it long ago are dropped, because all are stored.
 */
function worthKeeping(charges: readonly Charge[], { windowMs }: RateLimit): readonly Charge[] {
  if (charges.length <= MANY_CHARGES) return charges;
  const newest = charges.at(-1)?.at ?? 0;
  return charges.filter(({ at }) => newest - at <= 2 * windowMs);
}

/** For forecasts only: when requests are sent depends on what the service says. */
function withUseByOthers(
  state: RateWindowState,
  window: RateLimit,
  { seq }: Charge,
  { date, remaining }: RateHeaders,
  resetAt: number | null,
): RateWindowState {
  const { meaning, wholeReset, isFixed, namesToken, charges } = state;
  // Without `Date`, a clock that was set could make our own requests look like those of others.
  if (date === null || remaining === null || seq < state.heardSeq) return state;
  const isWhole = (wholeReset || isFixed) && !namesToken && (meaning ?? 'slot') === 'slot';
  const others = learnUseByOthers(state.others, {
    ...window,
    at: date,
    remaining,
    endsAt: isWhole ? resetAt : null,
    isFixed,
    maxLimit: state.limit,
    ours: charges.map(({ at }) => at),
  });
  return { ...state, others };
}

function resetIn(
  headers: RateHeaders,
  { clock }: RateWindowState,
  window: RateLimit,
  at: number,
): number | null {
  return credibleReset(headers, window, at, clockOffset(clock) !== null);
}
