import { describe, expect, it } from 'vitest';
import { isPenalised } from '../../../../src/engine/pacing/next-slot.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import {
  DOCUMENTED_LIMITS,
  rateWindowStateSchema,
  type Charge,
} from '../../../../src/engine/pacing/rate-window-state.ts';
import { NO_RATE_HEADERS, type RateHeaders } from '../../../../src/engine/pacing/rate-headers.ts';
import { PacedClient } from '../../../rigs/paced-client.ts';
import { rateServer, type RateServer } from '../../../rigs/rate-servers.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Waits end at most this many ms late: a margin of 1 s, and a `Date` in seconds. */
const SLACK = 3000;

const generate = (): RateWindow => new RateWindow(DOCUMENTED_LIMITS.generate);

/** Milliseconds between the bounds of the service's clock offset. */
function clockSpread({ clockOffset }: RateWindow): number {
  return clockOffset === null ? Infinity : clockOffset.high - clockOffset.low;
}

function answer(
  window: RateWindow,
  charge: Charge,
  at: number,
  headers: Partial<RateHeaders>,
  status = 200,
): void {
  window.answered(charge, {
    status,
    headers: { ...NO_RATE_HEADERS, date: Math.floor(at / 1000) * 1000, ...headers },
    sentAt: at,
    receivedAt: at + 100,
  });
}

function send(window: RateWindow, at: number, headers: Partial<RateHeaders>, status = 200): void {
  answer(window, window.reserve(at), at, headers, status);
}

function expectWait(window: RateWindow, now: number, ms: number): void {
  const wait = window.wait(now);
  expect(wait).toBeGreaterThanOrEqual(ms);
  expect(wait).toBeLessThan(ms + SLACK);
}

/** The only client on this computer, on a server where others may have charges. */
function clientOn(server: RateServer): PacedClient {
  return new PacedClient({
    limit: DOCUMENTED_LIMITS.generate,
    server,
    format: 'millis',
    skewMs: 0,
    latency: () => ({ thereMs: 100, backMs: 100 }),
    startAt: NOW,
  });
}

