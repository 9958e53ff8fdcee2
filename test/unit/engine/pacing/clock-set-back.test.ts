import { describe, expect, it } from 'vitest';
import {
  freshRateWindow,
  happenedAhead,
  shifted,
  withoutFuture,
  type RateWindowState,
} from '../../../../src/engine/pacing/rate-window-state.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const FRESH = freshRateWindow({ limit: 10, windowMs: 3_600_000 });

function stateWith(moments: Partial<RateWindowState>, charges: readonly number[] = []) {
  const all = charges.map((at, seq) => ({ seq, at, open: false, attempt: false, unsure: false }));
  return { ...FRESH, ...moments, charges: all };
}

const momentsOf = (state: RateWindowState) => ({
  charges: state.charges.map(({ at }) => at - NOW),
  ...Object.fromEntries(
    (['heardAt', 'resetAt', 'refusedAt', 'notBefore', 'penalisedUntil'] as const).map((name) => [
      name,
      state[name] === null ? null : state[name] - NOW,
    ]),
  ),
});
const NOTHING = {
  heardAt: null,
  resetAt: null,
  refusedAt: null,
  notBefore: null,
  penalisedUntil: null,
};

describe('how far the latest event is ahead of the clock', () => {
  it.each([
    ['a request', stateWith({}, [NOW - 50, NOW + 70, NOW + 20]), 70],
    ['an answer', stateWith({ heardAt: NOW + 60 }, [NOW]), 60],
    ['a refusal', stateWith({ refusedAt: NOW + 50, heardAt: NOW - 9 }, [NOW - 10]), 50],
    ['nothing', stateWith({ heardAt: NOW, refusedAt: NOW - 1 }, [NOW]), 0],
    // A time that is waited for is no event.
    ['a reset', stateWith({ resetAt: NOW + 50, notBefore: NOW + 60, penalisedUntil: NOW + 70 }), 0],
  ])('is measured from %s', (_, state, ms) => {
    expect(happenedAhead(state, NOW)).toBe(ms);
  });
});

describe('a clock that was set back', () => {
  it('changes nothing where no event is ahead of it', () => {
    const state = stateWith({ heardAt: NOW, resetAt: NOW + 5000 }, [NOW - 5, NOW]);
    expect(withoutFuture(state, NOW)).toBe(state);
  });

  it('moves events to now, and the times that follow from them by as much', () => {
    const state = stateWith(
      {
        heardAt: NOW + 100,
        resetAt: NOW + 5100,
        refusedAt: NOW + 300,
        notBefore: NOW + 7300,
        penalisedUntil: NOW + 9300,
      },
      [NOW - 50, NOW + 200],
    );
    expect(momentsOf(withoutFuture(state, NOW))).toEqual({
      charges: [-50, 0],
      heardAt: 0,
      resetAt: 5000,
      refusedAt: 0,
      notBefore: 7000,
      penalisedUntil: 9000,
    });
  });

  it('leaves missing and past events unchanged', () => {
    expect(momentsOf(withoutFuture(stateWith({}, [NOW + 5]), NOW))).toEqual({
      charges: [0],
      ...NOTHING,
    });
    const past = { heardAt: NOW - 10, resetAt: NOW + 90, refusedAt: NOW - 20, notBefore: NOW + 80 };
    expect(momentsOf(withoutFuture(stateWith(past, [NOW + 5]), NOW))).toEqual({
      charges: [0],
      heardAt: -10,
      resetAt: 90,
      refusedAt: -20,
      notBefore: 80,
      penalisedUntil: null,
    });
  });
});

it('shifts every time when the service’s clock turns out to differ', () => {
  const moments = { heardAt: NOW, resetAt: NOW + 1, refusedAt: NOW + 2, notBefore: NOW + 3 };
  const state = stateWith({ ...moments, penalisedUntil: NOW + 4 }, [NOW - 5]);
  expect(momentsOf(shifted(state, 1000))).toEqual({
    charges: [995],
    heardAt: 1000,
    resetAt: 1001,
    refusedAt: 1002,
    notBefore: 1003,
    penalisedUntil: 1004,
  });
  expect(momentsOf(shifted(stateWith({}, [NOW]), -1000))).toEqual({ charges: [-1000], ...NOTHING });
});
