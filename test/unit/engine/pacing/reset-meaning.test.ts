import { describe, expect, it } from 'vitest';
import {
  freshRateWindow,
  type RateWindowState,
} from '../../../../src/engine/pacing/rate-window-state.ts';
import {
  hasFixedWindows,
  learnMeaning,
  namesNextToken,
  showsWholeReset,
  type Reading,
} from '../../../../src/engine/pacing/reset-meaning.ts';

const NOW = Date.UTC(2026, 4, 4, 9, 17);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Ten an hour: a bucket has a token every six minutes. */
const HOURLY = { limit: 10, windowMs: HOUR };
const TOKEN = 6 * MINUTE;

/** Requests so many minutes ago, oldest first; those in `unsure` may not have counted. */
function sent(minutesAgo: readonly number[], unsure: readonly number[] = []) {
  return minutesAgo.map((minutes, seq) => ({
    seq,
    at: NOW - minutes * MINUTE,
    open: false,
    attempt: false,
    unsure: unsure.includes(minutes),
  }));
}

/** One request a minute, the last one so many minutes ago. */
const each = (count: number, lastAgo: number) =>
  sent(Array.from({ length: count }, (_, n) => lastAgo + count - 1 - n));

const stateOf = (change: Partial<RateWindowState>): RateWindowState => ({
  ...freshRateWindow(HOURLY),
  ...change,
});

/** An answer of now: so many requests remain, and the reset is so far away. */
const reading = (remaining: number, aheadMs: number, isRounded = false): Reading => ({
  remaining,
  resetAt: NOW + aheadMs,
  at: NOW,
  isRounded,
});

