import { describe, expect, it } from 'vitest';
import {
  chargesSince,
  isNearlyWindow,
  isPenalised,
  MARGIN_MS,
  nextSlot,
} from '../../../../src/engine/pacing/next-slot.ts';
import {
  freshRateWindow,
  type RateWindowState,
} from '../../../../src/engine/pacing/rate-window-state.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOURLY = { limit: 10, windowMs: HOUR };
const TOKEN = 6 * MINUTE;

/** Requests so many minutes ago, oldest first, numbered from 0 on. */
function sent(...minutesAgo: number[]) {
  return minutesAgo.map((minutes, seq) => ({
    seq,
    at: NOW - minutes * MINUTE,
    open: false,
    attempt: false,
    unsure: false,
  }));
}
const ten = (minutesAgo: number) => sent(...Array.from({ length: 10 }, (_, n) => minutesAgo - n));
const open = (charges: ReturnType<typeof sent>) =>
  charges.map((charge, index) => ({ ...charge, open: index === charges.length - 1 }));

/** Ms until the next request may be sent, or `attempt` if it is to probe the limit. */
function slot(change: Partial<RateWindowState>, latestMs = 0): number | 'attempt' {
  const state = { ...freshRateWindow(HOURLY), ...change };
  const { at, attempt } = nextSlot(state, HOURLY, { earliest: NOW, latest: NOW + latestMs });
  if (!attempt) return at - NOW;
  expect(at).toBe(NOW);
  return 'attempt';
}

/** The service reported 0 remaining so many minutes ago; `heardSeq` is beyond all requests. */
function usedUp(minutesAgo: number, change: Partial<RateWindowState> = {}) {
  return { remaining: 0, heardAt: NOW - minutesAgo * MINUTE, heardSeq: 99, ...change };
}

describe('after a 429', () => {
  const refused = { remaining: 0, refusedSeq: 20, heardSeq: 20 };

  it('nothing is sent before the time that it gave', () => {
    expect(slot({ ...refused, notBefore: NOW + 90_000 })).toBe(90_000);
  });

  it('one request is sent then, and the next one waits for its answer', () => {
    const over = { ...refused, notBefore: NOW - 1 };
    expect(slot({ ...over, charges: ten(30) })).toBe(0);
    expect(slot({ ...over, charges: open(sent(1)) })).toBe(1000);
  });

  it('the log decides after a request without an answer, or during a penalty', () => {
    const over = { ...refused, notBefore: NOW - 1, charges: ten(30) };
    const log = 30 * MINUTE + MARGIN_MS;
    // The last of the ten was sent after the refusal, and has no answer.
    expect(slot({ ...over, refusedSeq: 8, heardSeq: 7 })).toBe(log);
    expect(slot({ ...over, refusedSeq: 9, heardSeq: 7 })).toBe(0);
    expect(slot({ ...over, penalisedUntil: NOW + 1 })).toBe(log);
    expect(slot({ ...over, penalisedUntil: NOW })).toBe(0);
  });

  it('a penalty ends at its time', () => {
    const state = (until: number | null) => ({
      ...freshRateWindow(HOURLY),
      penalisedUntil: until,
    });
    expect(isPenalised(state(NOW + 1), NOW)).toBe(true);
    expect(isPenalised(state(NOW), NOW)).toBe(false);
    expect(isPenalised(state(null), NOW)).toBe(false);
    expect(isPenalised(state(null), -1)).toBe(false);
  });
});

describe('an attempt that probes the limit', () => {
  /** Others have charges in a window whose reset is the time when it is empty. */
  const shared = usedUp(5, { meaning: 'empty', resetAt: NOW + 55 * MINUTE, charges: sent(5) });

  it('is made where others share a window that does not report its next slot', () => {
    expect(slot(shared)).toBe('attempt');
    const first = { ...shared, meaning: null, resetAt: NOW + 55 * MINUTE };
    expect(slot(first)).toBe('attempt');
    // The limiter's clock may differ from the reported one by up to a minute.
    const late = first.resetAt - MINUTE;
    expect(slot({ ...first, resetAt: late })).toBe('attempt');
    expect(slot({ ...first, resetAt: late - 1 })).toBe(54 * MINUTE - 1 + MARGIN_MS);
  });

  it('is made for a window that can just be distinguished from a bucket', () => {
    expect(isNearlyWindow(HOUR - 22_500, { limit: 40, windowMs: HOUR })).toBe(true);
    expect(isNearlyWindow(HOUR - 22_501, { limit: 40, windowMs: HOUR })).toBe(false);
    // The tolerance is at least 4 s, for times in whole seconds.
    expect(isNearlyWindow(56_000, { limit: 60, windowMs: MINUTE })).toBe(true);
    expect(isNearlyWindow(55_999, { limit: 60, windowMs: MINUTE })).toBe(false);
  });

  it.each<[string, Partial<RateWindowState>, number]>([
    ['the reset is the next slot', { meaning: 'slot' }, 55 * MINUTE + MARGIN_MS],
    ['all charges in the window are ours', { charges: ten(14) }, 46 * MINUTE + MARGIN_MS],
    ['an attempt was already made', { attempted: true }, 55 * MINUTE + MARGIN_MS],
    ['it was refused', { notBefore: NOW + 5 * MINUTE }, 5 * MINUTE],
    ['the slot is a minute away', { resetAt: NOW + MINUTE - MARGIN_MS }, MINUTE],
    [
      'a penalty applies',
      { penalisedUntil: NOW + HOUR, charges: ten(50) },
      10 * MINUTE + MARGIN_MS,
    ],
  ])('is not made when %s', (_, change, ms) => {
    expect(slot({ ...shared, ...change })).toBe(ms);
  });

  it('is made when the wait may be over by the service’s clock, and no answer is pending', () => {
    const waiting = usedUp(30, {
      notBefore: NOW + 2 * MINUTE,
      refusedSeq: 99,
      charges: sent(30, 1),
    });
    expect(slot(waiting, 2 * MINUTE)).toBe('attempt');
    expect(slot(waiting, 2 * MINUTE - 1)).toBe(2 * MINUTE);
    expect(slot({ ...waiting, charges: open(sent(30, 1)) }, 2 * MINUTE)).toBe(2 * MINUTE);
  });
});

