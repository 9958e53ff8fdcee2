import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DOCUMENTED_LIMITS,
  rateWindowStateSchema,
} from '../../../../src/engine/pacing/rate-window-state.ts';
import { RateWindow } from '../../../../src/engine/pacing/rate-window.ts';
import {
  learnUseByOthers,
  NO_USE_BY_OTHERS,
  othersPerMs,
  withRefusal,
} from '../../../../src/engine/pacing/use-by-others.ts';
import { PacedClient } from '../../../rigs/paced-client.ts';
import {
  RATE_SERVER_KINDS,
  rateServer,
  type InstantFormat,
  type RateServer,
  type RateServerKind,
} from '../../../rigs/rate-servers.ts';
import { SeededRandom } from '../../../rigs/seeded-random.ts';

const START = Date.UTC(2026, 4, 4, 9, 17);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMIT = DOCUMENTED_LIMITS.generate;
const WINDOWS = ['fixed', 'anchored', 'sliding-next', 'sliding-empty'] as const;

/** Others send requests at random times, and do not retry refused ones. */
class OthersOn implements RateServer {
  readonly #server: RateServer;
  readonly #random: SeededRandom;
  readonly #perHour: (at: number) => number;
  #nextAt: number;

  constructor(server: RateServer, seed: number, perHour: number | ((at: number) => number)) {
    this.#server = server;
    this.#random = new SeededRandom(seed);
    this.#perHour = typeof perHour === 'number' ? () => perHour : perHour;
    this.#nextAt = START - 3 * HOUR;
  }

  ask(at: number) {
    for (; this.#nextAt <= at; this.#nextAt += MINUTE) {
      // At most one a minute.
      if (this.#random.next() < this.#perHour(this.#nextAt) / 60) this.#server.ask(this.#nextAt);
    }
    return this.#server.ask(at);
  }

  opensAt(at: number): number {
    return this.#server.opensAt(at);
  }
}

interface ClientOptions {
  format?: InstantFormat;
  latencyMs?: number;
}

function clientOf(server: RateServer, options: ClientOptions = {}): PacedClient {
  const { format = 'seconds-floor', latencyMs = 400 } = options;
  return new PacedClient({
    limit: LIMIT,
    server,
    format,
    skewMs: 240_000,
    latency: () => ({ thereMs: latencyMs / 2, backMs: latencyMs / 2 }),
    startAt: START,
  });
}

/** Requests of others an hour, as learned by the latest answer. */
function learned({ window }: PacedClient): number {
  const { others } = window.state;
  return HOUR * othersPerMs(others, LIMIT, others.at);
}

/** The next requests by the forecast, in minutes from now. */
function forecastOf(client: PacedClient, count: number, window = client.window): number[] {
  const forecast = window.forecast(client.local, 400);
  return Array.from({ length: count }, () => (forecast.next() - client.local) / MINUTE);
}

/** The same without anything learned about others. */
function unsharedForecastOf(client: PacedClient, count: number): number[] {
  const state = { ...client.window.state, others: NO_USE_BY_OTHERS };
  return forecastOf(client, count, new RateWindow(LIMIT, state));
}

/** A request every ten to thirty minutes, or a few at once. */
function useNowAndThen(client: PacedClient, hours: number, seed: number): void {
  const random = new SeededRandom(seed);
  const until = client.at + hours * HOUR;
  while (client.at < until) {
    const many = random.next() < 0.2 ? 3 : 1;
    for (let n = 0; n < many; n++) client.sendOne();
    client.at += many * random.between(10 * MINUTE, 30 * MINUTE);
  }
}

interface Faults {
  /** Reports what remained this long ago. */
  lagMs?: number;
  /** Counts a request this long after it was made. */
  lateMs?: number;
  /** Refunds one in this many requests, after ten minutes. */
  refundEvery?: number;
  countsRefused?: boolean;
}

/** A limiter with a log of counted requests, and with faults that services have. */
class FaultyService implements RateServer {
  readonly #isFixed: boolean;
  readonly #faults: Faults;
  readonly #counted: { from: number; until: number }[] = [];
  #asked = 0;

