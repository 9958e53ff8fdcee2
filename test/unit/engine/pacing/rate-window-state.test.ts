import { describe, expect, it, test } from 'vitest';
import { NO_RATE_HEADERS, type RateHeaders } from '../../../../src/engine/pacing/rate-headers.ts';
import {
  DOCUMENTED_LIMITS,
  freshRateWindow,
  rateWindowStateSchema,
  type Charge,
  type RateWindowState,
} from '../../../../src/engine/pacing/rate-window-state.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';

/** On a whole second, as `Date` is. */
const NOW = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOURLY = { limit: 3, windowMs: HOUR };
/** Ms from a request to its answer. */
const TRIP = 100;

/** Both clocks agree, to the second that `Date` is truncated to. */
const KNOWN_CLOCK = { samples: [{ low: 0, high: 0 }] };

const windowOf = (change: Partial<RateWindowState> = {}): RateWindow =>
  new RateWindow(HOURLY, { ...freshRateWindow(HOURLY), ...change });

function answer(
  window: RateWindow,
  charge: Charge,
  at: number,
  reported: Reported,
  status = 200,
): void {
  window.answered(charge, {
    status,
    headers: { ...NO_RATE_HEADERS, ...reported },
    sentAt: at,
    receivedAt: at + TRIP,
  });
}
type Reported = Partial<RateHeaders>;

/** Answered requests, sent these minutes ago. */
function sent(...minutesAgo: number[]): Charge[] {
  return minutesAgo.map((minutes, seq) => ({
    seq,
    at: NOW - minutes * MINUTE,
    open: false,
    attempt: false,
    unsure: false,
  }));
}

test('the documented limits are those of the API', () => {
  // service-api.md §8.1
  expect(DOCUMENTED_LIMITS).toEqual({
    generate: { limit: 10, windowMs: HOUR },
    status: { limit: 60, windowMs: MINUTE },
    download: { limit: 30, windowMs: HOUR },
  });
});

describe('the stored state', () => {
  const stored = (state: object): unknown => JSON.parse(JSON.stringify(state));
  const known: RateWindowState = {
    ...freshRateWindow(HOURLY),
    nextSeq: 2,
    charges: [
      { seq: 0, at: NOW, open: false, attempt: true, unsure: true },
      { seq: 1, at: NOW + 0.5, open: true, attempt: false, unsure: false },
    ],
    remaining: 0,
    resetAt: NOW + MINUTE,
    heardSeq: 0,
    heardAt: NOW,
    wholeReset: true,
    isFixed: true,
    namesToken: true,
    notBefore: NOW + 1,
    refusedAt: NOW,
    attempted: true,
    refusals: 1,
    refusedSeq: 0,
    penalisedUntil: NOW + HOUR,
    clock: KNOWN_CLOCK,
  };

  it.each([
    freshRateWindow(HOURLY),
    ...(['slot', 'empty', 'full'] as const).map((meaning) => ({ ...known, meaning })),
  ])('is read as it was written', (state) => {
    expect(rateWindowStateSchema.parse(stored(state))).toEqual(state);
  });

  it('of an earlier version lacks what is then unknown', () => {
    const state = rateWindowStateSchema.parse({
      ...freshRateWindow(HOURLY),
      charges: [{ seq: 0, at: NOW, open: false, attempt: false }],
      isFixed: undefined,
      namesToken: undefined,
      refusedAt: undefined,
      others: undefined,
    });
    expect(state).toEqual({ ...freshRateWindow(HOURLY), charges: sent(0) });
  });

  it.each([
    { version: 2 },
    { limit: 0 },
    { limit: 2.5 },
    { nextSeq: -1 },
    { charges: [{ seq: 0 }] },
    { charges: [{ ...known.charges[0], seq: -1 }] },
    { remaining: -1 },
    { meaning: 'start' },
    { resetAt: '2026-05-04' },
    { refusals: -1 },
    { clock: undefined },
  ])('is refused with %j', (change) => {
    expect(rateWindowStateSchema.safeParse({ ...known, ...change }).success).toBe(false);
  });
});

