/**
 * How close to the least possible time a batch is finished, and how often the service has to
 * refuse.
 *
 *     npm run bench:pacing [-- --seeds 60 --engine-seeds 6 --dialect-seeds 6 --client "the engine"
 *       --kind fixed]
 *
 * Virtual time; everybody lives in the same worlds (`pacing/scenario.ts`). “the engine” is Spool's
 * engine as it ships: opened on a database, given a file, and left alone with its own loops,
 * windows and planner (`pacing/engine-run.ts`). It writes everything down and so takes its time;
 * the other columns leave that out and run more worlds. They share polling and transfers and differ
 * in how they pace submissions and links: “rate window” is the class that the engine's scheduler
 * asks, driven by itself, and has to come to the engine's figures. Bottleneck and p-queue run
 * unchanged on virtual timers and honour `Retry-After`. The lower bound (`pacing/lower-bound.ts`)
 * sees the service's counter.
 *
 * Then services that speak of their limits in other headers than the documented ones, in the same
 * worlds.
 */
import { parseArgs } from 'node:util';
import { RATE_DIALECTS, RATE_SERVER_KINDS } from '../test/rigs/rate-servers.ts';
import { Contest, type HeatResult } from './pacing/contest.ts';
import { CONTESTANTS } from './pacing/contestants.ts';

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

function summaryOf(results: readonly HeatResult[]): string {
  const ratios = results.flatMap((result) => result.ratios);
  const refusals = results.flatMap((result) => result.refusals);
  const ratio = `${mean(ratios).toFixed(3)} / ${Math.max(...ratios).toFixed(3)}`;
  return `${ratio}   ${mean(refusals).toFixed(1)}`.padEnd(24);
}

const names = Object.keys(CONTESTANTS).filter((name) => name === (values.client ?? name));
const kinds = RATE_SERVER_KINDS.filter((kind) => kind === (values.kind ?? kind));
console.log(
  `makespan ÷ lower bound: mean / worst, then 429s a run; ${values.seeds} runs a cell, ${values['engine-seeds']} of the engine`,
);
console.log(''.padEnd(24) + names.map((name) => name.padEnd(24)).join(''));
const contest = new Contest();
const rows = [false, true].flatMap((shared) =>
  kinds.map((kind) => ({
    title: `${kind}, ${shared ? 'shared' : 'alone'}`,
    heats: names.map((name) =>
      contest.run({ name, kind, shared, dialect: 'documented', seeds: seedsOf(name) }),
    ),
  })),
);
const all = names.map((): HeatResult[] => []);
for (const { title, heats } of rows) {
  const results = await Promise.all(heats);
  results.forEach((result, column) => all[column]?.push(result));
  console.log(title.padEnd(24) + results.map((result) => summaryOf([result])).join(''));
}
console.log('all'.padEnd(24) + all.map(summaryOf).join(''));

// The others ignore the reset, or cannot parse it.
const fluent = names.filter((name) => name === 'the engine' || name === 'rate window');
const dialectSeeds = (name: string): number =>
  name === 'the engine' ? 1 : Number(values['dialect-seeds']);
console.log(
  `\nother headers; ${values['dialect-seeds']} runs of each kind, ${dialectSeeds('the engine')} of the engine`,
);
const dialects = RATE_DIALECTS.filter((dialect) => dialect !== 'documented' && fluent.length > 0);
for (const dialect of dialects) {
  const columns = fluent.map((name) =>
    [false, true].flatMap((shared) =>
      kinds.map((kind) => contest.run({ name, kind, shared, dialect, seeds: dialectSeeds(name) })),
    ),
  );
  const results = await Promise.all(columns.map((heats) => Promise.all(heats)));
  console.log(dialect.padEnd(24) + results.map(summaryOf).join(''));
}
await contest.end();
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