describe('what a reset means', () => {
  /** A reset that was reported a minute ago, at this distance from now. */
  const reported = (aheadMs: number, change: Partial<RateWindowState> = {}): RateWindowState =>
    stateOf({ resetAt: NOW + aheadMs, heardAt: NOW - MINUTE, ...change });
  const learn = (state: RateWindowState, read: Reading) => learnMeaning(state, HOURLY, read);

  it('is not known from one answer about a window that only we use', () => {
    expect(learn(stateOf({}), reading(9, 20 * MINUTE))).toBeNull();
    expect(learn(stateOf({ charges: sent([0]) }), reading(9, HOUR))).toBeNull();
  });

  it('is no longer the full bucket once it is later than the missing tokens take', () => {
    const full = reported(10 * MINUTE, { meaning: 'full' });
    expect(learn(full, reading(8, 11 * MINUTE))).toBe('full');
    expect(learn(full, reading(8, HOUR - 7 * SECOND))).toBeNull();
    expect(learn(full, reading(8, HOUR))).toBe('empty');
  });

  it('is the next slot if it does not move', () => {
    expect(learn(reported(20 * MINUTE), reading(5, 20 * MINUTE))).toBe('slot');
    // It may move up to 1.5 s later, or any time earlier.
    expect(learn(reported(20 * MINUTE), reading(5, 20 * MINUTE + 1499))).toBe('slot');
    expect(learn(reported(20 * MINUTE), reading(5, 10 * MINUTE))).toBe('slot');
    expect(learn(reported(20 * MINUTE), reading(8, 20 * MINUTE + 1500))).toBeNull();
  });

  it('is not learned from two answers within three seconds', () => {
    const state = (heardAt: number) => reported(20 * MINUTE, { heardAt });
    expect(learn(state(NOW - 2999), reading(5, 20 * MINUTE))).toBeNull();
    expect(learn(state(NOW - 3000), reading(5, 20 * MINUTE))).toBe('slot');
  });

  it('is not learned after the previous reset was due', () => {
    expect(learn(reported(2000), reading(5, 2000))).toBeNull();
    expect(learn(reported(2001), reading(5, 2001))).toBe('slot');
    const charges = sent([0]);
    expect(learn(reported(2000, { charges }), reading(9, HOUR))).toBeNull();
    expect(learn(reported(2001, { charges }), reading(9, HOUR))).toBe('empty');
  });

  it('is the empty window if each request moves it a window away', () => {
    expect(learn(reported(59 * MINUTE), reading(5, HOUR))).toBe('empty');
    expect(learn(reported(59 * MINUTE, { meaning: 'slot' }), reading(5, HOUR))).toBe('empty');
    expect(learn(reported(59 * MINUTE, { meaning: 'full' }), reading(5, HOUR))).toBe('empty');
    // Dates in whole seconds: two seconds less than a window is a window.
    expect(learn(reported(59 * MINUTE), reading(5, HOUR - 2000))).toBe('empty');
    expect(learn(reported(59 * MINUTE), reading(5, HOUR - 2001))).toBeNull();
  });

  it('is the full bucket if it is as far away as the missing tokens take', () => {
    expect(learn(reported(4 * TOKEN), reading(5, 5 * TOKEN))).toBe('full');
    expect(learn(reported(4 * TOKEN), reading(5, 5 * TOKEN + 2000))).toBe('full');
    expect(learn(reported(4 * TOKEN), reading(5, 5 * TOKEN + 2001))).toBeNull();
    expect(learn(reported(4 * TOKEN, { meaning: 'slot' }), reading(5, 5 * TOKEN))).toBe('full');
  });

  it('is that of a bucket or a window if none remain, by the known meaning', () => {
    expect(learn(reported(59 * MINUTE), reading(0, HOUR))).toBe('empty');
    expect(learn(reported(59 * MINUTE, { meaning: 'full' }), reading(0, HOUR))).toBe('full');
    // The limiter's clock may differ from the reported one by up to a minute.
    expect(learn(reported(59 * MINUTE), reading(0, HOUR - 7 * SECOND))).toBeNull();
    expect(learn(reported(50 * MINUTE), reading(0, HOUR - MINUTE))).toBeNull();
    expect(learn(reported(50 * MINUTE), reading(0, HOUR - MINUTE - 1))).toBe('full');
    const full = reported(59 * MINUTE, { meaning: 'full' });
    expect(learn(full, reading(0, HOUR - 7 * SECOND))).toBe('full');
  });

  it('counts as unmoved if it moves by less than 1.5 s', () => {
    expect(learn(reported(HOUR - 1499), reading(5, HOUR))).toBe('slot');
    expect(learn(reported(HOUR - 1500, { meaning: 'slot' }), reading(5, HOUR))).toBe('empty');
  });

  it('has two seconds more tolerance if it is reported in whole seconds from now', () => {
    const rounded = (remaining: number, aheadMs: number) => reading(remaining, aheadMs, true);
    expect(learn(reported(HOUR - 3499), rounded(5, HOUR))).toBe('slot');
    expect(learn(reported(HOUR - 3500), rounded(5, HOUR))).toBe('empty');
    expect(learn(reported(59 * MINUTE), rounded(5, HOUR - 4000))).toBe('empty');
    expect(learn(reported(59 * MINUTE), rounded(5, HOUR - 4001))).toBeNull();
    expect(learn(reported(4000), rounded(5, 4000))).toBeNull();
    expect(learn(reported(4001), rounded(5, 4001))).toBe('slot');
    const state = (heardAt: number) => reported(20 * MINUTE, { heardAt });
    expect(learn(state(NOW - 6999), rounded(5, 20 * MINUTE))).toBeNull();
    expect(learn(state(NOW - 7000), rounded(5, 20 * MINUTE))).toBe('slot');
  });

  it('is learned from two answers, and not from a reset without the time of its answer', () => {
    expect(learn(reported(20 * MINUTE, { heardAt: null }), reading(5, 20 * MINUTE))).toBeNull();
    expect(learn(stateOf({ heardAt: NOW - MINUTE }), reading(5, 20 * MINUTE))).toBeNull();
  });

  describe('of a first answer', () => {
    it('is the empty window if others have earlier charges', () => {
      // Two are counted, and only one of them is ours.
      expect(learn(stateOf({ charges: sent([0]) }), reading(8, HOUR))).toBe('empty');
      expect(learn(stateOf({ charges: sent([0, 0]) }), reading(8, HOUR))).toBeNull();
      expect(learn(stateOf({ charges: sent([1, 0]) }), reading(8, HOUR))).toBe('empty');
    });

    it('treats requests of the last three seconds as sent now', () => {
      const state = (secondsAgo: number) => stateOf({ charges: sent([secondsAgo / 60, 0]) });
      expect(learn(state(2.9), reading(8, HOUR))).toBeNull();
      expect(learn(state(3), reading(8, HOUR))).toBe('empty');
    });

    it('is unknown where a bucket would report the same', () => {
      expect(learn(stateOf({ charges: sent([0]) }), reading(0, HOUR))).toBeNull();
      expect(learn(stateOf({ charges: sent([0]) }), reading(8, 2 * TOKEN))).toBeNull();
    });

    it('keeps a known meaning', () => {
      const known = stateOf({ charges: sent([0]), meaning: 'slot' });
      expect(learn(known, reading(8, HOUR))).toBe('slot');
    });
  });
});

