import { describe, expect, it } from 'vitest';
import { DOCUMENTED_LIMITS, RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import { PacedClient } from '../../../rigs/paced-client.ts';
import { RATE_SERVER_KINDS, rateServer } from '../../../rigs/rate-servers.ts';
import type { RateServer, RateServerKind } from '../../../rigs/rate-servers.ts';

const NOW = Date.UTC(2026, 4, 4, 9, 17);
const HOUR = 3_600_000;
const TRIP = 400;

function clientOn(kind: RateServerKind, phase = 0.3): PacedClient {
  return clientOf(rateServer(kind, 10, HOUR, phase));
}

function clientOf(server: RateServer): PacedClient {
  return new PacedClient({
    limit: DOCUMENTED_LIMITS.generate,
    server,
    format: 'millis',
    skewMs: 240_000,
    latency: () => ({ thereMs: TRIP / 2, backMs: TRIP / 2 }),
    startAt: NOW,
  });
}

/** Forecast minus fact for each of the next sends, in milliseconds. */
function errors(kind: RateServerKind, warmUp: number, ahead: number): number[] {
  const client = clientOn(kind);
  for (let n = 0; n < warmUp; n++) client.sendOne();
  return errorsOf(client, ahead);
}

function errorsOf(client: PacedClient, ahead: number): number[] {
  const forecast = client.window.forecast(client.local, TRIP);
  const expected = Array.from({ length: ahead }, () => forecast.next());
  return expected.map((at) => {
    const arrivedAt = client.sendOne().arrivedAt;
    return at - (arrivedAt - TRIP / 2 - client.skewMs);
  });
}

describe('a forecast of sends', () => {
  it.each(RATE_SERVER_KINDS)('comes true on a %s service that has been met', (kind) => {
    for (const warmUp of [25, 27, 31]) {
      for (const [n, error] of errors(kind, warmUp, 30).entries()) {
        const drift = 5000 * (1 + Math.floor(n / 10));
        expect(error, `send ${n} after ${warmUp}`).toBeGreaterThan(-drift);
        expect(error, `send ${n} after ${warmUp}`).toBeLessThan(drift);
      }
    }
  });

  it.each(RATE_SERVER_KINDS)('is never too early on a %s service that is new', (kind) => {
    for (const warmUp of [0, 1, 4, 10]) {
      for (const error of errors(kind, warmUp, 30)) expect(error).toBeGreaterThan(-20_000);
    }
  });

  it.each(RATE_SERVER_KINDS)('comes true on a %s service after a quiet day', (kind) => {
    const client = clientOn(kind);
    for (let n = 0; n < 27; n++) client.sendOne();
    client.at += 26.1 * HOUR;
    for (const [n, error] of errorsOf(client, 30).entries()) {
      expect(Math.abs(error), `send ${n}`).toBeLessThan(15_000);
    }
  });

  it.each([
    ['fixed', 0.6],
    // Its window ends within the minute.
    ['fixed', 0.3],
    ['bucket-next', 0],
  ] as const)(
    'comes true on a %s service (phase %d) of which one window was used, after a rest',
    (kind, phase) => {
      const client = clientOn(kind, phase);
      for (let n = 0; n < 10; n++) client.sendOne();
      client.at += 1.7 * HOUR;
      for (const [n, error] of errorsOf(client, 25).entries()) {
        expect(Math.abs(error), `send ${n}`).toBeLessThan(15_000);
      }
    },
  );

  it('knows windows at fixed moments from the second that it sees, also where others used the first', () => {
    const server = rateServer('fixed', 10, HOUR, 0.6);
    for (let n = 0; n < 3; n++) server.ask(NOW - 60_000);
    const client = clientOf(server);
    for (let n = 0; n < 10; n++) client.sendOne();
    client.at += 1.7 * HOUR;
    for (const [n, error] of errorsOf(client, 25).entries()) {
      expect(Math.abs(error), `send ${n}`).toBeLessThan(15_000);
    }
  });

  it('does not take a bucket whose limiter is late for a window at fixed moments', () => {
    const late = 20_000;
    const bucket = rateServer('bucket-next', 10, HOUR);
    const client = clientOf({
      ask: (at) => bucket.ask(at - late),
      opensAt: (at) => bucket.opensAt(at - late) + late,
    });
    client.sendOne();
    expect(client.window.state.isFixed).toBe(false);
  });

  it('does not take a bucket that was full again for a window that gives all back', () => {
    const client = clientOn('bucket-next');
    for (let n = 0; n < 3; n++) client.sendOne();
    client.at += 0.5 * HOUR;
    client.sendOne();
    for (const error of errorsOf(client, 16)) expect(Math.abs(error)).toBeLessThan(15_000);
  });

  it('takes a clock that went ahead of the timers for a computer that slept', () => {
    const client = clientOn('anchored');
    for (let n = 0; n < 26; n++) client.sendOne();
    client.at += 700 * HOUR;
    client.window.clockDiverged(700 * HOUR);
    expect(client.window.view(client.local).resetAt).toBeLessThan(client.local);
    for (const error of errorsOf(client, 12)) expect(Math.abs(error)).toBeLessThan(5000);
  });

  it('begins an anchored window with the first request of a later month', () => {
    const client = clientOn('anchored');
    client.sendOne();
    client.at += 0.9 * HOUR;
    for (let n = 0; n < 13; n++) client.sendOne();
    expect(client.window.state).toMatchObject({ wholeReset: true, isFixed: false });
    const forecast = client.window.forecast(client.local, TRIP);
    const from = client.local + 5.5 * HOUR;
    const expected = Array.from({ length: 12 }, () => forecast.next(from));
    expect(expected[9]).toBe(from + 9 * TRIP);
    expect(expected[10]! - from - HOUR).toBeLessThan(5000);
    expect(expected[10]! - from - HOUR).toBeGreaterThanOrEqual(0);
  });

  it('gives a whole window back at once where the service was seen to do so', () => {
    const client = clientOn('fixed');
    for (let n = 0; n < 10; n++) {
      client.sendOne();
      client.at += n === 0 ? 5 * 60_000 : 60_000;
    }
    while (client.window.wait(client.local) === 0) client.sendOne();
    for (let n = 0; n < 4; n++) client.sendOne();
    client.at += 20 * 60_000;
    for (let n = 0; n < 6; n++) client.sendOne();
    // A sliding window would hold the last six for twenty minutes longer.
    const forecast = client.window.forecast(client.local, TRIP);
    const expected = Array.from({ length: 10 }, () => forecast.next());
    expect(expected[9]! - expected[0]!).toBe(9 * TRIP);
    for (const at of expected) {
      const arrivedAt = client.sendOne().arrivedAt - TRIP / 2 - client.skewMs;
      expect(Math.abs(at - arrivedAt)).toBeLessThan(5000);
    }
  });

  it('begins with the very wait that the window asks for', () => {
    const client = clientOn('anchored');
    for (let n = 0; n < 10; n++) client.sendOne();
    const first = client.window.forecast(client.local, TRIP).next();
    expect(first).toBe(client.local + client.window.wait(client.local));
  });

  it('does not spend slots before the moment asked for', () => {
    const forecast = new RateWindow(DOCUMENTED_LIMITS.download).forecast(NOW, 0);
    expect(forecast.next(NOW + HOUR)).toBe(NOW + HOUR);
    expect(forecast.next(NOW)).toBe(NOW + HOUR);
  });

  it('changes nothing about the window', () => {
    const client = clientOn('fixed');
    client.sendOne();
    const before = client.window.state;
    client.window.forecast(client.local, TRIP).next();
    expect(client.window.state).toBe(before);
  });
});
