import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RateLimit } from '../../../src/local-service/accounts/account.ts';
import {
  consume,
  rateLimitStatusAt,
  type WindowState,
  type WindowType,
} from '../../../src/local-service/accounts/rate-window.ts';

const limit: RateLimit = { requests: 3, windowSeconds: 60 };
const START = Date.UTC(2026, 0, 1, 12, 0, 0, 400);

/** Makes a request at each moment; returns the outcome and the limit status after each. */
function simulate(type: WindowType, moments: readonly number[], limits: RateLimit = limit) {
  let state: WindowState | undefined;
  return moments.map((at) => {
    const result = consume(type, state, limits, START + at);
    state = result.state;
    return {
      at: START + at,
      accepted: result.kind === 'accepted',
      remaining: result.status.remaining,
      resetAt: result.status.resetAt,
    };
  });
}

describe.each(['fixed', 'sliding'] as const)('a %s window', (type) => {
  test('accepts the limit and refuses the next', () => {
    const results = simulate(type, [0, 1, 2, 3]);
    expect(results.map((it) => it.accepted)).toEqual([true, true, true, false]);
    expect(results.map((it) => it.remaining)).toEqual([2, 1, 0, 0]);
  });

  test('accepts exactly at the reset that a refusal reports, and not a second earlier', () => {
    const before = [0, 10_000, 20_000];
    const [refused] = simulate(type, [...before, 30_000]).slice(-1);
    const reset = refused!.resetAt - START;
    expect(refused!.resetAt % 1000).toBe(0);
    expect(simulate(type, [...before, reset]).at(-1)!.accepted).toBe(true);
    expect(simulate(type, [...before, reset - 1000]).at(-1)!.accepted).toBe(false);
  });

  test('charges nothing for a refusal', () => {
    const results = simulate(type, [
      0,
      1,
      2,
      ...Array.from({ length: 50 }, (_, i) => 3 + i),
      61_000,
    ]);
    expect(results.at(-1)!.accepted).toBe(true);
  });

  test('locks no account out for longer than a window when the clock is set back', () => {
    const results = simulate(type, [
      365 * 86_400_000,
      365 * 86_400_000,
      365 * 86_400_000,
      0,
      60_000,
    ]);
    expect(results.map((it) => it.accepted)).toEqual([true, true, true, false, true]);
  });

  test('starts empty where the other window type was counted before', () => {
    const other = consume(type === 'fixed' ? 'sliding' : 'fixed', undefined, limit, START);
    expect(rateLimitStatusAt(type, other.state, limit, START).remaining).toBe(3);
  });

  test('property: reports a correct reset for any requests', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        (gaps, requests) => {
          const limits = { requests, windowSeconds: 60 };
          let now = 0;
          const moments = gaps.map((gap) => (now += gap));
          const results = simulate(type, moments, limits);
          for (const [index, it] of results.entries()) {
            expect(it.remaining).toBeGreaterThanOrEqual(0);
            expect(it.resetAt).toBeGreaterThan(it.at);
            expect(it.resetAt - it.at).toBeLessThan(61_000);
            if (it.accepted) continue;
            expect(it.remaining).toBe(0);
            const retried = simulate(
              type,
              [...moments.slice(0, index), it.resetAt - START],
              limits,
            );
            expect(retried.at(-1)!.accepted).toBe(true);
          }
          if (type === 'fixed') return;
          const accepted = results.filter((it) => it.accepted).map((it) => it.at);
          for (const [index, at] of accepted.entries()) {
            const earlier = accepted[index - requests];
            if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(60_000);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

test('a fixed window resets as a whole at its end, a sliding one request by request', () => {
  const moments = [0, 30_000, 59_000, 60_000, 60_001];
  expect(simulate('fixed', moments).map((it) => it.remaining)).toEqual([2, 1, 0, 2, 1]);
  expect(simulate('sliding', moments).map((it) => it.accepted)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('a lowered limit reports the time from which it accepts again', () => {
  const state: WindowState = { type: 'sliding', charges: [START, START + 1000, START + 2000] };
  const lowered = { requests: 1, windowSeconds: 60 };
  const { resetAt } = rateLimitStatusAt('sliding', state, lowered, START + 3000);
  expect(consume('sliding', state, lowered, resetAt).kind).toBe('accepted');
  expect(consume('sliding', state, lowered, resetAt - 1000).kind).toBe('refused');
});
