/**
 * How close to the least possible time a batch is finished, and how often the service has to refuse.
 *
 *     npm run bench:pacing [-- --seeds 60 --client "rate window" --kind fixed]
 *
 * Virtual time; every client lives in the same worlds (`pacing/scenario.ts`) with the same polling
 * and transfers, and differs in how it paces submissions and links. Bottleneck and p-queue run
 * unchanged on virtual timers and honour `Retry-After`. The lower bound (`pacing/lower-bound.ts`)
 * sees the service's counter.
 */
import { parseArgs } from 'node:util';
import { RATE_SERVER_KINDS } from '../test/rigs/rate-servers.ts';
import type { RateServerKind } from '../test/rigs/rate-servers.ts';
import { runBatch } from './pacing/batch-run.ts';
import { CLIENTS } from './pacing/clients.ts';
import type { PacerMaker } from './pacing/clients.ts';
import { lowerBound } from './pacing/lower-bound.ts';
import { scenarioOf } from './pacing/scenario.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    client: { type: 'string' },
    kind: { type: 'string' },
  },
});
const seeds = Number(values.seeds);
const startedAt = performance.now();

interface Cell {
  ratios: number[];
  refusals: number[];
}

async function measure(kind: RateServerKind, shared: boolean, maker: PacerMaker): Promise<Cell> {
  const cell: Cell = { ratios: [], refusals: [] };
  for (let seed = 0; seed < seeds; seed++) {
    const scenario = scenarioOf(kind, shared, seed);
    const { makespanMs, refusals } = await runBatch(scenario, maker);
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

const names = Object.keys(CLIENTS).filter((name) => name === (values.client ?? name));
const kinds = RATE_SERVER_KINDS.filter((kind) => kind === (values.kind ?? kind));
console.log(`makespan ÷ lower bound: mean / worst, then 429s a run; ${seeds} runs a cell`);
console.log(''.padEnd(24) + names.map((name) => name.padEnd(24)).join(''));
const totals = new Map<string, Cell>();
for (const shared of [false, true]) {
  for (const kind of kinds) {
    let row = `${kind}, ${shared ? 'shared' : 'alone'}`.padEnd(24);
    for (const name of names) {
      const cell = await measure(kind, shared, CLIENTS[name]!);
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
