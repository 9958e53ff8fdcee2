import type { RateWindowState } from './rate-window-state.ts';

/**
 * How far the latest recorded event lies in the future, in milliseconds. More than 0 means that a
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
 * its distance from them. No wait gets longer, however far the clock was set back.
 */
export function withoutFuture(state: RateWindowState, latest: number): RateWindowState {
  if (happenedAhead(state, latest) === 0) return state;
  const heardAhead = Math.max(0, (state.heardAt ?? latest) - latest);
  const refusedAhead = Math.max(0, (state.refusedAt ?? latest) - latest);
  return {
    ...state,
    charges: state.charges.map((charge) => ({ ...charge, at: Math.min(charge.at, latest) })),
    heardAt: earlier(state.heardAt, heardAhead),
    resetAt: earlier(state.resetAt, heardAhead),
    refusedAt: earlier(state.refusedAt, refusedAhead),
    notBefore: earlier(state.notBefore, refusedAhead),
    penalisedUntil: earlier(state.penalisedUntil, refusedAhead),
  };
}

/** The state with all its moments later by `byMs`. */
export function shifted(state: RateWindowState, byMs: number): RateWindowState {
  return {
    ...state,
    charges: state.charges.map((charge) => ({ ...charge, at: charge.at + byMs })),
    heardAt: earlier(state.heardAt, -byMs),
    resetAt: earlier(state.resetAt, -byMs),
    refusedAt: earlier(state.refusedAt, -byMs),
    notBefore: earlier(state.notBefore, -byMs),
    penalisedUntil: earlier(state.penalisedUntil, -byMs),
  };
}

function earlier(at: number | null, byMs: number): number | null {
  return at === null ? null : at - byMs;
}