describe('requests that a window has counted', () => {
  it('are open from being stored until being answered', () => {
    const window = windowOf({ clock: KNOWN_CLOCK });
    const charge = window.reserve(NOW);
    const open = { seq: 0, at: NOW, open: true, attempt: false, unsure: false };
    expect(window.state.charges).toEqual([open]);
    answer(window, charge, NOW, { remaining: 2, date: NOW });
    expect(window.state.charges).toEqual([{ ...open, at: NOW + TRIP, open: false }]);
  });

  it('have the latest time at which they can have been counted', () => {
    const at = (date: number | null): number => {
      const window = windowOf({ clock: KNOWN_CLOCK });
      const charge = window.reserve(NOW);
      const headers = { ...NO_RATE_HEADERS, remaining: 2, date };
      window.answered(charge, { status: 200, headers, sentAt: NOW, receivedAt: NOW + 5000 });
      return window.state.charges[0]!.at - NOW;
    };
    expect(at(null)).toBe(5000);
    // Written within the second that it names.
    expect(at(NOW + 2000)).toBe(3000);
    expect(at(NOW + 5000)).toBe(5000);
  });

  it('are unsure if their response reported no limit, or none came', () => {
    const unsure = (act: (window: RateWindow, charge: Charge) => void) => {
      const window = windowOf();
      act(window, window.reserve(NOW));
      return window.state.charges.map((charge) => charge.unsure);
    };
    expect(unsure((window, charge) => answer(window, charge, NOW, { remaining: 2 }))).toEqual([
      false,
    ]);
    expect(unsure((window, charge) => answer(window, charge, NOW, {}))).toEqual([true]);
    expect(unsure((window, charge) => window.unanswered(charge, NOW))).toEqual([true]);
  });

  it('were lost if they were open when the process ended', () => {
    const charges = sent(3, 2, 1).map((charge) => ({
      ...charge,
      open: charge.seq === 1,
      unsure: charge.seq === 2,
    }));
    expect(windowOf({ charges }).state.charges).toEqual([
      { ...charges[0], open: false, unsure: false },
      { ...charges[1], open: false, unsure: true },
      { ...charges[2], open: false, unsure: true },
    ]);
  });

  it('are kept in order of time, up to the limit and those that are open', () => {
    const window = windowOf({ charges: sent(20, 10, 5), nextSeq: 3, remaining: 2, heardSeq: 2 });
    const [slow, quick] = [window.reserve(NOW), window.reserve(NOW)];
    answer(window, quick, NOW, { remaining: 1, date: NOW });
    expect(window.state.charges.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    answer(window, slow, NOW + 30_000, { remaining: 0, date: NOW + 30_000 });
    expect(window.state.charges.map(({ seq }) => seq)).toEqual([2, 4, 3]);
    const open = windowOf({ clock: KNOWN_CLOCK });
    const [first] = [open.reserve(NOW), open.reserve(NOW + MINUTE)];
    // Its answer was written at once and came late.
    const headers = { ...NO_RATE_HEADERS, remaining: 2, date: NOW };
    open.answered(first, { status: 200, headers, sentAt: NOW, receivedAt: NOW + 2 * MINUTE });
    expect(open.state.charges.map(({ seq }) => seq)).toEqual([0, 1]);
  });

  it('are dropped when they were provably never sent', () => {
    const window = windowOf();
    const kept = window.reserve(NOW);
    window.release(window.reserve(NOW));
    expect(window.state.charges).toEqual([kept]);
  });
});

describe('the limit', () => {
  it('is the documented one, or a higher one that was seen', () => {
    expect(windowOf({ limit: 2 }).state.limit).toBe(3);
    expect(windowOf({ limit: 50 }).state.limit).toBe(50);
  });

  it('is accepted up to 10,000', () => {
    const seen = (remaining: number): number => {
      const window = windowOf();
      answer(window, window.reserve(NOW), NOW, { remaining });
      return window.state.limit;
    };
    expect(seen(9998)).toBe(9999);
    expect(seen(1_000_000)).toBe(10_000);
  });
});

describe('an attempt', () => {
  /** Others have used the whole limit, and the reset is the time when the window is empty. */
  const shared: Partial<RateWindowState> = {
    remaining: 0,
    heardSeq: 99,
    heardAt: NOW - MINUTE,
    meaning: 'empty',
    resetAt: NOW + 59 * MINUTE,
    clock: KNOWN_CLOCK,
  };

  it('is made once a slot', () => {
    const window = windowOf(shared);
    expect(window.reserve(NOW).attempt).toBe(true);
    expect(window.state.attempted).toBe(true);
    expect(window.reserve(NOW).attempt).toBe(false);
    expect(window.state.attempted).toBe(true);
    const plain = windowOf();
    plain.reserve(NOW);
    expect(plain.state.attempted).toBe(false);
  });

  it('does not count if it was provably never sent', () => {
    const window = windowOf(shared);
    const attempt = window.reserve(NOW);
    const other = window.reserve(NOW);
    window.release(other);
    expect(window.state.attempted).toBe(true);
    window.release(attempt);
    expect(window.state.attempted).toBe(false);
  });

  it('may be made again after the next accepted request', () => {
    const window = windowOf(shared);
    answer(window, window.reserve(NOW), NOW, { remaining: 0, date: NOW });
    expect(window.state.attempted).toBe(false);
  });
});

describe('two answers out of order', () => {
  const RESET = NOW + HOUR;
  /** The state after the later of two requests was answered first. */
  function stateOutOfOrder(earlier: Reported, later: Reported): RateWindowState {
    const window = windowOf({ clock: KNOWN_CLOCK, limit: 10 });
    const [first, second] = [window.reserve(NOW), window.reserve(NOW)];
    answer(window, second, NOW, { date: NOW, resetAt: RESET, ...later });
    answer(window, first, NOW + 10, { date: NOW, resetAt: RESET, ...earlier });
    return window.state;
  }

  it('leave the lower count of one window', () => {
    expect(stateOutOfOrder({ remaining: 4 }, { remaining: 5 })).toMatchObject({
      remaining: 4,
      heardSeq: 1,
    });
    expect(stateOutOfOrder({ remaining: 5 }, { remaining: 4 })).toMatchObject({
      remaining: 4,
      heardSeq: 1,
    });
  });

  it('leave the count of the later of two windows', () => {
    const before = { remaining: 0, resetAt: NOW + 1000 };
    expect(stateOutOfOrder(before, { remaining: 9 })).toMatchObject({
      remaining: 9,
      resetAt: RESET,
    });
    expect(stateOutOfOrder({ remaining: 4, resetAt: RESET - 1 }, { remaining: 9 }).remaining).toBe(
      9,
    );
  });

  it('belong to one window if resets reported in seconds differ by two at most', () => {
    const inSeconds = (resetAfterMs: number) => ({ resetAt: null, resetAfterMs });
    const left = (apartMs: number) =>
      stateOutOfOrder(
        { remaining: 4, ...inSeconds(HOUR - 10_000 - apartMs) },
        { remaining: 9, ...inSeconds(HOUR - 10_000) },
      ).remaining;
    // The second answer came ten milliseconds later.
    expect(left(2010)).toBe(4);
    expect(left(2011)).toBe(9);
    expect(left(-1990)).toBe(4);
    expect(left(-1991)).toBe(9);
  });

  it('are compared if neither reports a reset', () => {
    const none = { resetAt: null };
    expect(stateOutOfOrder({ remaining: 4, ...none }, { remaining: 5, ...none }).remaining).toBe(4);
    expect(stateOutOfOrder({ remaining: 4, ...none }, { remaining: 5 }).remaining).toBe(5);
    expect(stateOutOfOrder({ remaining: 4 }, { remaining: 5, ...none }).remaining).toBe(5);
  });

  it('leave the earlier count if the later response reported no limit', () => {
    const { remaining, heardSeq } = stateOutOfOrder({ remaining: 4 }, {});
    expect({ remaining, heardSeq }).toEqual({ remaining: 4, heardSeq: 0 });
  });
});

describe('an answer that counts', () => {
  it('changes no reset if it reports none', () => {
    const known = { meaning: 'slot', wholeReset: true, isFixed: true, namesToken: true } as const;
    const window = windowOf({ ...known, resetAt: NOW + MINUTE, heardAt: NOW - MINUTE });
    answer(window, window.reserve(NOW), NOW, { remaining: 2, date: NOW });
    expect(window.state).toMatchObject({ ...known, resetAt: null, remaining: 2 });
    const fresh = windowOf();
    answer(fresh, fresh.reserve(NOW), NOW, { remaining: 2, date: NOW });
    expect(fresh.state).toMatchObject({ meaning: null, wholeReset: false, isFixed: false });
  });

  it('is interpreted with the requests before it', () => {
    // The whole limit was used within the window, and now one counts: the window is a fixed one.
    const charges = sent(30, 29, 28);
    const window = windowOf({ charges, nextSeq: 3, remaining: 0, heardSeq: 2, clock: KNOWN_CLOCK });
    answer(window, window.reserve(NOW), NOW, {
      remaining: 2,
      resetAt: NOW + 40 * MINUTE,
      date: NOW,
    });
    expect(window.state).toMatchObject({ isFixed: true, wholeReset: true });
  });

  it('ends the wait of an earlier 429, and not of a later one', () => {
    const refused = { notBefore: NOW + 1, refusedAt: NOW - 1, refusals: 1 } as const;
    const after = (refusedSeq: number) => {
      const window = windowOf({ ...refused, refusedSeq, nextSeq: 5, clock: KNOWN_CLOCK });
      answer(window, window.reserve(NOW), NOW, { remaining: 2, date: NOW });
      const { notBefore, refusedAt, refusals } = window.state;
      return { notBefore, refusedAt, refusals };
    };
    expect(after(4)).toEqual({ notBefore: null, refusedAt: null, refusals: 0 });
    expect(after(5)).toEqual(refused);
    expect(after(6)).toEqual(refused);
  });
});

describe('a 429', () => {
  const MARGIN = 1000;

  it('releases its own request, and counts as the response to all sent before it', () => {
    const window = windowOf({ clock: KNOWN_CLOCK });
    const [first, second, third] = [1, 2, 3].map(() => window.reserve(NOW));
    answer(window, second!, NOW, { date: NOW, retryAfterMs: MINUTE }, 429);
    expect(window.state).toMatchObject({ remaining: 0, heardSeq: 1, refusedSeq: 2, refusals: 1 });
    expect(window.state.charges).toEqual([first, third]);
    answer(window, first!, NOW, { date: NOW, retryAfterMs: MINUTE }, 429);
    expect(window.state).toMatchObject({ heardSeq: 1, refusals: 1 });
  });

  it('does not shorten the wait of an earlier one', () => {
    const window = windowOf({ clock: KNOWN_CLOCK });
    const [first, second] = [window.reserve(NOW), window.reserve(NOW)];
    answer(window, first, NOW, { date: NOW, retryAfterMs: 5 * MINUTE }, 429);
    const { notBefore } = window.state;
    expect(notBefore).toBe(NOW + TRIP + 5 * MINUTE + MARGIN);
    answer(window, second, NOW, { date: NOW, retryAfterMs: MINUTE }, 429);
    expect(window.state.notBefore).toBe(notBefore);
  });

  it('that follows another applies with the latest of its times', () => {
    const waits = (reported: Reported): number => {
      const window = windowOf({ clock: KNOWN_CLOCK, refusals: 1 });
      answer(window, window.reserve(NOW), NOW, { date: NOW, ...reported }, 429);
      expect(window.state.penalisedUntil).toBe(window.state.notBefore! + HOUR);
      return window.state.notBefore! - MARGIN - NOW;
    };
    const share = HOUR / 3 + TRIP;
    expect(waits({})).toBe(share);
    expect(waits({ retryAfterMs: MINUTE })).toBe(share);
    expect(waits({ retryAfterMs: 40 * MINUTE })).toBe(40 * MINUTE + TRIP);
    expect(waits({ retryAfterMs: MINUTE, resetAt: NOW + 50 * MINUTE })).toBe(50 * MINUTE);
  });
});

describe('the use by others', () => {
  it('is what a window contains besides our own requests', () => {
    const held = (charges: Charge[]) => {
      const window = windowOf({ charges, nextSeq: charges.length, clock: KNOWN_CLOCK });
      answer(window, window.reserve(NOW), NOW, { remaining: 0, date: NOW });
      return window.state.others.last?.held;
    };
    expect(held([])).toBe(2);
    expect(held(sent(10))).toBe(1);
    expect(held(sent(70, 10))).toBe(1);
    expect(held(sent(20, 10))).toBe(0);
  });

  it('is not learned from a response without a time or a count', () => {
    const learned = (reported: Reported, status = 200) => {
      const window = windowOf({ clock: KNOWN_CLOCK });
      answer(window, window.reserve(NOW), NOW, reported, status);
      return window.state.others;
    };
    const nothing = freshRateWindow(HOURLY).others;
    const refused = { ...nothing, refusedAt: [NOW + TRIP] };
    expect(learned({ remaining: 0 })).toEqual(nothing);
    expect(learned({ date: NOW })).toEqual(nothing);
    expect(learned({ remaining: 0 }, 429)).toEqual(refused);
    expect(learned({ date: NOW }, 429)).toMatchObject({ last: null });
    expect(learned({ remaining: 0, date: NOW }, 429).last).not.toBeNull();
  });

  it('is not learned from a refusal that a later response overtook', () => {
    const window = windowOf({ clock: KNOWN_CLOCK });
    const [first, second] = [window.reserve(NOW), window.reserve(NOW)];
    answer(window, second, NOW, { remaining: 1, date: NOW });
    const { last } = window.state.others;
    answer(window, first, NOW, { remaining: 0, date: NOW }, 429);
    expect(window.state.others.last).toEqual(last);
  });

  it.each<[Partial<RateWindowState>, boolean]>([
    [{ wholeReset: true, meaning: 'slot' }, true],
    [{ wholeReset: true }, true],
    [{ isFixed: true }, true],
    [{ isFixed: true, meaning: 'slot' }, true],
    [{}, false],
    [{ meaning: 'slot' }, false],
    [{ wholeReset: true, namesToken: true }, false],
    [{ isFixed: true, meaning: 'empty' }, false],
    [{ wholeReset: true, meaning: 'full' }, false],
  ])('of a window with %j is counted from its beginning: %s', (change, isWhole) => {
    const window = windowOf({ ...change, clock: KNOWN_CLOCK });
    const resetAt = NOW + 10 * MINUTE;
    answer(window, window.reserve(NOW), NOW, { remaining: 0, date: NOW, resetAt }, 429);
    expect(window.state.others.last?.beganAt).toBe(isWhole ? resetAt - HOUR : null);
  });
});

test('of more than 100 requests, those from two windows ago are dropped', () => {
  const limit = { limit: 500, windowMs: HOUR };
  const kept = (...minutesAgo: number[]): number => {
    const fresh = freshRateWindow(limit);
    const charges = sent(...minutesAgo);
    const state = { ...fresh, charges, nextSeq: charges.length, clock: KNOWN_CLOCK };
    const window = new RateWindow(limit, state);
    answer(window, window.reserve(NOW), NOW - TRIP, { remaining: 400, date: NOW });
    return window.state.charges.length;
  };
  const old = new Array<number>(50).fill(121);
  const edge = new Array<number>(5).fill(120);
  const recent = new Array<number>(50).fill(1);
  expect(kept(...old, ...recent.slice(1))).toBe(100);
  expect(kept(...old, ...recent)).toBe(51);
  expect(kept(...old, ...edge, ...recent)).toBe(56);
});

describe('the clock of the service', () => {
  it('moves times stored by this computer’s clock once it is known', () => {
    const window = windowOf({ charges: sent(5), resetAt: NOW + MINUTE, heardAt: NOW });
    const headers = { ...NO_RATE_HEADERS, date: NOW + 10 * MINUTE };
    window.learnTime({ status: 200, headers, sentAt: NOW, receivedAt: NOW + TRIP });
    const later = 10 * MINUTE + 1000;
    expect(window.clockOffset).toEqual({ low: 10 * MINUTE - TRIP, high: later });
    expect(window.state).toMatchObject({ resetAt: NOW + MINUTE + later, heardAt: NOW + later });
    expect(window.state.charges[0]!.at).toBe(NOW - 5 * MINUTE + later);
  });

  it('moves nothing once it is known, nor by an answer of unknown time', () => {
    const window = windowOf({ charges: sent(5), clock: KNOWN_CLOCK });
    const learn = (date: number | null, receivedAt: number) => {
      const headers = { ...NO_RATE_HEADERS, date };
      window.learnTime({ status: 200, headers, sentAt: NOW, receivedAt });
      return window.state.charges[0]!.at - NOW;
    };
    expect(learn(NOW + 10 * MINUTE, NOW + TRIP)).toBe(-5 * MINUTE);
    const fresh = windowOf({ charges: sent(5) });
    const headers = { ...NO_RATE_HEADERS, date: NOW + 10 * MINUTE };
    // This computer's clock was set back while the request was under way.
    fresh.learnTime({ status: 200, headers, sentAt: NOW, receivedAt: NOW - 1 });
    expect(fresh.clockOffset).toBeNull();
    expect(fresh.state.charges[0]!.at).toBe(NOW - 5 * MINUTE);
  });

  it('that was set back leaves no event in the future', () => {
    const window = windowOf({ clock: KNOWN_CLOCK, charges: sent(0), heardAt: NOW });
    const headers = { ...NO_RATE_HEADERS, date: NOW - 10 * MINUTE };
    window.learnTime({ status: 200, headers, sentAt: NOW, receivedAt: NOW + TRIP });
    const latest = NOW + TRIP + 1000 - 10 * MINUTE;
    expect(window.state.heardAt).toBe(latest);
    expect(window.state.charges[0]!.at).toBe(latest);
  });

  it('corrects future events after this computer’s clock was set back unnoticed', () => {
    const charges = sent(-10);
    const unknown = windowOf({ charges });
    unknown.wait(NOW);
    expect(unknown.state.charges[0]!.at).toBe(NOW);
    // Known: this computer's clock was set back by as much, and the service's was not.
    const known = windowOf({ charges, clock: KNOWN_CLOCK });
    known.wait(NOW);
    expect(known.state.charges[0]!.at).toBe(NOW + 10 * MINUTE);
    expect(known.clockOffset).toEqual({ low: 10 * MINUTE, high: 10 * MINUTE });
  });
});

describe('the view of a window', () => {
  const shown = (change: Partial<RateWindowState>) => windowOf(change).view(NOW);

  it('has times by this computer’s clock', () => {
    const clock = { samples: [{ low: 9 * MINUTE, high: 10 * MINUTE }] };
    const waits = { remaining: 0, heardSeq: 0, notBefore: NOW + 30 * MINUTE };
    const view = shown({ ...waits, resetAt: NOW + 30 * MINUTE, clock });
    expect(view).toMatchObject({ limit: 3, remaining: 0, resetAt: NOW + 20 * MINUTE });
    expect(view.nextAt).toBe(NOW + 21 * MINUTE);
    expect(shown({ resetAt: NOW + MINUTE }).resetAt).toBe(NOW + MINUTE);
  });

  it('has no number before the first response', () => {
    expect(shown({})).toEqual({
      limit: 3,
      windowMs: HOUR,
      remaining: null,
      resetAt: null,
      othersPerHour: 0,
      nextAt: NOW,
    });
  });

  it('subtracts the requests without a response, and is never negative', () => {
    expect(shown({ remaining: 2, heardSeq: 0, charges: sent(2, 1) }).remaining).toBe(1);
    expect(shown({ remaining: 1, heardSeq: -1, charges: sent(2, 1) }).remaining).toBe(0);
  });
});
