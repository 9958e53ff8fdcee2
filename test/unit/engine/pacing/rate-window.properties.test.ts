import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENTED_LIMITS } from '../../../../src/engine/pacing/rate-window-state.ts';
import { PacedClient } from '../../../rigs/paced-client.ts';
import {
  RATE_DIALECTS,
  RATE_SERVER_KINDS,
  rateServer,
  type RateServerKind,
} from '../../../rigs/rate-servers.ts';
import { casesOf } from '../../../soak/long-form.ts';

const START = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;

/** Cases of each property; each run draws new ones. */
const CASES = casesOf({ short: 20, long: 1000 });

const endpoints = Object.values(DOCUMENTED_LIMITS);

const world = fc.record({
  endpoint: fc.constantFrom(...endpoints),
  format: fc.constantFrom('millis', 'seconds-floor', 'seconds-ceil'),
  dialect: fc.constantFrom(...RATE_DIALECTS),
  skewMs: fc.integer({ min: -10 * MINUTE, max: 10 * MINUTE }),
  phase: fc.double({ min: 0, max: 1, noNaN: true }),
  startMs: fc.integer({ min: 0, max: 3_600_000 }),
  latencies: fc.array(
    fc.record({
      thereMs: fc.integer({ min: 10, max: 2500 }),
      backMs: fc.integer({ min: 10, max: 2500 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

function clientIn(
  kind: RateServerKind,
  { endpoint, latencies, phase, ...rest }: World,
): PacedClient {
  let sent = 0;
  return new PacedClient({
    ...rest,
    limit: endpoint,
    server: rateServer(kind, endpoint.limit, endpoint.windowMs, phase),
    latency: () => latencies[sent++ % latencies.length]!,
    startAt: START + rest.startMs,
  });
}

describe.each(RATE_SERVER_KINDS)('a rate window alone on a %s service', (kind) => {
  it('is never refused', () => {
    fc.assert(
      fc.property(world, (w) => {
        const client = clientIn(kind, w);
        for (let n = 0; n < 4 * w.endpoint.limit + 5; n++) client.sendOne();
        expect(client.refusals).toBe(0);
      }),
      { numRuns: CASES },
    );
  });

  it('is never refused for having been restarted or left idle', () => {
    const pause = fc.record({
      restart: fc.boolean(),
      idleMs: fc.integer({ min: 0, max: 90 * MINUTE }),
    });
    fc.assert(
      fc.property(world, fc.array(pause, { minLength: 20, maxLength: 60 }), (w, pauses) => {
        const client = clientIn(kind, w);
        for (const { restart, idleMs } of pauses) {
          if (restart) client.restart();
          if (idleMs % 3 === 0) client.at += idleMs;
          client.sendOne();
        }
        expect(client.refusals).toBe(0);
      }),
      { numRuns: CASES },
    );
  });

  it('is never refused for requests without an answer', () => {
    const step = fc.record({
      outcome: fc.constantFrom('answered', 'counted', 'not counted'),
      idleMs: fc.integer({ min: 0, max: 90 * MINUTE }),
    });
    fc.assert(
      fc.property(world, fc.array(step, { minLength: 20, maxLength: 60 }), (w, steps) => {
        const client = clientIn(kind, w);
        for (const { outcome, idleMs } of steps) {
          if (idleMs % 3 === 0) client.at += idleMs;
          if (outcome === 'answered') client.sendOne();
          else client.loseOne(outcome === 'counted');
        }
        expect(client.refusals).toBe(0);
      }),
      { numRuns: CASES },
    );
  });

  it('is never refused after a noticed clock jump backwards', () => {
    const jump = fc.integer({ min: -120 * MINUTE, max: 0 });
    fc.assert(
      fc.property(world, fc.array(jump, { minLength: 3, maxLength: 8 }), (w, jumps) => {
        const client = clientIn(kind, w);
        for (const by of jumps) {
          for (let n = 0; n < w.endpoint.limit; n++) client.sendOne();
          client.setClock(by, true);
          client.sendOne();
        }
        expect(client.refusals).toBe(0);
      }),
      { numRuns: CASES },
    );
  });

  it('is refused at most once for each noticed clock jump forwards', () => {
    const jump = fc.integer({ min: 0, max: 120 * MINUTE });
    fc.assert(
      fc.property(world, fc.array(jump, { minLength: 3, maxLength: 8 }), (w, jumps) => {
        const client = clientIn(kind, w);
        for (const by of jumps) {
          for (let n = 0; n < w.endpoint.limit; n++) client.sendOne();
          client.setClock(by, true);
          client.sendOne();
        }
        expect(client.refusals).toBeLessThanOrEqual(jumps.length);
      }),
      { numRuns: CASES },
    );
  });

  it('continues within a minute and without a refusal when the computer wakes after the slot has opened', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 61, max: 600 }), (w, sleptMinutes) => {
        const client = clientIn(kind, w);
        for (let n = 0; n < w.endpoint.limit; n++) client.sendOne();
        client.at += sleptMinutes * MINUTE + w.endpoint.windowMs;
        client.window.clockDiverged(sleptMinutes * MINUTE + w.endpoint.windowMs);
        const wokeAt = client.at;
        const latencyMs = 2500;
        expect(client.sendOne().arrivedAt - wokeAt).toBeLessThanOrEqual(MINUTE + latencyMs);
        expect(client.refusals).toBe(0);
      }),
      { numRuns: CASES },
    );
  });

  it('recovers from an unnoticed clock jump', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: -120 * MINUTE, max: 120 * MINUTE }), (w, by) => {
        const client = clientIn(kind, w);
        for (let n = 0; n < w.endpoint.limit; n++) client.sendOne();
        client.setClock(by, false);
        for (let n = 0; n < 2 * w.endpoint.limit; n++) client.sendOne();
        expect(client.refusals).toBeLessThanOrEqual(2);
      }),
      { numRuns: CASES },
    );
  });
});
