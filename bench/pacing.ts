/**
 * How close to the least possible time a batch is finished, and how often the service has to refuse.
 *
 *     npm run bench:pacing [-- --seeds 60 --engine-seeds 6 --client "the engine" --kind fixed]
 *
 * Virtual time; everybody lives in the same worlds (`pacing/scenario.ts`). “the engine” is Spool's
 * engine as it ships: opened on a database, given a file, and left alone with its own loops, windows
 * and planner (`pacing/engine-run.ts`). It writes everything down and so takes its time; the other
 * columns leave that out and run more worlds. They share polling and transfers and differ in how
 * they pace submissions and links: “rate window” is the class that the engine's scheduler asks,
 * driven by itself, and has to come to the engine's figures. Bottleneck and p-queue run unchanged on
 * virtual timers and honour `Retry-After`. The lower bound (`pacing/lower-bound.ts`) sees the
 * service's counter.
 */
import { parseArgs } from 'node:util';
import { RATE_SERVER_KINDS } from '../test/rigs/rate-servers.ts';
import type { RateServerKind } from '../test/rigs/rate-servers.ts';
import { runBatch } from './pacing/batch-run.ts';
import type { BatchResult } from './pacing/batch-run.ts';
import { CLIENTS } from './pacing/clients.ts';
import { runEngine } from './pacing/engine-run.ts';
import { lowerBound } from './pacing/lower-bound.ts';
import { scenarioOf } from './pacing/scenario.ts';
import type { Scenario } from './pacing/scenario.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    'engine-seeds': { type: 'string', default: '6' },
    client: { type: 'string' },
    kind: { type: 'string' },
  },
});
const startedAt = performance.now();

interface Contestant {
  readonly seeds: number;
  readonly run: (scenario: Scenario) => Promise<BatchResult>;
}

const contestants: Readonly<Record<string, Contestant>> = {
  'the engine': { seeds: Number(values['engine-seeds']), run: runEngine },
  ...Object.fromEntries(
    Object.entries(CLIENTS).map(([name, maker]): [string, Contestant] => [
      name,
      { seeds: Number(values.seeds), run: (scenario) => runBatch(scenario, maker) },
    ]),
  ),
};

interface Cell {
  ratios: number[];
  refusals: number[];
}

async function measure(
  kind: RateServerKind,
  shared: boolean,
  { seeds, run }: Contestant,
): Promise<Cell> {
  const cell: Cell = { ratios: [], refusals: [] };
  for (let seed = 0; seed < seeds; seed++) {
    const scenario = scenarioOf(kind, shared, seed);
    const { makespanMs, refusals } = await run(scenario);
    cell.ratios.push(makespanMs / lowerBound(scenario));
    cell.refusals.push(refusals.generate + refusals.status + refusals.download);
  }
  return cell;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function summaryOf({ ratios, refusals }: Cell): string {
  const ratio = `${mean(ratios).toFixed(3)} / ${Math.max(...ratios).toFixed(3)}`;
  return `${ratio}   ${mean(refusals).toFixed(1)}`.padEnd(24);
}

const names = Object.keys(contestants).filter((name) => name === (values.client ?? name));
const kinds = RATE_SERVER_KINDS.filter((kind) => kind === (values.kind ?? kind));
console.log(
  `makespan ÷ lower bound: mean / worst, then 429s a run; ${values.seeds} runs a cell, ${values['engine-seeds']} of the engine`,
);
console.log(''.padEnd(24) + names.map((name) => name.padEnd(24)).join(''));
const totals = new Map<string, Cell>();
for (const shared of [false, true]) {
  for (const kind of kinds) {
    let row = `${kind}, ${shared ? 'shared' : 'alone'}`.padEnd(24);
    for (const name of names) {
      const cell = await measure(kind, shared, contestants[name]!);
      const total = totals.get(name) ?? { ratios: [], refusals: [] };
      total.ratios.push(...cell.ratios);
      total.refusals.push(...cell.refusals);
      totals.set(name, total);
      row += summaryOf(cell);
    }
    console.log(row);
  }
}
console.log('all'.padEnd(24) + names.map((name) => summaryOf(totals.get(name)!)).join(''));
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
