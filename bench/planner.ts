/**
 * Measures how long a plan takes, and how good it is: `npm run bench:planner [-- --worlds 2000]`.
 *
 * Medians of 15 runs after 3 to warm up. Targets: 10,000 jobs in 50 ms, 100,000 in 500 ms.
 *
 * Then it compares plans for services that render a few videos at a time, and have windows and a
 * quota, with an exhaustive search of every moment (`test/rigs/slot-oracle.ts`). Render times are
 * known, so that both should agree; the target ratio is 1.02.
 */
import { parseArgs } from 'node:util';
import { plan, STAGE, type PlanInput } from '../src/engine/pacing/planner.ts';
import { openLedger } from '../src/engine/pacing/quota.ts';
import { RateWindow } from '../src/engine/pacing/rate-window.ts';
import { DOCUMENTED_LIMITS } from '../src/engine/pacing/rate-window-state.ts';
import {
  learnRenderTime,
  NO_RENDER_TIMES,
  renderTimeOf,
} from '../src/engine/pacing/render-times.ts';
import { SeededRandom } from '../test/rigs/seeded-random.ts';
import { makespanOf, slotWorldOf } from '../test/rigs/slot-worlds.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const PRESETS = 20;
const WARM_UP = 3;
const RUNS = 15;

const { values } = parseArgs({ options: { worlds: { type: 'string', default: '2000' } } });

const RULES = ['no quota', 'quota of 500 a month', '5 renders at a time'] as const;

function inputOf(count: number, rule: (typeof RULES)[number]): PlanInput {
  const withQuota = rule === 'quota of 500 a month';
  const random = new SeededRandom(count);
  let times = NO_RENDER_TIMES;
  for (let n = 0; n < 200; n++) {
    times = learnRenderTime(times, String(n % PRESETS), random.logNormal(120_000, 0.5));
  }
  const renderTimes = Array.from({ length: PRESETS }, (_, i) => renderTimeOf(times, String(i)));
  return {
    jobs: {
      stage: Uint8Array.from({ length: count }, (_, i) =>
        i < 10 ? STAGE.rendering : STAGE.toSend,
      ),
      preset: Uint16Array.from({ length: count }, () => random.integer(0, PRESETS - 1)),
      since: new Float64Array(count).fill(NOW - 60_000),
      bytes: Float64Array.from({ length: count }, () => random.logBetween(10e6, 200e6)),
    },
    generate: new RateWindow(DOCUMENTED_LIMITS.generate),
    download: new RateWindow(DOCUMENTED_LIMITS.download),
    slots:
      rule === '5 renders at a time'
        ? { limit: 5, renderedAtOnce: null, othersEndAt: [], notBefore: 0, averages: renderTimes }
        : null,
    quota: withQuota
      ? {
          ledger: openLedger(500, { start: Date.UTC(2026, 4, 1), end: Date.UTC(2026, 5, 1) }),
          anchor: { per: 'month', date: '2026-01-01' },
          zone: 'Europe/Berlin',
          boundaryDelayMs: 0,
        }
      : null,
    renderTimes,
    sendFrom: 0,
    roundTripMs: 300,
    bytesPerSecond: 10e6,
  };
}

for (const rule of RULES) {
  for (const count of [1000, 10_000, 100_000]) {
    const input = inputOf(count, rule);
    const took: number[] = [];
    for (let run = 0; run < WARM_UP + RUNS; run++) {
      const startedAt = performance.now();
      plan(input, NOW);
      if (run >= WARM_UP) took.push(performance.now() - startedAt);
    }
    took.sort((a, b) => a - b);
    const figures = [took[RUNS >> 1]!, took.at(-1)!].map((ms) => `${ms.toFixed(1)} ms`);
    console.log(`${String(count).padStart(7)} jobs, ${rule}: median ${figures.join(', slowest ')}`);
  }
}

const makespans = Array.from({ length: Number(values.worlds) }, (_, seed) =>
  makespanOf(slotWorldOf(seed)),
).filter((each) => each !== null);
const ratios = makespans.map(({ plannedMs, leastMs }) => plannedMs / leastMs);
const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
console.log(
  `makespan ÷ least in ${ratios.length} worlds: mean ${mean.toFixed(4)}, worst ${Math.max(...ratios).toFixed(4)}, best ${Math.min(...ratios).toFixed(4)}`,
);
