import { describe, expect, it } from 'vitest';
import {
  DOCUMENTED_LIMITS,
  RateWindow,
  rateWindowStateSchema,
} from '../../../../src/engine/pacing/rate-window.ts';
import { NO_RATE_HEADERS } from '../../../../src/engine/pacing/rate-headers.ts';
import type { RateHeaders } from '../../../../src/engine/pacing/rate-headers.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const HOUR = 3_600_000;

/** Sends one request at `at` and lets the service answer within the same 100 ms. */
function send(window: RateWindow, at: number, headers: Partial<RateHeaders>, status = 200): void {
  window.answered(window.reserve(at), {
    status,
    headers: { ...NO_RATE_HEADERS, date: Math.floor(at / 1000) * 1000, ...headers },
    sentAt: at,
    receivedAt: at + 100,
  });
}

describe('RateWindow', () => {
  it('sends at once while the service says that requests remain', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.generate);
    send(window, NOW, { remaining: 9, resetAt: NOW + HOUR });
    expect(window.wait(NOW + 100)).toBe(0);
  });

  it('waits for the reset when none remain, and then for what the answer says', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.generate);
    send(window, NOW, { remaining: 0, resetAt: NOW + 600_000 });
    const wait = window.wait(NOW + 100);
    expect(wait).toBeGreaterThan(600_000);
    expect(wait).toBeLessThan(603_000);
    window.reserve(NOW + 604_000);
    expect(window.wait(NOW + 604_000)).toBeGreaterThan(0);
  });

  it('keeps a strict sliding log when the service says nothing', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.generate);
    for (let sent = 0; sent < 10; sent++) send(window, NOW + sent * 1000, { date: null });
    expect(window.wait(NOW + 10_000)).toBe(HOUR - 10_000 + 100 + 1000);
  });

  it('waits as long as a 429 says and takes the request back', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.generate);
    send(window, NOW, { remaining: 0, retryAfterMs: 90_000, resetAt: NOW + HOUR }, 429);
    expect(window.state.charges).toHaveLength(0);
    expect(window.wait(NOW + 100)).toBeGreaterThan(90_000);
    expect(window.wait(NOW + 100)).toBeLessThan(94_000);
  });

  it('is the same window after being written down and read back', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.generate);
    send(window, NOW, { remaining: 0, resetAt: NOW + 600_000 });
    const stored: unknown = JSON.parse(JSON.stringify(window.state));
    const restored = new RateWindow(
      DOCUMENTED_LIMITS.generate,
      rateWindowStateSchema.parse(stored),
    );
    expect(restored.wait(NOW + 5000)).toBe(window.wait(NOW + 5000));
  });
});