describe('a window that resets as a whole', () => {
  const shows = (state: RateWindowState, read: Reading) => showsWholeReset(state, HOURLY, read);

  it('is detected when one request counts although a sliding window would hold more', () => {
    expect(shows(stateOf({ charges: sent([20, 0]) }), reading(9, HOUR))).toBe(true);
    expect(shows(stateOf({ charges: sent([0]) }), reading(9, HOUR))).toBe(false);
    expect(shows(stateOf({ charges: sent([20, 0]) }), reading(8, HOUR))).toBe(false);
  });

  it('is not detected by a reset as near as a bucket’s next token', () => {
    const state = stateOf({ charges: sent([20, 0]) });
    expect(shows(state, reading(9, TOKEN + 2000))).toBe(false);
    expect(shows(state, reading(9, TOKEN + 2001))).toBe(true);
    expect(shows(state, reading(9, TOKEN + 4000, true))).toBe(false);
    expect(shows(state, reading(9, TOKEN + 4001, true))).toBe(true);
  });

  it('is not detected by requests that may have left the window, or may not have counted', () => {
    // A sixth of a window is the tolerance for inexact times.
    expect(shows(stateOf({ charges: sent([50, 0]) }), reading(9, HOUR))).toBe(false);
    expect(shows(stateOf({ charges: sent([49.9, 0]) }), reading(9, HOUR))).toBe(true);
    expect(shows(stateOf({ charges: sent([20, 0], [20]) }), reading(9, HOUR))).toBe(false);
  });
});

