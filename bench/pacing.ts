/**
 * Measures how close to the least possible time clients finish a batch, and how often the service
 * refuses their requests.
 *
 *     npm run bench:pacing [-- --seeds 60 --engine-seeds 6 --dialect-seeds 6 --client "the engine"
 *       --kind fixed]
 *
 * Time is virtual, and all clients run in the same scenarios (`pacing/scenario.ts`). “the engine”
 * is Spool's engine as it ships, with its database, loops, windows and planner
 * (`pacing/engine-run.ts`). Its database makes it slow; the other clients have none and run more
 * scenarios. They share polling and transfers, and differ in how they pace submissions and links:
 * “rate window” is the class that the engine's scheduler uses, alone, and must reach the engine's
 * figures. Bottleneck and p-queue run unchanged on virtual timers and honour `Retry-After`. The
 * lower bound (`pacing/lower-bound.ts`) knows the service's counter.
 *
 * Then the same scenarios with services that report their limits in other headers than the
 * documented ones.
 */
import { parseArgs } from 'node:util';
import { RATE_DIALECTS, RATE_SERVER_KINDS } from '../test/rigs/rate-servers.ts';
import { TrialPool, type TrialResult } from './pacing/trial-pool.ts';
import { BATCH_CLIENTS } from './pacing/batch-clients.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    'engine-seeds': { type: 'string', default: '6' },
    'dialect-seeds': { type: 'string', default: '6' },
    client: { type: 'string' },
    kind: { type: 'string' },
  },
});
const startedAt = performance.now();

function seedsOf(name: string): number {
  return Number(name === 'the engine' ? values['engine-seeds'] : values.seeds);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function summaryOf(results: readonly TrialResult[]): string {
  const ratios = results.flatMap((result) => result.ratios);
  const refusals = results.flatMap((result) => result.refusals);
  const ratio = `${mean(ratios).toFixed(3)} / ${Math.max(...ratios).toFixed(3)}`;
  return `${ratio}   ${mean(refusals).toFixed(1)}`.padEnd(24);
}

const names = Object.keys(BATCH_CLIENTS).filter((name) => name === (values.client ?? name));
const kinds = RATE_SERVER_KINDS.filter((kind) => kind === (values.kind ?? kind));
console.log(
  `makespan ÷ lower bound: mean / worst, then 429s a run; ${values.seeds} runs a cell, ${values['engine-seeds']} of the engine`,
);
console.log(''.padEnd(24) + names.map((name) => name.padEnd(24)).join(''));
const pool = new TrialPool();
const rows = [false, true].flatMap((shared) =>
  kinds.map((kind) => ({
    title: `${kind}, ${shared ? 'shared' : 'alone'}`,
    trials: names.map((name) =>
      pool.run({ name, kind, shared, dialect: 'documented', seeds: seedsOf(name) }),
    ),
  })),
);
const all = names.map((): TrialResult[] => []);
for (const { title, trials } of rows) {
  const results = await Promise.all(trials);
  results.forEach((result, column) => all[column]?.push(result));
  console.log(title.padEnd(24) + results.map((result) => summaryOf([result])).join(''));
}
console.log('all'.padEnd(24) + all.map(summaryOf).join(''));

// The other clients ignore the reset, or cannot parse it.
const headerClients = names.filter((name) => name === 'the engine' || name === 'rate window');
const dialectSeeds = (name: string): number =>
  name === 'the engine' ? 1 : Number(values['dialect-seeds']);
console.log(
  `\nother headers; ${values['dialect-seeds']} runs of each kind, ${dialectSeeds('the engine')} of the engine`,
);
const dialects = RATE_DIALECTS.filter(
  (dialect) => dialect !== 'documented' && headerClients.length > 0,
);
for (const dialect of dialects) {
  const columns = headerClients.map((name) =>
    [false, true].flatMap((shared) =>
      kinds.map((kind) => pool.run({ name, kind, shared, dialect, seeds: dialectSeeds(name) })),
    ),
  );
  const results = await Promise.all(columns.map((trials) => Promise.all(trials)));
  console.log(dialect.padEnd(24) + results.map(summaryOf).join(''));
}
await pool.close();
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
