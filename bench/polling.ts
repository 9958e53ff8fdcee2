/**
 * Measures how long finished videos remain unnoticed, and compares that with the least possible if
 * nothing is known about when they finish: `npm run bench:polling`.
 *
 * M videos are always being rendered; a noticed one is replaced at once. With 48 status calls a
 * minute (60 less the user's reserve of 12) for M memoryless renders, each remains unnoticed for M
 * ÷ 96 minutes on average, whatever the order: the floor. The policy does not know the true
 * distribution, only the log-normal it learned from 200 earlier renders. The lag lasts from the end
 * of a render to the arrival of the call that sees it; the response's way back is the same for
 * every policy. Target: 1.3 × the floor.
 */
import { nextPoll, POLL_RESERVE, type PollTarget } from '../src/engine/pacing/polling.ts';
import { DOCUMENTED_LIMITS } from '../src/engine/pacing/rate-window-state.ts';
import {
  learnRenderTime,
  NO_RENDER_TIMES,
  renderTimeOf,
  type LogNormal,
} from '../src/engine/pacing/render-times.ts';
import { SeededRandom } from '../test/rigs/seeded-random.ts';

const { limit, windowMs } = DOCUMENTED_LIMITS.status;
const BUDGET = { limit, windowMs, remaining: null, nextAt: 0 };
const SPACING_MS = windowMs / (limit - POLL_RESERVE);
const MEASURED = 20_000;
const LEARNED = 200;

interface Render extends PollTarget {
  finishedAt: number;
}
/** Chooses the render to poll next, by its index, and when. */
type Policy = (
  renders: readonly Render[],
  lastAt: number,
  turn: number,
) => { index: number; at: number };

const ours: Policy = (renders, lastAt) =>
  nextPoll(renders, BUDGET, lastAt, lastAt) ?? { index: 0, at: lastAt + SPACING_MS };

const roundRobin: Policy = (renders, lastAt, turn) => ({
  index: turn % renders.length,
  at: lastAt + SPACING_MS,
});

function meanLag(
  inFlight: number,
  drawMs: (random: SeededRandom) => number,
  policy: Policy,
): number {
  const random = new SeededRandom(inFlight);
  let times = NO_RENDER_TIMES;
  for (let n = 0; n < LEARNED; n++) times = learnRenderTime(times, 'any', drawMs(random));
  const renderTime: LogNormal = renderTimeOf(times, 'any');
  const start = (at: number): Render => ({
    submittedAt: at,
    askedAt: null,
    isUnanswered: false,
    renderTime,
    finishedAt: at + drawMs(random),
  });
  const renders = Array.from({ length: inFlight }, (_, i) => start(i * SPACING_MS));
  let lag = 0;
  let lastAt = inFlight * SPACING_MS;
  for (let noticed = 0, turn = 0; noticed < MEASURED; turn++) {
    const { index, at } = policy(renders, lastAt, turn);
    const render = renders[index]!;
    lastAt = at;
    render.askedAt = at;
    if (at < render.finishedAt) continue;
    lag += at - render.finishedAt;
    noticed++;
    renders[index] = start(at);
  }
  return lag / MEASURED;
}

const distributions: Record<string, (random: SeededRandom) => number> = {
  'memoryless, mean 120 s': (random) => random.exponential(120_000),
  'memoryless, mean 600 s': (random) => random.exponential(600_000),
  'log-normal, median 120 s, σ 0.5': (random) => random.logNormal(120_000, 0.5),
  'log-normal, median 120 s, σ 0.2': (random) => random.logNormal(120_000, 0.2),
};

console.log('mean lag in seconds, and as a multiple of the memoryless floor M ÷ 96 min');
for (const [name, draw] of Object.entries(distributions)) {
  for (const inFlight of [1, 10, 60]) {
    const floor = (inFlight / 96) * 60_000;
    const figures = [ours, roundRobin].map((policy) => {
      const lag = meanLag(inFlight, draw, policy);
      return `${(lag / 1000).toFixed(2).padStart(6)} s ×${(lag / floor).toFixed(2)}`;
    });
    console.log(
      `${name.padEnd(32)} M ${String(inFlight).padStart(2)}   floor ${(floor / 1000).toFixed(2).padStart(6)} s` +
        `   ours ${figures[0]!}   round robin ${figures[1]!}`,
    );
  }
}
