/**
 * How long a plan takes: `npm run bench:planner`.
 *
 * Medians of 15 runs after 3 to warm up. Targets: 10,000 jobs in 50 ms, 100,000 in 500 ms.
 */
import { plan, STAGE } from '../src/engine/pacing/planner.ts';
import type { PlanInput } from '../src/engine/pacing/planner.ts';
import { openLedger } from '../src/engine/pacing/quota.ts';
import { DOCUMENTED_LIMITS, RateWindow } from '../src/engine/pacing/rate-window.ts';
import {
  learnRenderTime,
  NO_RENDER_TIMES,
  renderTimeOf,
} from '../src/engine/pacing/render-times.ts';
import { SeededRandom } from '../test/rigs/seeded-random.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const PRESETS = 20;
const WARM_UP = 3;
const RUNS = 15;

function inputOf(count: number, withQuota: boolean): PlanInput {
  const random = new SeededRandom(count);
  let times = NO_RENDER_TIMES;
  for (let n = 0; n < 200; n++) {
    times = learnRenderTime(times, String(n % PRESETS), random.logNormal(120_000, 0.5));
  }
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
    slots: null,
    quota: withQuota
      ? {
          ledger: openLedger(500, { start: Date.UTC(2026, 4, 1), end: Date.UTC(2026, 5, 1) }),
          anchor: { kind: 'billing', date: '2026-01-01' },
          zone: 'Europe/Berlin',
          boundaryDelayMs: 0,
        }
      : null,
    renderTimes: Array.from({ length: PRESETS }, (_, i) => renderTimeOf(times, String(i))),
    sendFrom: 0,
    roundTripMs: 300,
    bytesPerSecond: 10e6,
  };
}

for (const withQuota of [false, true]) {
  for (const count of [1000, 10_000, 100_000]) {
    const input = inputOf(count, withQuota);
    const took: number[] = [];
    for (let run = 0; run < WARM_UP + RUNS; run++) {
      const startedAt = performance.now();
      plan(input, NOW);
      if (run >= WARM_UP) took.push(performance.now() - startedAt);
    }
    took.sort((a, b) => a - b);
    const figures = [took[RUNS >> 1]!, took.at(-1)!].map((ms) => `${ms.toFixed(1)} ms`);
    const rule = withQuota ? 'quota of 500 a month' : 'no quota';
    console.log(`${String(count).padStart(7)} jobs, ${rule}: median ${figures.join(', slowest ')}`);
  }
}