  constructor(isFixed: boolean, faults: Faults = {}) {
    this.#isFixed = isFixed;
    this.#faults = faults;
  }

  ask(at: number) {
    const { lagMs = 0, lateMs = 0, refundEvery = Infinity, countsRefused = false } = this.#faults;
    const accepted = this.#used(at) < LIMIT.limit;
    this.#asked += 1;
    const from = at + lateMs;
    const isRefunded = this.#asked % refundEvery === 0;
    if (accepted || countsRefused)
      this.#counted.push({ from, until: isRefunded ? from + 10 * MINUTE : Infinity });
    const reported = {
      remaining: Math.max(0, LIMIT.limit - this.#used(at - lagMs)),
      resetAt: this.#resetAt(at - lagMs),
    };
    return { accepted, ...reported, retryAfterMs: this.opensAt(at) - at };
  }

  opensAt(at: number): number {
    let opensAt = at;
    while (this.#used(opensAt) >= LIMIT.limit) opensAt += MINUTE;
    return opensAt;
  }

  #used(at: number): number {
    const since = this.#isFixed ? Math.floor(at / HOUR) * HOUR - 1 : at - HOUR;
    return this.#counted.filter(({ from, until }) => from > since && from <= at && until > at)
      .length;
  }

  #resetAt(at: number): number {
    if (this.#isFixed) return (Math.floor(at / HOUR) + 1) * HOUR;
    return (this.#counted.find(({ from }) => from > at - HOUR)?.from ?? at) + HOUR;
  }
}

describe('an account that is not shared', () => {
  const step = fc.record({
    idleMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 * MINUTE })),
    /** Exactly to the end of an hour, where windows have edges. */
    toEdge: fc.boolean(),
    act: fc.constantFrom('send', 'send', 'send', 'burst', 'lose', 'lose uncounted', 'restart'),
  });
  const steps = fc.array(step, { minLength: 5, maxLength: 60 });

  function runSteps(
    client: PacedClient,
    all: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  ): void {
    for (const { idleMs, toEdge, act } of all) {
      client.at += idleMs;
      if (toEdge) client.at = Math.ceil(client.at / HOUR) * HOUR;
      if (act === 'restart') client.restart();
      else if (act === 'lose') client.loseOne(true);
      else if (act === 'lose uncounted') client.loseOne(false);
      else for (let n = 0; n < (act === 'burst' ? 7 : 1); n += 1) client.sendOne();
    }
  }