describe('fixed windows', () => {
  const fixed = (state: RateWindowState, read: Reading) => hasFixedWindows(state, HOURLY, read);

  it('are detected by one that ends too early to have begun with a request', () => {
    // Three count, and our oldest was sent ten minutes ago: an anchored window lasts 50 minutes more.
    const state = stateOf({ charges: sent([30, 10, 5, 0]) });
    expect(fixed(state, reading(7, 48 * MINUTE))).toBe(true);
    // A minute is the tolerance for inexact times.
    expect(fixed(state, reading(7, 49 * MINUTE - 1))).toBe(true);
    expect(fixed(state, reading(7, 49 * MINUTE))).toBe(false);
    expect(fixed(state, reading(7, 50 * MINUTE))).toBe(false);
    // Four count: the oldest of them was half an hour ago.
    expect(fixed(state, reading(6, 48 * MINUTE))).toBe(false);
    // Requests of others count as well, at unknown times.
    expect(fixed(state, reading(5, 20 * MINUTE))).toBe(false);
  });

  it('are not detected by requests that may not have counted', () => {
    const state = stateOf({ charges: sent([30, 10, 5, 0], [10]) });
    expect(fixed(state, reading(7, 48 * MINUTE))).toBe(false);
    expect(fixed(state, reading(7, 28 * MINUTE))).toBe(true);
  });

  it('are detected by a new one less than a window after the whole limit was used', () => {
    const full = stateOf({ charges: [...each(10, 20), ...sent([0])] });
    expect(fixed(full, reading(9, HOUR))).toBe(true);
    expect(fixed(stateOf({ charges: each(10, 0) }), reading(9, HOUR))).toBe(false);
    // Two count already: it did not begin now.
    expect(fixed(full, reading(8, HOUR))).toBe(false);
    // The oldest may have left a sliding window.
    const older = stateOf({ charges: [...each(10, 41), ...sent([0])] });
    expect(fixed(older, reading(9, HOUR))).toBe(false);
    expect(fixed(stateOf({ charges: [...each(10, 40.9), ...sent([0])] }), reading(9, HOUR))).toBe(
      true,
    );
  });

  it('are detected by a reset exactly whole windows after the last one', () => {
    const state = stateOf({ charges: sent([0]), resetAt: NOW - 15 * MINUTE });
    expect(fixed(state, reading(5, 45 * MINUTE))).toBe(true);
    expect(fixed(state, reading(5, 45 * MINUTE + 1))).toBe(false);
    expect(fixed({ ...state, resetAt: NOW - 135 * MINUTE }, reading(5, 45 * MINUTE))).toBe(true);
    expect(fixed(state, reading(5, 45 * MINUTE, true))).toBe(false);
    expect(fixed({ ...state, meaning: 'full' }, reading(5, 45 * MINUTE))).toBe(false);
    expect(fixed({ ...state, resetAt: null }, reading(5, 45 * MINUTE))).toBe(false);
    // The same reset, and an earlier one.
    expect(fixed({ ...state, resetAt: NOW + 45 * MINUTE }, reading(5, 45 * MINUTE))).toBe(false);
    expect(fixed({ ...state, resetAt: NOW + 105 * MINUTE }, reading(5, 45 * MINUTE))).toBe(false);
  });

  it('are detected by a new one that ends before a bucket would have its next token', () => {
    const state = stateOf({ charges: sent([0]) });
    expect(fixed(state, reading(9, 5 * MINUTE - 1))).toBe(true);
    expect(fixed(state, reading(9, 5 * MINUTE))).toBe(false);
    expect(fixed(state, reading(8, 4 * MINUTE))).toBe(false);
    expect(fixed(stateOf({ charges: sent([30, 10, 5, 0]) }), reading(7, TOKEN + 2000))).toBe(false);
    expect(fixed(stateOf({ charges: sent([30, 10, 5, 0]) }), reading(7, TOKEN + 2001))).toBe(true);
  });

  describe('once known', () => {
    const known = stateOf({ isFixed: true, resetAt: NOW + 20 * MINUTE, charges: sent([0]) });

    it('stay known while resets are whole windows apart, to two seconds', () => {
      for (const late of [-HOUR, 0, HOUR, 5 * HOUR])
        for (const [off, expected] of [
          [0, true],
          [2000, true],
          [-2000, true],
          [2001, false],
          [-2001, false],
        ] as const)
          expect(fixed(known, reading(5, 20 * MINUTE + late + off)), `${late} ${off}`).toBe(
            // A reset of less than a token from now proves nothing else.
            expected,
          );
    });

    it('stay known to four seconds if the reset is reported in whole seconds', () => {
      expect(fixed(known, reading(5, 20 * MINUTE + 4000, true))).toBe(true);
      expect(fixed(known, reading(5, 20 * MINUTE + 4001, true))).toBe(false);
    });

    it('are no longer known for windows so short that half of all times would match', () => {
      const ofSeconds = (seconds: number) => ({ limit: 10, windowMs: seconds * SECOND });
      const onTime = reading(5, 20 * MINUTE);
      const inSeconds = reading(5, 20 * MINUTE, true);
      expect(hasFixedWindows(known, ofSeconds(10), onTime)).toBe(true);
      expect(hasFixedWindows(known, ofSeconds(8), onTime)).toBe(false);
      expect(hasFixedWindows(known, ofSeconds(20), inSeconds)).toBe(true);
      expect(hasFixedWindows(known, ofSeconds(16), inSeconds)).toBe(false);
      // Nor does a reset in whole seconds show them: it is whole windows later by chance.
      const before = { ...known, isFixed: false, resetAt: NOW - 3 * SECOND };
      expect(hasFixedWindows(before, ofSeconds(1), reading(5, 4 * SECOND))).toBe(false);
    });

    it('are not known without a reset', () => {
      const onTheHour = { ...reading(5, 0), resetAt: NOW + 43 * MINUTE };
      expect(fixed({ ...known, resetAt: null }, onTheHour)).toBe(false);
      expect(fixed({ ...known, isFixed: false }, reading(5, 20 * MINUTE))).toBe(false);
    });
  });
});