describe('RateWindow', () => {
  it('sends at once while the service says that requests remain', () => {
    const window = generate();
    send(window, NOW, { remaining: 9, resetAt: NOW + HOUR });
    expect(window.wait(NOW + 100)).toBe(0);
  });

  it('waits for the reset when none remain, then sends one request and waits for its answer', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, resetAt: NOW + 10 * MINUTE });
    expectWait(window, NOW + 100, 10 * MINUTE - 100);
    const later = NOW + 10 * MINUTE + SLACK;
    expect(window.wait(later)).toBe(0);
    const charge = window.reserve(later);
    expect(window.wait(later)).toBeGreaterThan(0);
    answer(window, charge, later, { remaining: 4, resetAt: NOW + 70 * MINUTE });
    expect(window.wait(later + 200)).toBe(0);
  });

  it('counts a request that was never answered', () => {
    const window = generate();
    send(window, NOW, { remaining: 1, resetAt: NOW + HOUR });
    const lost = window.reserve(NOW + 1000);
    window.unanswered(lost, NOW + 31_000);
    expect(window.wait(NOW + 31_000)).toBeGreaterThan(50 * MINUTE);
    expect(window.view(NOW + 31_000).remaining).toBe(0);
  });

  it('does not take the slot that an unanswered request may have taken', () => {
    const window = generate();
    for (let n = 0; n < 10; n++) {
      send(window, NOW + n * MINUTE, { remaining: 9 - n, resetAt: NOW + HOUR });
    }
    const lost = window.reserve(NOW + HOUR + SLACK);
    window.unanswered(lost, NOW + HOUR + 30_000);
    expectWait(window, NOW + HOUR + 30_000, 30_000);
  });

  it.each(['bucket-next', 'bucket-full'] as const)(
    'loses one token of a %s service to a request without an answer, not an hour',
    (kind) => {
      const client = clientOn(rateServer(kind, 10, HOUR));
      for (let n = 0; n < 13; n++) client.sendOne();
      client.loseOne(false);
      expectWait(client.window, client.local, 6 * MINUTE - SLACK);
      client.loseOne(true);
      const { arrivedAt, accepted } = client.sendOne();
      expect(accepted).toBe(true);
      expect(arrivedAt - NOW).toBeLessThan(6 * 6 * MINUTE + 3 * SLACK);

      while (client.window.wait(client.local) === 0) client.sendOne();
      client.at += 3 * 6 * MINUTE;
      for (const isCounted of [true, false, true]) client.loseOne(isCounted);
      expectWait(client.window, client.local, 6 * MINUTE - SLACK);
      expect(client.refusals).toBe(0);
    },
  );

  it.each(['fixed', 'anchored'] as const)(
    'loses one request of a %s window to a request without an answer, not the window',
    (kind) => {
      const client = clientOn(rateServer(kind, 10, HOUR));
      for (let windows = 0; windows < 3; windows++) {
        client.sendOne();
        client.at += 40 * MINUTE;
        for (let n = 0; n < 9; n++) client.sendOne();
      }
      expect(client.window.wait(client.local)).toBeGreaterThan(MINUTE);
      client.loseOne(true);
      const begins = client.sent.at(-1)!.arrivedAt;
      client.loseOne(false);
      for (let n = 0; n < 9; n++) client.sendOne();
      expect(client.at - begins).toBeLessThan(MINUTE);
      expect(client.refusals).toBe(0);
    },
  );

  it.each(['sliding-next', 'sliding-empty', 'fixed'] as const)(
    'detects no fixed windows of a few seconds (%s), and is never refused',
    (kind) => {
      const limit = { limit: 10, windowMs: 4000 };
      const client = new PacedClient({
        ...({
          limit,
          server: rateServer(kind, 10, 4000),
          format: 'seconds-floor',
          skewMs: 0,
        } as const),
        latency: () => ({ thereMs: 100, backMs: 100 }),
        startAt: NOW,
      });
      for (let round = 0; round < 20; round++) {
        client.sendOne();
        // By chance, the next reset is a whole window later.
        client.at += 3800;
        client.sendOne();
        expect(client.window.state.isFixed).toBe(false);
        for (let n = 0; n < 25; n++) client.sendOne();
        client.at += 700 * round;
      }
      expect(client.refusals).toBe(0);
    },
  );

  it('does not infer fixed windows from requests lost in transit', () => {
    const client = clientOn(rateServer('sliding-next', 10, HOUR));
    client.sendOne();
    client.at += 40 * MINUTE;
    client.sendOne();
    for (let n = 0; n < 2; n++) client.loseOne(false);
    for (let n = 0; n < 8; n++) client.sendOne();
    expect(client.window.state).toMatchObject({ isFixed: false, wholeReset: false });
    client.loseOne(true);
    client.sendOne();
    expect(client.refusals).toBe(0);
  });

  it('drops a request that was provably never sent', () => {
    const window = generate();
    send(window, NOW, { remaining: 1, resetAt: NOW + HOUR });
    window.release(window.reserve(NOW + 1000));
    expect(window.wait(NOW + 1000)).toBe(0);
  });

  it('treats requests that were open when the process ended as unanswered', () => {
    const window = generate();
    send(window, NOW, { remaining: 1, resetAt: NOW + HOUR });
    window.reserve(NOW + 1000);
    const restored = new RateWindow(DOCUMENTED_LIMITS.generate, window.state);
    expect(restored.wait(NOW + 5000)).toBeGreaterThan(50 * MINUTE);
  });

  it('is the same window after being stored and restored', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, resetAt: NOW + 10 * MINUTE });
    const stored: unknown = JSON.parse(JSON.stringify(window.state));
    const restored = new RateWindow(
      DOCUMENTED_LIMITS.generate,
      rateWindowStateSchema.parse(stored),
    );
    expect(restored.state).toEqual(window.state);
    expect(restored.wait(NOW + 5000)).toBe(window.wait(NOW + 5000));
  });

  it('allows as many concurrent requests as remain, and no more', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.status);
    send(window, NOW, { remaining: 3, resetAt: NOW + MINUTE });
    const charges = [];
    while (window.wait(NOW + 200) === 0) charges.push(window.reserve(NOW + 200));
    expect(charges).toHaveLength(3);
  });

  it('keeps the lower count when two answers arrive out of order', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.status);
    const [first, second] = [window.reserve(NOW), window.reserve(NOW)];
    answer(window, second, NOW + 10, { remaining: 4, resetAt: NOW + MINUTE });
    answer(window, first, NOW + 20, { remaining: 5, resetAt: NOW + MINUTE });
    expect(window.view(NOW + 200).remaining).toBe(4);
  });

  it('uses seconds after the response as a reset, also before any clock is known', () => {
    const window = generate();
    send(window, NOW, { date: null, remaining: 0, resetAfterMs: 10 * MINUTE });
    expectWait(window, NOW + 100, 10 * MINUTE);
    const ahead = 5 * MINUTE;
    const headers = { ...NO_RATE_HEADERS, date: NOW + 1000 + ahead };
    window.learnTime({ status: 200, headers, sentAt: NOW + 1000, receivedAt: NOW + 1100 });
    expectWait(window, NOW + 2000, 10 * MINUTE - 2000);
  });

  it.each([
    ['a policy for this window', HOUR, 50],
    ['a policy for another window', 24 * HOUR, 10],
  ])('learns the limit from %s', (_, windowMs, limit) => {
    const window = generate();
    send(window, NOW, { remaining: 9, resetAt: NOW + HOUR, policy: { limit: 50, windowMs } });
    expect(window.view(NOW).limit).toBe(limit);
  });

  it('uses a higher limit than the documented one when the service grants it', () => {
    const window = generate();
    send(window, NOW, { remaining: 49, resetAt: NOW + HOUR });
    expect(window.view(NOW).limit).toBe(50);
    expect(window.wait(NOW)).toBe(0);
  });
});

