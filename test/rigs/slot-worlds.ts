import { plan, STAGE, type PlanInput } from '../../src/engine/pacing/planner.ts';
import { openLedger } from '../../src/engine/pacing/quota.ts';
import { RateWindow } from '../../src/engine/pacing/rate-window.ts';
import { LogNormal } from '../../src/engine/pacing/render-times.ts';
import { EndpointWindows } from '../../src/engine/pacing/endpoint-windows.ts';
import { SeededRandom } from './seeded-random.ts';
import { oracleSends, type OracleWorld } from './slot-oracle.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
/** Standard deviation of a log-normal that is practically constant. */
const CERTAIN = 1e-6;
/** Rate windows add this to the moment at which a request may leave. */
export const WINDOW_MARGIN_MS = 1000;

/** The same batch for the planner and for the oracle. */
export interface SlotWorld {
  readonly seed: number;
  readonly input: PlanInput;
  readonly oracle: OracleWorld;
}

/** A random world with a limit of simultaneous renders, with or without windows and a quota. */
export function slotWorldOf(seed: number): SlotWorld {
  const random = new SeededRandom(seed);
  const slots = random.integer(1, 12);
  const presetMs = Array.from({ length: random.integer(1, 4) }, () => random.logBetween(5e3, 2e6));
  const underWay = random.integer(0, slots);
  const toSend = random.integer(1, 120);
  const presets = Array.from({ length: underWay + toSend }, () =>
    random.integer(0, presetMs.length - 1),
  );
  const since = Array.from(
    { length: underWay },
    (_, i) => NOW - random.between(0, 0.9) * presetMs[presets[i]!]!,
  );
  const roundTripMs = Math.round(random.logBetween(50, 5000));
  const windows = Array.from({ length: random.integer(1, 2) }, () => ({
    limit: random.integer(2, 40),
    windowMs: random.logBetween(10_000, 3_600_000),
  }));
  const hasQuota = random.next() < 0.5;
  const left = random.integer(0, toSend);
  const cycle = { start: NOW - 86_400_000, end: NOW + random.between(0, 5) * 3_600_000 };

  const pacers = windows.map((window, index) => {
    const pacer = new RateWindow(window);
    return { name: String(index), window: pacer, headers: null };
  });
  const [first, ...others] = pacers;
  const renderTimes = presetMs.map((ms) => new LogNormal(Math.log(ms / 1000), CERTAIN));
  const open = { limit: 1000, windowMs: 1000 };
  return {
    seed,
    input: {
      jobs: {
        stage: Uint8Array.from(presets, (_, i) => (i < underWay ? STAGE.rendering : STAGE.toSend)),
        preset: Uint16Array.from(presets),
        since: Float64Array.from(presets, (_, i) => since[i] ?? NOW),
        bytes: new Float64Array(presets.length),
      },
      generate: new EndpointWindows([first!, ...others]),
      download: new RateWindow(open),
      slots: {
        limit: slots,
        renderedAtOnce: null,
        othersEndAt: [],
        notBefore: 0,
        averages: renderTimes,
      },
      quota: hasQuota
        ? {
            ledger: openLedger(left, cycle),
            anchor: { per: 'month', date: '2026-01-01' },
            zone: 'UTC',
            boundaryDelayMs: 0,
          }
        : null,
      renderTimes,
      sendFrom: 0,
      roundTripMs,
      bytesPerSecond: 1e12,
    },
    oracle: {
      now: NOW,
      slots,
      roundTripMs,
      renderMs: presets.slice(underWay).map((preset) => presetMs[preset]!),
      underWayEndsAt: since.map((at, i) => at + presetMs[presets[i]!]!),
      windows: windows.map(({ limit, windowMs }) => ({
        limit,
        windowMs: windowMs + WINDOW_MARGIN_MS,
      })),
      sentBefore: [],
      cycle: hasQuota ? { left, endsAt: cycle.end, next: left } : null,
    },
  };
}

/** How long a batch takes; `null` if nothing is sent within the oracle's two cycles. */
export interface Makespan {
  /** Until the last planned render begins to be saved, with the round trip of its request. */
  readonly plannedMs: number;
  readonly leastMs: number;
}

export function makespanOf({ input, oracle }: SlotWorld): Makespan | null {
  const { sendAt, readyAt } = plan(input, oracle.now);
  const sent = [...sendAt.keys()].filter((i) => input.jobs.stage[i] === STAGE.toSend);
  const quota = oracle.cycle === null ? Infinity : oracle.cycle.left + oracle.cycle.next;
  const known = sent.filter((i, place) => place < quota && sendAt[i]! < ORACLE_ENDS);
  if (known.length === 0) return null;
  const best = oracleSends({ ...oracle, renderMs: oracle.renderMs.slice(0, known.length) });
  return {
    plannedMs: Math.max(...known.map((i) => readyAt[i]!)) + input.roundTripMs - oracle.now,
    leastMs: Math.max(...best.endAt) - oracle.now,
  };
}

/** Its second cycle does not end; the planner's does at this time. */
const ORACLE_ENDS = Date.UTC(2026, 5, 1);