describe('a bucket that reports its next token', () => {
  const names = (state: RateWindowState, read: Reading) => namesNextToken(state, HOURLY, read);

  it('is detected by a first request whose reset is a token away', () => {
    const first = stateOf({ charges: sent([0]) });
    for (const [off, expected] of [
      [0, true],
      [2000, true],
      [-2000, true],
      [-2001, false],
      [2001, false],
    ] as const)
      expect(names(first, reading(9, TOKEN + off)), `${off}`).toBe(expected);
    expect(names(first, reading(9, TOKEN - 4000, true))).toBe(true);
    expect(names(first, reading(9, TOKEN - 4001, true))).toBe(false);
    expect(names(first, reading(8, TOKEN))).toBe(false);
  });

  it('is not detected by that where the reset is also one of known fixed windows', () => {
    const fixed = stateOf({ isFixed: true, resetAt: NOW + TOKEN - 71 * HOUR });
    expect(namesNextToken(fixed, HOURLY, reading(9, TOKEN))).toBe(false);
    expect(namesNextToken(fixed, HOURLY, reading(9, TOKEN - 1.5 * SECOND))).toBe(false);
    const other = stateOf({ isFixed: true, resetAt: NOW + TOKEN - 71 * HOUR - 10 * SECOND });
    expect(namesNextToken(other, HOURLY, reading(9, TOKEN))).toBe(true);
    expect(namesNextToken({ ...fixed, namesToken: true }, HOURLY, reading(9, TOKEN))).toBe(true);
  });

  it('is not detected by that where a token takes no longer than the tolerance', () => {
    const learned = (windowMs: number) => {
      const window = { limit: 10, windowMs };
      return namesNextToken(freshRateWindow(window), window, reading(9, windowMs / 10));
    };
    expect(learned(40_000)).toBe(false);
    expect(learned(40_010)).toBe(true);
  });

  it('is detected by a reset that moved by less than a window, too early for a sliding one', () => {
    const state = (movedMs: number, charges = sent([30, 20, 10, 0])) =>
      stateOf({ charges, resetAt: NOW + 3 * MINUTE - movedMs });
    expect(names(state(TOKEN), reading(7, 3 * MINUTE))).toBe(true);
    expect(names(state(2000), reading(7, 3 * MINUTE))).toBe(false);
    expect(names(state(2001), reading(7, 3 * MINUTE))).toBe(true);
    expect(names(state(HOUR - 2000), reading(7, 3 * MINUTE))).toBe(false);
    expect(names(state(HOUR - 2001), reading(7, 3 * MINUTE))).toBe(true);
    expect(names(state(-TOKEN), reading(7, 3 * MINUTE))).toBe(false);
    // A sliding window would release the oldest then.
    expect(names(state(TOKEN, sent([58, 20, 10, 0])), reading(6, 3 * MINUTE))).toBe(false);
    expect(names(stateOf({ charges: sent([30, 20, 10, 0]) }), reading(7, 3 * MINUTE))).toBe(false);
  });

  it('stays known while resets are as near as a token', () => {
    const known = stateOf({ namesToken: true, charges: sent([0]) });
    expect(names(known, reading(5, TOKEN + 2000))).toBe(true);
    expect(names(known, reading(5, TOKEN + 2001))).toBe(false);
    expect(names(known, reading(5, 1))).toBe(true);
  });
});