describe('a refused rate window', () => {
  it('waits as long as Retry-After says, whatever the reset says, and releases the request', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, retryAfterMs: 90_000, detailsResetAt: NOW + HOUR }, 429);
    expect(window.state.charges).toHaveLength(0);
    expectWait(window, NOW + 100, 90_000);
  });

  it('waits for the reset in the body when Retry-After is missing', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, detailsResetAt: NOW + 5 * MINUTE }, 429);
    expectWait(window, NOW + 100, 5 * MINUTE - 100);
  });

  it('waits for one request’s share of the window when the refusal gives no time', () => {
    const window = generate();
    send(window, NOW, { date: null }, 429);
    expectWait(window, NOW + 100, 6 * MINUTE);
  });

  it('accepts a Retry-After that is longer than the window', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, retryAfterMs: 5 * HOUR }, 429);
    expectWait(window, NOW + 100, 5 * HOUR);
  });

  it('after two refusals in a row waits for the longest time that was reported, and then uses a strict log', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, retryAfterMs: 1000, resetAt: NOW + 40 * MINUTE }, 429);
    const again = NOW + 5000;
    expect(window.wait(again)).toBe(0);
    send(window, again, { remaining: 0, retryAfterMs: 1000, resetAt: NOW + 40 * MINUTE }, 429);
    expectWait(window, again, 40 * MINUTE - 5000);
    expect(isPenalised(window.state, again)).toBe(true);

    let at = NOW + 41 * MINUTE;
    for (let n = 0; n < 10; n++) {
      expect(window.wait(at)).toBe(0);
      send(window, at, { remaining: 9, resetAt: at + HOUR });
      at += 1000;
    }
    // The headers still say that requests remain; the log says that ten were sent.
    expectWait(window, at, HOUR - 10_000);
    expect(window.wait(NOW + 3 * HOUR)).toBe(0);
    expect(isPenalised(window.state, NOW + 3 * HOUR)).toBe(false);
  });

  it('imposes no penalty when concurrent requests are refused', () => {
    const window = new RateWindow(DOCUMENTED_LIMITS.status);
    const charges = [window.reserve(NOW), window.reserve(NOW), window.reserve(NOW)];
    for (const charge of charges) {
      answer(window, charge, NOW, { remaining: 0, retryAfterMs: 20_000 }, 429);
    }
    expect(isPenalised(window.state, NOW)).toBe(false);
    expectWait(window, NOW + 100, 20_000);
  });

  it('never sends faster than the limit’s rate, however short the repeated Retry-After', () => {
    const window = generate();
    let sent = 0;
    for (let at = NOW; at < NOW + 2 * HOUR; at += Math.max(100, window.wait(at))) {
      if (window.wait(at) > 0) continue;
      send(window, at, { remaining: 0, retryAfterMs: 0 }, 429);
      sent++;
    }
    expect(sent).toBeLessThanOrEqual(21);
  });
});

