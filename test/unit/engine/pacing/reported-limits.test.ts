import { describe, expect, it } from 'vitest';
import {
  credibleReset,
  NO_RATE_HEADERS,
  reportedLimit,
  type RateHeaders,
} from '../../../../src/engine/pacing/rate-headers.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const HOUR = 3_600_000;
const HOURLY = { limit: 10, windowMs: HOUR };

describe('a reset that a response reports', () => {
  const reset = (headers: Partial<RateHeaders>, isClockKnown = true) =>
    credibleReset({ ...NO_RATE_HEADERS, ...headers }, HOURLY, NOW, isClockKnown);

  it('is accepted up to a minute beyond the length of the window', () => {
    const last = HOUR + 60_000;
    expect(reset({ resetAt: NOW + last })).toBe(NOW + last);
    expect(reset({ resetAt: NOW + last + 1 })).toBeNull();
    expect(reset({ resetAfterMs: last })).toBe(NOW + last);
    expect(reset({ resetAfterMs: last + 1 })).toBeNull();
  });

  it('is the absolute time if both are reported, unless the service’s clock is unknown', () => {
    const both = { resetAt: NOW + 1000, resetAfterMs: 5000 };
    expect(reset(both)).toBe(NOW + 1000);
    expect(reset(both, false)).toBe(NOW + 5000);
    expect(reset({ resetAt: NOW + 1000 }, false)).toBeNull();
    expect(reset({ resetAfterMs: 0 }, false)).toBe(NOW);
  });

  it('is missing if none is reported', () => {
    expect(reset({})).toBeNull();
  });
});

describe('the limit that a response shows', () => {
  const shown = (headers: Partial<RateHeaders>) =>
    reportedLimit({ ...NO_RATE_HEADERS, ...headers }, HOURLY);

  it('is at least what remains, plus the counted request', () => {
    expect(shown({ remaining: 49 })).toBe(50);
    expect(shown({ remaining: 0 })).toBe(1);
  });

  it('is that of the policy for this window, and of no other', () => {
    expect(shown({ remaining: 3, policy: { limit: 50, windowMs: HOUR } })).toBe(50);
    expect(shown({ remaining: 60, policy: { limit: 50, windowMs: HOUR } })).toBe(61);
    expect(shown({ remaining: 3, policy: { limit: 50, windowMs: 24 * HOUR } })).toBe(4);
    expect(shown({ policy: { limit: 50, windowMs: HOUR } })).toBe(50);
  });
});