  it.each(RATE_SERVER_KINDS)('is not mistaken for a shared one on a %s service', (kind) => {
    const format = fc.constantFrom('millis', 'seconds-floor', 'seconds-ceil');
    const latencyMs = fc.integer({ min: 20, max: 5000 });
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        format,
        latencyMs,
        steps,
        (phase, ...rest) => {
          const [instants, ms, all] = rest;
          const server = rateServer(kind, LIMIT.limit, LIMIT.windowMs, phase);
          const client = clientOf(server, { format: instants, latencyMs: ms });
          runSteps(client, all);
          expect(learned(client)).toBe(0);
          expect(forecastOf(client, 30)).toEqual(unsharedForecastOf(client, 30));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<[string, Faults]>([
    ['reports what remained two minutes ago', { lagMs: 2 * MINUTE }],
    ['counts requests two minutes late', { lateMs: 2 * MINUTE }],
    ['refunds requests', { refundEvery: 3 }],
    ['counts refused requests', { countsRefused: true }],
  ])('is not mistaken for a shared one where the service %s', (_, faults) => {
    fc.assert(
      fc.property(fc.boolean(), steps, (isFixed, all) => {
        const client = clientOf(new FaultyService(isFixed, faults));
        runSteps(client, all);
        expect(learned(client)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('is not mistaken for a shared one when the local clock is set', () => {
    const set = fc.integer({ min: -30 * HOUR, max: 30 * HOUR });
    fc.assert(
      fc.property(
        fc.constantFrom(...RATE_SERVER_KINDS),
        fc.array(set),
        fc.boolean(),
        (kind, all, noticed) => {
          const client = clientOf(rateServer(kind, LIMIT.limit, LIMIT.windowMs, 0.3));
          for (const byMs of all) {
            for (let n = 0; n < 4; n += 1) client.sendOne();
            client.setClock(byMs, noticed);
          }
          for (let n = 0; n < 4; n += 1) client.sendOne();
          expect(learned(client)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is not mistaken for a shared one where the first answers count nothing yet', () => {
    const server = rateServer('fixed', LIMIT.limit, LIMIT.windowMs, 0.4);
    let asked = 0;
    const client = clientOf({
      opensAt: (at) => server.opensAt(at),
      ask(at) {
        asked += 1;
        return asked <= 2 ? { ...server.ask(at), remaining: LIMIT.limit } : server.ask(at);
      },
    });
    for (let n = 0; n < 20; n += 1, client.at += 12 * MINUTE) client.sendOne();
    expect(learned(client)).toBe(0);
  });

  it('is not mistaken for a shared one by a single answer about another limit', () => {
    for (const remaining of [57, 1]) {
      const server = rateServer('sliding-next', LIMIT.limit, LIMIT.windowMs);
      let asked = 0;
      const client = clientOf({
        opensAt: (at) => server.opensAt(at),
        ask(at) {
          asked += 1;
          return asked === 3 ? { ...server.ask(at), remaining } : server.ask(at);
        },
      });
      for (let n = 0; n < 30; n += 1, client.at += 15 * MINUTE) client.sendOne();
      expect(learned(client)).toBeLessThan(0.05);
    }
  });
});

describe('use by others', () => {
  it.each(WINDOWS)('is learned on a %s service that has room', (kind) => {
    for (const perHour of [1, 3, 5]) {
      const rates = [1, 2, 3, 4, 5].map((seed) => {
        const server = rateServer(kind, LIMIT.limit, LIMIT.windowMs, 0.4);
        const client = clientOf(new OthersOn(server, seed, perHour));
        useNowAndThen(client, 30, seed);
        return learned(client);
      });
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
      expect(mean / perHour, `${perHour} an hour`).toBeGreaterThan(0.6);
      expect(mean / perHour, `${perHour} an hour`).toBeLessThan(1.3);
    }
  });

  it('is forgotten when they stop, and with time', () => {
    const server = rateServer('fixed', LIMIT.limit, LIMIT.windowMs, 0.4);
    const client = clientOf(new OthersOn(server, 7, (at) => (at < START + 20 * HOUR ? 4 : 0)));
    useNowAndThen(client, 20, 1);
    const before = learned(client);
    expect(before).toBeGreaterThan(2);
    const { others } = client.window.state;
    expect(HOUR * othersPerMs(others, LIMIT, others.at + 7 * 24 * HOUR)).toBeLessThan(0.01);
    useNowAndThen(client, 20, 2);
    expect(learned(client)).toBeLessThan(before / 3);
  });

  it('is kept over a restart, and missing from a state of an earlier version', () => {
    const server = rateServer('fixed', LIMIT.limit, LIMIT.windowMs, 0.4);
    const client = clientOf(new OthersOn(server, 7, 4));
    useNowAndThen(client, 10, 1);
    const before = forecastOf(client, 20);
    client.restart();
    expect(forecastOf(client, 20)).toEqual(before);
    const { others: _, ...old } = client.window.state;
    expect(rateWindowStateSchema.parse(old).others).toEqual(NO_USE_BY_OTHERS);
  });

  it('stays the same when the local clock is set', () => {
    const rates = [0, -5 * HOUR, 5 * HOUR].map((byMs) => {
      const server = rateServer('sliding-next', LIMIT.limit, LIMIT.windowMs, 0.4);
      const client = clientOf(new OthersOn(server, 7, 3));
      useNowAndThen(client, 10, 1);
      client.setClock(byMs, true);
      useNowAndThen(client, 2, 2);
      return learned(client);
    });
    expect(rates[1]).toBeCloseTo(rates[0]!, 1);
    expect(rates[2]).toBeCloseTo(rates[0]!, 1);
  });

  it('is learned from a refusal where our own count has room', () => {
    const server = new FaultyService(false);
    const client = clientOf(server);
    client.sendOne();
    expect(learned(client)).toBe(0);
    client.at += 2 * HOUR;
    for (let n = 0; n < LIMIT.limit; n += 1) server.ask(client.at - 40 * MINUTE + n * MINUTE);
    client.sendOne();
    expect(client.refusals).toBe(1);
    expect(learned(client)).toBeGreaterThan(3);
  });

  it('does not include refused requests of ours that the service may have counted', () => {
    const reading = { ...LIMIT, endsAt: null, isFixed: false, maxLimit: LIMIT.limit };
    const sent = { ...reading, at: START, remaining: 9, ours: [START] };
    const first = learnUseByOthers(NO_USE_BY_OTHERS, sent);
    const refused = [5, 10].map((minutes) => START + minutes * MINUTE).reduce(withRefusal, first);
    const at = START + 15 * MINUTE;
    const ours = [START, at];
    expect(learnUseByOthers(refused, { ...reading, at, remaining: 6, ours }).count).toBe(0);
    expect(learnUseByOthers(refused, { ...reading, at, remaining: 4, ours }).count).toBe(2);
  });

  it('stays known while we use the rest of the limit', () => {
    const server = rateServer('sliding-next', LIMIT.limit, LIMIT.windowMs, 0.4);
    const client = clientOf(new OthersOn(server, 7, 4));
    useNowAndThen(client, 10, 1);
    const before = learned(client);
    for (let n = 0; n < 60; n += 1) client.sendOne();
    expect(learned(client) / before).toBeGreaterThan(0.7);
  });

  it('does not change when our requests are sent', () => {
    const client = clientOf(new OthersOn(rateServer('anchored', LIMIT.limit, HOUR), 3, 4));
    for (let n = 0; n < 60; n += 1) {
      client.at += (n % 7) * 4 * MINUTE;
      const state = { ...client.window.state, others: NO_USE_BY_OTHERS };
      expect(client.window.wait(client.local)).toBe(
        new RateWindow(LIMIT, state).wait(client.local),
      );
      client.sendOne();
    }
    expect(learned(client)).toBeGreaterThan(0);
  });
});

describe('a forecast on a shared account', () => {
  /** Relative errors of forecasts of the last of some requests, with and without others. */
  function forecastErrors(kind: RateServerKind, seed: number) {
    const random = new SeededRandom(seed + 1000);
    const server = rateServer(kind, LIMIT.limit, LIMIT.windowMs, random.next());
    const client = clientOf(new OthersOn(server, seed, 4));
    useNowAndThen(client, 10, seed);
    for (let n = 0; n < 10; n += 1) client.sendOne();
    client.at += random.between(40, 110) * MINUTE;
    const rows = random.integer(15, 60);
    const from = client.local;
    const [withOthers, unshared] = [forecastOf(client, rows), unsharedForecastOf(client, rows)];
    for (let n = 0; n < rows;) if (client.sendOne().accepted) n += 1;
    const real = (client.local - from) / MINUTE;
    const errorOf = (minutes: readonly number[]) => Math.abs(minutes.at(-1)! - real) / real;
    return { withOthers: errorOf(withOthers), unshared: errorOf(unshared) };
  }

  it.each(['fixed', 'anchored'] as const)(
    'is accurate more often on a %s service than one that ignores others',
    (kind) => {
      const errors = Array.from({ length: 80 }, (_, seed) => forecastErrors(kind, seed));
      const accurate = (who: 'withOthers' | 'unshared') =>
        errors.filter((error) => error[who] <= 0.05).length;
      expect(accurate('withOthers')).toBeGreaterThan(accurate('unshared') + 3);
    },
  );

  /** A client after a pause of an hour, on an account that others nearly use up. */
  function clientAfterPause(kind: RateServerKind): PacedClient {
    const client = clientOf(rateServer(kind, LIMIT.limit, LIMIT.windowMs, 0.4));
    for (let n = 0; n < 3; n += 1) client.sendOne();
    client.at += 20 * MINUTE;
    client.sendOne();
    client.at += HOUR;
    const others = { ...client.window.state.others, count: 9, seenMs: HOUR };
    client.window = new RateWindow(LIMIT, { ...client.window.state, others });
    return client;
  }

  it.each(RATE_SERVER_KINDS)(
    'forecasts no wait on a %s service for requests that need none by the last answer',
    (kind) => {
      const client = clientAfterPause(kind);
      const unshared = unsharedForecastOf(client, 30);
      const [withOthers, short] = [forecastOf(client, 30), forecastOf(client, 5)];
      expect(short.at(-1)).toBeLessThan(0.1);
      expect(short).toEqual(unshared.slice(0, 5));
      const waits = unshared.findIndex((minutes) => minutes > 0.1);
      expect(withOthers.slice(0, waits)).toEqual(unshared.slice(0, waits));
      // A longer batch is delayed by what they use.
      expect(withOthers.at(-1)).toBeGreaterThan(unshared.at(-1)! + 1);
    },
  );

  it('peeks at the time of the next request, also where others use a window', () => {
    for (const kind of RATE_SERVER_KINDS) {
      const forecast = clientAfterPause(kind).window.forecast(START + 2 * HOUR, 400);
      for (let n = 0; n < 30; n += 1) {
        const from = START + 2 * HOUR + n * MINUTE;
        const peeked = forecast.peek(from);
        expect(peeked).toBeGreaterThanOrEqual(from);
        expect(forecast.peek(from)).toBe(peeked);
        expect(forecast.next(from)).toBe(peeked);
      }
    }
  });

  it('has a time for every request, however much others use', () => {
    for (const kind of RATE_SERVER_KINDS) {
      const client = clientOf(rateServer(kind, LIMIT.limit, LIMIT.windowMs, 0.4));
      for (let n = 0; n < 15; n += 1) client.sendOne();
      client.at += 3 * HOUR;
      const others = { ...client.window.state.others, count: 1e9, seenMs: 1 };
      const window = new RateWindow(LIMIT, { ...client.window.state, others });
      const moments = forecastOf(client, 300, window);
      expect(moments).toEqual(moments.toSorted((one, other) => one - other));
      expect(moments.at(-1)).toBeLessThan(34 * 60);
      const far = window.forecast(client.local, 400);
      const month = client.local + 700 * HOUR;
      expect(far.next(month)).toBeLessThanOrEqual(month + 61 * MINUTE);
      expect(far.next(Infinity)).toBe(Infinity);
    }
  });
});

it('use by others is shown by the hour', () => {
  const client = clientOf(rateServer('fixed', LIMIT.limit, LIMIT.windowMs, 0.4));
  client.sendOne();
  expect(client.window.view(client.local).othersPerHour).toBe(0);
  const { others } = client.window.state;
  const seen = { ...others, count: 7, seenMs: 3 * HOUR };
  const window = new RateWindow(LIMIT, { ...client.window.state, others: seen });
  expect(window.view(client.local).othersPerHour).toBeCloseTo(2, 2);
});