describe('a rate window that others share', () => {
  it('makes one attempt a slot where the reset is the empty window, and uses each slot as it opens', () => {
    const server = rateServer('sliding-empty', 10, HOUR);
    const theirs = [-50, -40, -30, -20, -10].map((minutes) => NOW + minutes * MINUTE);
    for (const at of theirs) server.ask(at);
    const client = clientOn(server);
    while (client.sent.filter(({ accepted }) => accepted).length < 10) client.sendOne();

    const accepted = client.sent.filter((request) => request.accepted);
    for (const [n, at] of theirs.entries()) {
      const late = accepted[5 + n]!.arrivedAt - (at + HOUR);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(SLACK + 1000);
    }
    expect(client.refusals).toBe(5);
  });

  // Seed 1830 of `bench:pacing`, shared and sliding-empty: 1.24 times the least possible time.
  it.each([
    ['sliding-empty', 6 * MINUTE],
    ['bucket-full', 0],
  ] as const)(
    'attempts the next slot where its first request takes the last one of a %s service',
    (kind, apartMs) => {
      const server = rateServer(kind, 10, HOUR);
      for (let n = 9; n > 0; n--) server.ask(NOW - n * apartMs - 1000);
      const client = clientOn(server);
      client.sendOne();
      const opensAt = server.opensAt(client.at);
      expect(opensAt - client.at).toBeLessThan(10 * MINUTE);
      while (client.sent.filter(({ accepted }) => accepted).length < 2) client.sendOne();
      expect(client.at - opensAt).toBeLessThan(SLACK + 1000);
      expect(client.refusals).toBe(1);
    },
  );

  it('follows a bucket at its rate although the reset is the full bucket', () => {
    const client = clientOn(rateServer('bucket-full', 10, HOUR));
    for (let n = 0; n < 20; n++) client.sendOne();
    const first = client.sent[0]!.arrivedAt;
    for (let n = 10; n < 20; n++) {
      const due = first + (n - 9) * 6 * MINUTE;
      expect(client.sent[n]!.arrivedAt - due).toBeLessThan(SLACK);
    }
    expect(client.refusals).toBe(0);
  });

  it('does not run ahead of a fixed window because its own old charges have left the log', () => {
    const window = generate();
    const send10 = (from: number, resetAt: number, first: number): void => {
      for (let n = 0; n < first; n++) {
        send(window, from + n * 5000, { remaining: first - 1 - n, resetAt });
      }
    };
    send10(NOW + 50 * MINUTE, NOW + HOUR, 10);
    // Others use five of the next window, and we use the rest late in it.
    send10(NOW + 105 * MINUTE, NOW + 2 * HOUR, 5);
    expectWait(window, NOW + 106 * MINUTE, 14 * MINUTE);
  });
});