describe('when none remain', () => {
  it('the next request waits for a reset that is the next slot', () => {
    const meaning = 'slot' as const;
    expect(slot(usedUp(5, { meaning, resetAt: NOW + MINUTE }))).toBe(MINUTE + MARGIN_MS);
  });

  it('it waits for our oldest request to leave the window, if no reset is reported', () => {
    const resetAt = null;
    expect(slot(usedUp(5, { resetAt, charges: sent(50, 20) }))).toBe(10 * MINUTE + MARGIN_MS);
    // Requests outside the window at that time do not count, nor do more than the limit.
    expect(slot(usedUp(5, { resetAt, charges: sent(65, 20) }))).toBe(40 * MINUTE + MARGIN_MS);
    expect(slot(usedUp(5, { resetAt, charges: sent(70, 68) }))).toBe(55 * MINUTE + MARGIN_MS);
    const twelve = sent(50, 49, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21);
    expect(slot(usedUp(5, { resetAt, charges: twelve }))).toBe(30 * MINUTE + MARGIN_MS);
  });

  it('it waits for the earlier of both where the reset is the empty window', () => {
    const empty = { meaning: 'empty' as const, attempted: true };
    const charges = sent(50, 20);
    const until = (minutes: number) => ({ ...empty, charges, resetAt: NOW + minutes * MINUTE });
    expect(slot(usedUp(5, until(40)))).toBe(10 * MINUTE + MARGIN_MS);
    expect(slot(usedUp(5, until(9)))).toBe(9 * MINUTE + MARGIN_MS);
  });

  it('it waits for the token that a bucket reports, and one more for each request without an answer', () => {
    const bucket = { namesToken: true, resetAt: NOW + MINUTE, heardAt: NOW - 5 * MINUTE };
    expect(slot({ ...bucket, remaining: 0, heardSeq: 99 })).toBe(MINUTE + MARGIN_MS);
    const lost = { ...bucket, heardSeq: 0, charges: sent(5, 1) };
    expect(slot({ ...lost, remaining: 0 })).toBe(MINUTE + TOKEN + MARGIN_MS);
    expect(slot({ ...lost, remaining: 1 })).toBe(MINUTE + MARGIN_MS);
    // With so many, some may be forgotten: the log decides.
    expect(slot({ ...bucket, remaining: 0, heardSeq: -1, charges: ten(10) })).toBe(
      50 * MINUTE + MARGIN_MS,
    );
    expect(slot({ ...bucket, ...usedUp(5), resetAt: null, charges: sent(20) })).toBe(
      40 * MINUTE + MARGIN_MS,
    );
  });
});

describe('where the limit resets as a whole', () => {
  const whole = (change: Partial<RateWindowState>) =>
    slot({
      remaining: 0,
      heardAt: NOW - 55 * MINUTE,
      heardSeq: 8,
      meaning: 'slot',
      wholeReset: true,
      resetAt: NOW + 5 * MINUTE,
      charges: ten(40),
      ...change,
    });

  it('a request without an answer from before the reset does not matter after it', () => {
    expect(whole({})).toBe(5 * MINUTE + MARGIN_MS);
    expect(whole({ wholeReset: false })).toBe(20 * MINUTE + MARGIN_MS);
  });

  it('requests without an answer since the reset may have used it up again, if they reach the limit', () => {
    const charges = ten(9);
    const since = (heardSeq: number, minutes: number) =>
      whole({ heardSeq, charges, resetAt: NOW - minutes * MINUTE });
    // The first of the ten was sent exactly at the reset.
    expect(since(-1, 9)).toBe(51 * MINUTE + MARGIN_MS);
    expect(since(-1, 8.5)).toBe(0);
    expect(since(0, 9)).toBe(0);
  });

  it('a reset with another meaning does not show it', () => {
    const meaning = 'empty' as const;
    expect(whole({ meaning, attempted: true })).toBe(20 * MINUTE + MARGIN_MS);
    expect(whole({ resetAt: null })).toBe(20 * MINUTE + MARGIN_MS);
  });
});

describe('while nothing is known', () => {
  it('requests are sent up to the limit, and then as the log allows', () => {
    expect(slot({ charges: sent(3, 2, 1) })).toBe(0);
    expect(slot({ charges: ten(30) })).toBe(30 * MINUTE + MARGIN_MS);
  });

  it('a request counts until a whole window after it has passed', () => {
    const state = { ...freshRateWindow(HOURLY), charges: sent(60, 59) };
    expect(chargesSince(state, NOW - HOUR).map(({ seq }) => seq)).toEqual([1]);
    expect(chargesSince(state, NOW - HOUR - 1)).toHaveLength(2);
  });
});
