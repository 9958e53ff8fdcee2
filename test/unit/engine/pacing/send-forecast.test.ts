import { describe, expect, it } from 'vitest';
import {
  freshRateWindow,
  type RateWindowState,
  DOCUMENTED_LIMITS,
} from '../../../../src/engine/pacing/rate-window-state.ts';
import { SendForecast } from '../../../../src/engine/pacing/send-forecast.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import { NO_USE_BY_OTHERS } from '../../../../src/engine/pacing/use-by-others.ts';
import { PacedClient } from '../../../rigs/paced-client.ts';
import {
  RATE_SERVER_KINDS,
  rateServer,
  type RateServer,
  type RateServerKind,
} from '../../../rigs/rate-servers.ts';

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

/** Forecast minus actual time of each of the next sends, in milliseconds. */
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
  it.each(RATE_SERVER_KINDS)('is accurate on a %s service that is known', (kind) => {
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

  it.each(RATE_SERVER_KINDS)('is accurate on a %s service after a quiet day', (kind) => {
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
    'is accurate on a %s service (phase %d) after one used window and a pause',
    (kind, phase) => {
      const client = clientOn(kind, phase);
      for (let n = 0; n < 10; n++) client.sendOne();
      client.at += 1.7 * HOUR;
      for (const [n, error] of errorsOf(client, 25).entries()) {
        expect(Math.abs(error), `send ${n}`).toBeLessThan(15_000);
      }
    },
  );

  it('detects fixed windows from the second one, also where others used the first', () => {
    const server = rateServer('fixed', 10, HOUR, 0.6);
    for (let n = 0; n < 3; n++) server.ask(NOW - 60_000);
    const client = clientOf(server);
    for (let n = 0; n < 10; n++) client.sendOne();
    // The others stop.
    client.window = new RateWindow(DOCUMENTED_LIMITS.generate, {
      ...client.window.state,
      others: NO_USE_BY_OTHERS,
    });
    client.at += 1.7 * HOUR;
    for (const [n, error] of errorsOf(client, 25).entries()) {
      expect(Math.abs(error), `send ${n}`).toBeLessThan(15_000);
    }
  });

  it('does not mistake a bucket with a late limiter for a fixed window', () => {
    const late = 20_000;
    const bucket = rateServer('bucket-next', 10, HOUR);
    const client = clientOf({
      ask: (at) => bucket.ask(at - late),
      opensAt: (at) => bucket.opensAt(at - late) + late,
    });
    client.sendOne();
    expect(client.window.state.isFixed).toBe(false);
  });

  it('does not mistake a refilled bucket for a window that resets as a whole', () => {
    const client = clientOn('bucket-next');
    for (let n = 0; n < 3; n++) client.sendOne();
    client.at += 0.5 * HOUR;
    client.sendOne();
    for (const error of errorsOf(client, 16)) expect(Math.abs(error)).toBeLessThan(15_000);
  });

  it('treats a clock that is ahead of the timers as sleep', () => {
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

  it('resets a window as a whole where the service was seen to do so', () => {
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

  it('begins after exactly the wait of the window', () => {
    const client = clientOn('anchored');
    for (let n = 0; n < 10; n++) client.sendOne();
    const first = client.window.forecast(client.local, TRIP).next();
    expect(first).toBe(client.local + client.window.wait(client.local));
  });

  it('uses no slots before the requested time', () => {
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

/** Both clocks agree; requests are 0.1 s apart, with a limit of ten an hour. */
describe('a forecast of a state', () => {
  const MINUTE = 60_000;
  const GAP = 100;
  /** With the margin of 1 s after a time that is waited for. */
  const after = (ms: number): number => ms + 1000;

  const sent = (...minutesAgo: number[]) =>
    minutesAgo.map((minutes, seq) => ({
      seq,
      at: NOW - minutes * MINUTE,
      open: false,
      attempt: false,
      unsure: false,
    }));

  /** The next sends, in milliseconds from now; the first may be sent after `firstMs`. */
  function sends(change: Partial<RateWindowState>, count: number, firstMs = 0, aheadMs = 0) {
    const window = DOCUMENTED_LIMITS.generate;
    const forecast = new SendForecast({
      state: { ...freshRateWindow(window), heardSeq: 99, ...change },
      window,
      now: NOW,
      serverNow: NOW + aheadMs,
      firstAt: NOW + firstMs,
      gapMs: GAP,
      othersPerMs: 0,
    });
    return Array.from({ length: count }, () => forecast.next() - NOW);
  }
  const heard = (minutesAgo: number, remaining: number) => ({
    remaining,
    heardAt: NOW - minutesAgo * MINUTE,
  });

  it('releases our requests after a window if the service has reported nothing', () => {
    const charges = sent(50, 40);
    const expected = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => n * GAP);
    expect(sends({ charges }, 10)).toEqual([...expected, after(10 * MINUTE), after(20 * MINUTE)]);
    const { heardAt } = heard(5, 0);
    expect(sends({ charges, heardAt }, 10)).toEqual(sends({ charges }, 10));
    expect(sends({ charges, remaining: 0 }, 10)).toEqual(sends({ charges }, 10));
  });

  it('holds a slot for a window after it was used', () => {
    const later = sends({}, 11);
    expect(later.at(-1)).toBe(after(HOUR));
  });

  it('trusts the remaining requests that the service reports', () => {
    const charges = sent(50, 40);
    // It counts two, which are ours.
    expect(sends({ charges, ...heard(5, 8) }, 9).at(-1)).toBe(after(10 * MINUTE));
    // It counts one: the older one has left.
    expect(sends({ charges, ...heard(5, 9) }, 10).slice(-2)).toEqual([8 * GAP, after(20 * MINUTE)]);
    // It counts none.
    expect(sends({ charges, ...heard(5, 10) }, 10).at(-1)).toBe(9 * GAP);
    expect(sends({ charges, ...heard(5, 12) }, 10).at(-1)).toBe(9 * GAP);
  });

  it('releases what others have used as late as possible', () => {
    const charges = sent(50, 40);
    // It counts four, two of them ours.
    expect(sends({ charges, ...heard(5, 6) }, 10).slice(5)).toEqual([
      5 * GAP,
      after(10 * MINUTE),
      after(20 * MINUTE),
      after(55 * MINUTE),
      after(55 * MINUTE) + GAP,
    ]);
    // One of ours had left the window by then, so three are others'.
    const older = sent(65.1, 40);
    expect(sends({ charges: older, ...heard(5, 6) }, 10).slice(5)).toEqual([
      5 * GAP,
      after(20 * MINUTE),
      after(55 * MINUTE),
      after(55 * MINUTE) + GAP,
      after(55 * MINUTE) + 2 * GAP,
    ]);
  });

  it('releases the first of the others’ at the reset, where that is the next slot', () => {
    const named = { meaning: 'slot', resetAt: NOW + 3 * MINUTE } as const;
    const others = { ...heard(5, 8), charges: [] };
    expect(sends({ ...others, ...named }, 10).slice(8)).toEqual([
      after(3 * MINUTE),
      after(55 * MINUTE),
    ]);
    expect(sends({ ...others, ...named, resetAt: null }, 10).slice(8)).toEqual([
      8 * GAP,
      after(55 * MINUTE),
    ]);
    expect(sends({ ...others, ...named, meaning: 'empty' }, 9).at(-1)).toBe(after(55 * MINUTE));
    // Others have used none.
    const ours = { ...heard(5, 9), charges: sent(40) };
    expect(sends({ ...ours, ...named }, 10).at(-1)).toBe(after(20 * MINUTE));
  });

  it('counts requests without a response besides those that the service counts', () => {
    // The last two were sent after the answer, which counted two.
    const charges = sent(50, 40, 2, 1);
    expect(sends({ charges, ...heard(5, 8), heardSeq: 1 }, 10).slice(6)).toEqual([
      after(10 * MINUTE),
      after(20 * MINUTE),
      after(58 * MINUTE),
      after(59 * MINUTE),
    ]);
    // It counted three, one of them another's.
    expect(sends({ charges, ...heard(5, 7), heardSeq: 1 }, 10).slice(5)).toEqual([
      after(10 * MINUTE),
      after(20 * MINUTE),
      after(55 * MINUTE),
      after(58 * MINUTE),
      after(59 * MINUTE),
    ]);
  });

  it('ignores the oldest beyond the limit', () => {
    const charges = sent(50, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30);
    const later = sends({ charges }, 2, 21 * MINUTE + 1000);
    expect(later).toEqual([after(21 * MINUTE), after(22 * MINUTE)]);
  });

  describe('of a window that resets as a whole', () => {
    const whole = { wholeReset: true, resetAt: NOW + 30 * MINUTE };

    it('has what remains until the reset, and the limit from then on', () => {
      const later = sends({ ...whole, ...heard(5, 8) }, 18);
      expect(later.slice(7, 9)).toEqual([7 * GAP, after(30 * MINUTE)]);
      // Then a window of an hour begins with a request.
      expect(later[17]).toBe(after(30 * MINUTE) + 9 * GAP);
      const more = sends({ ...whole, ...heard(5, 8) }, 19);
      expect(more.at(-1)).toBe(after(after(90 * MINUTE)));
    });

    it('counts requests without a response', () => {
      const unanswered = { charges: sent(50, 2, 1), heardSeq: 0 };
      const later = sends({ ...whole, ...heard(5, 8), ...unanswered }, 7);
      expect(later.slice(5)).toEqual([5 * GAP, after(30 * MINUTE)]);
      // More than remain: all are taken.
      expect(sends({ ...whole, ...heard(5, 1), ...unanswered }, 1, 30 * MINUTE)).toEqual([
        30 * MINUTE,
      ]);
      expect(sends({ ...whole, remaining: null, ...unanswered }, 9).slice(7)).toEqual([
        7 * GAP,
        after(30 * MINUTE),
      ]);
    });

    it('begins windows at fixed times where that was seen', () => {
      const later = sends({ ...whole, isFixed: true, ...heard(5, 0) }, 12, 160 * MINUTE);
      expect(later[9]).toBe(160 * MINUTE + 9 * GAP);
      expect(later.slice(10)).toEqual([after(210 * MINUTE), after(210 * MINUTE) + GAP]);
      // Another window begins exactly at the reset.
      const onTime = sends({ ...whole, isFixed: true, ...heard(5, 0) }, 11, after(30 * MINUTE));
      expect(onTime.at(-1)).toBe(after(90 * MINUTE));
    });

    it('begins a window with the next request where no reset is known', () => {
      const unknown = { wholeReset: true, remaining: 10 };
      expect(sends(unknown, 11).slice(9)).toEqual([9 * GAP, after(HOUR)]);
    });

    it('uses the service’s clock', () => {
      const later = sends({ ...whole, ...heard(5, 8) }, 9, 0, 10 * MINUTE);
      expect(later.at(-1)).toBe(after(20 * MINUTE));
    });
  });

  describe('of a bucket', () => {
    const TOKEN = 6 * MINUTE;

    it('has each token when it is refilled, and all of them at the reset', () => {
      const bucket = { meaning: 'full', resetAt: NOW + 2 * TOKEN } as const;
      const later = sends({ ...bucket, ...heard(1, 8) }, 13);
      // Eight are refilled, the last just now; the others follow every six minutes.
      expect(later.slice(7, 11)).toEqual([
        after(0),
        after(TOKEN),
        after(2 * TOKEN),
        after(3 * TOKEN),
      ]);
    });

    it('subtracts the requests without a response', () => {
      const bucket = { meaning: 'full', resetAt: NOW + 2 * TOKEN } as const;
      const unanswered = { charges: sent(50, 1), heardSeq: 0 };
      const later = sends({ ...bucket, ...heard(1, 8), ...unanswered }, 9);
      expect(later.slice(6)).toEqual([after(0), after(TOKEN), after(2 * TOKEN)]);
    });

    it('is full after all missing tokens where the reset is the next one', () => {
      const bucket = { namesToken: true, resetAt: NOW + TOKEN };
      const later = sends({ ...bucket, ...heard(1, 7) }, 10);
      expect(later.slice(6)).toEqual([after(0), after(TOKEN), after(2 * TOKEN), after(3 * TOKEN)]);
    });
  });

  describe('of a window that others share', () => {
    /** Nothing was used of a window that resets in an hour, by the service's clock. */
    const fresh = { isFixed: true, remaining: 10, heardAt: NOW, resetAt: NOW + HOUR } as const;

    /**
     * The next sends from `from` on, in milliseconds from now. Others make five requests an hour:
     * the first six minutes after the last response, then one each 12 minutes.
     */
    function shared(change: Partial<RateWindowState>, from: number, count: number, aheadMs = 0) {
      const window = DOCUMENTED_LIMITS.generate;
      const forecast = new SendForecast({
        state: { ...freshRateWindow(window), heardSeq: 99, ...fresh, ...change },
        window,
        now: NOW,
        serverNow: NOW + aheadMs,
        firstAt: NOW,
        gapMs: GAP,
        othersPerMs: 5 / HOUR,
      });
      return Array.from({ length: count }, () => forecast.next(NOW + from) - NOW);
    }
    const inARow = (start: number, count: number) =>
      Array.from({ length: count }, (_, n) => start + n * GAP);

    it('leaves them what they use before ours are sent', () => {
      const expected = [...inARow(59 * MINUTE, 5), ...inARow(after(HOUR), 10)];
      expect(shared({}, 59 * MINUTE, 15)).toEqual(expected);
      // However long that is.
      expect(shared({}, 10 * HOUR + 59 * MINUTE, 6)).toEqual([
        ...inARow(10 * HOUR + 59 * MINUTE, 5),
        after(11 * HOUR),
      ]);
    });

    it('uses the service’s clock', () => {
      const ahead = 4 * MINUTE;
      const moved = { heardAt: NOW + ahead, resetAt: NOW + HOUR + ahead };
      const expected = [...inARow(55 * MINUTE, 5), after(HOUR)];
      expect(shared({}, 55 * MINUTE, 6)).toEqual(expected);
      expect(shared(moved, 55 * MINUTE, 6, ahead)).toEqual(expected);
    });

    it('begins with the last response, also if that was a refusal', () => {
      /** How many of ours can be sent 53 minutes from now, before the reset. */
      const room = (change: Partial<RateWindowState>) =>
        shared(change, 53 * MINUTE, 10).filter((at) => at < HOUR).length;
      expect(room({})).toBe(6);
      const earlier = NOW - 6 * MINUTE;
      expect(room({ heardAt: earlier })).toBe(5);
      expect(room({ heardAt: earlier, refusedAt: NOW })).toBe(6);
      expect(room({ heardAt: earlier, refusedAt: earlier - 1 })).toBe(5);
      expect(room({ heardAt: null })).toBe(6);
    });

    it('has no room for their requests while there is none for ours', () => {
      const used = { remaining: 0, resetAt: NOW + 30 * MINUTE };
      const expected = [0, ...inARow(after(30 * MINUTE), 9)];
      expect(shared(used, 0, 10)).toEqual(expected);
      const charges = sent(...new Array<number>(10).fill(30));
      const sliding = { isFixed: false, resetAt: null, remaining: 0, charges };
      expect(shared(sliding, 0, 10)).toEqual(expected);
    });

    it('is ours first at the same moment', () => {
      expect(shared({ remaining: 1 }, 6 * MINUTE, 2)).toEqual([6 * MINUTE, after(HOUR)]);
    });
  });

  it('can be looked at without using it', () => {
    const window = DOCUMENTED_LIMITS.generate;
    const forecast = new SendForecast({
      state: freshRateWindow(window),
      window,
      now: NOW,
      serverNow: NOW,
      firstAt: NOW + 7,
      gapMs: GAP,
      othersPerMs: 0,
    });
    expect([forecast.peek(), forecast.peek(NOW + 9), forecast.next(), forecast.peek()]).toEqual([
      NOW + 7,
      NOW + 9,
      NOW + 7,
      NOW + 7 + GAP,
    ]);
    expect(forecast.peek(Infinity)).toBe(Infinity);
  });

  it('ends where others send more requests than a time can distinguish', () => {
    const now = Date.UTC(2042, 10, 18);
    const limit = 10_000;
    const window = { limit, windowMs: 2 };
    const state = { ...freshRateWindow(window), remaining: 0, heardAt: now };
    const start = { state, window, now, serverNow: now, firstAt: now, gapMs: 2000 };
    const forecast = new SendForecast({ ...start, othersPerMs: limit / window.windowMs });
    expect(Array.from({ length: 3 }, () => forecast.next() - now)).toEqual([0, 2000, 4000]);
  });
});