describe('a rate window without usable headers', () => {
  it('keeps a strict sliding log', () => {
    const window = generate();
    for (let sent = 0; sent < 10; sent++) send(window, NOW + sent * 1000, { date: null });
    expect(window.wait(NOW + 10_000)).toBe(HOUR - 10_000 + 100 + 1000);
  });

  it('keeps its log when it learns the service’s clock', () => {
    const window = generate();
    for (let sent = 0; sent < 9; sent++) send(window, NOW + sent * 1000, { date: null });
    const ahead = 10 * MINUTE;
    const last = NOW + 9000;
    send(window, last, { date: last + ahead });
    expectWait(window, last, HOUR - 9000);
  });

  it('ignores a reset further away than the window’s length', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, resetAt: NOW + 100 * HOUR });
    expectWait(window, NOW + 100, HOUR - 100);
  });

  it('uses no reset before it knows the clock of the service', () => {
    const window = generate();
    send(window, NOW, { date: null, remaining: 0, resetAt: NOW + MINUTE });
    expectWait(window, NOW + 100, HOUR);
    expect(window.view(NOW + 100).resetAt).toBeNull();
    expect(window.clockOffset).toBeNull();
  });

  it('keeps the reported limit when an answer comes from a proxy, and counts the request', () => {
    const window = generate();
    send(window, NOW, { remaining: 1, resetAt: NOW + 10 * MINUTE });
    send(window, NOW + 1000, {}, 502);
    expectWait(window, NOW + 2000, 10 * MINUTE - 2000);
  });

  it('tries once after a jump of the clock that may have been sleep, and follows the response', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, resetAt: NOW + 10 * MINUTE });
    window.clockDiverged(2 * HOUR);
    // The clock had been set: hardly any time has passed for the service.
    const [later, service] = [NOW + 2 * HOUR + 2000, NOW + 2000];
    expect(clockSpread(window)).toBeGreaterThan(HOUR);
    expect(window.wait(later)).toBe(0);
    window.answered(window.reserve(later), {
      status: 429,
      headers: { ...NO_RATE_HEADERS, date: service, remaining: 0, retryAfterMs: 10 * MINUTE },
      sentAt: later,
      receivedAt: later + 100,
    });
    expect(clockSpread(window)).toBeLessThan(MINUTE);
    expectWait(window, later + 100, 10 * MINUTE);
  });

  it.each([
    ['is refused without a date', 429],
    ['gets no answer', null],
  ])('does not try again when the attempt %s', (_, status) => {
    const window = generate();
    send(window, NOW, { remaining: 0, resetAt: NOW + 10 * MINUTE });
    window.clockDiverged(2 * HOUR);
    const later = NOW + 2 * HOUR + 2000;
    const attempt = window.reserve(later);
    if (status === null) window.unanswered(attempt, later);
    else answer(window, attempt, later, { date: null, retryAfterMs: 10 * MINUTE }, status);
    expect(window.wait(later + 100)).toBeGreaterThan(9 * MINUTE);
  });

  it('needs no attempt after sleep when another response contained the time', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, resetAt: NOW + 3 * MINUTE });
    window.clockDiverged(2 * MINUTE);
    const later = NOW + 2 * MINUTE;
    const headers = { ...NO_RATE_HEADERS, date: later };
    window.learnTime({ status: 200, headers, sentAt: later, receivedAt: later + 50 });
    expectWait(window, later + 50, MINUTE - 50);
  });

  it.each([1, 12, 500])(
    'waits no longer than before when the clock was set back %i hours',
    (hours) => {
      const window = generate();
      send(window, NOW, { remaining: 0, resetAt: NOW + 10 * MINUTE });
      const restored = new RateWindow(DOCUMENTED_LIMITS.generate, window.state);
      const setBack = NOW - hours * HOUR;
      const wait = restored.wait(setBack);
      expect(wait).toBeLessThan(10 * MINUTE + SLACK);
      // The rest of the wait passes.
      expect(restored.wait(setBack + 5 * MINUTE)).toBe(wait - 5 * MINUTE);
      expect(restored.wait(setBack + wait)).toBe(0);
    },
  );

  it.each([
    ['without reported limits', 200, {}],
    ['with a Retry-After', 429, { remaining: 0, retryAfterMs: 2 * HOUR }],
    ['after a second refusal', 429, { remaining: 0, resetAt: NOW + 30 * MINUTE }],
  ])('ends its wait after a clock was set back %s', (_, status, headers) => {
    const window = generate();
    for (let n = 0; n < 10; n++) send(window, NOW + n, headers, status);
    const before = window.wait(NOW + 1000);
    const setBack = NOW - 12 * HOUR;
    const wait = window.wait(setBack);
    expect(wait).toBeLessThanOrEqual(before + 1000);
    expect(window.forecast(setBack, 0).next()).toBe(setBack + wait);
    expect(window.wait(setBack + wait)).toBe(0);
  });

  it('reads the state of an earlier version', () => {
    const window = generate();
    send(window, NOW, { remaining: 0, retryAfterMs: HOUR }, 429);
    const stored = JSON.parse(JSON.stringify(window.state)) as { refusedAt?: number };
    delete stored.refusedAt;
    const restored = new RateWindow(
      DOCUMENTED_LIMITS.generate,
      rateWindowStateSchema.parse(stored),
    );
    expect(restored.wait(NOW + 5000)).toBe(window.wait(NOW + 5000));
  });
});
