/** Runs heats for `Contest` in a separate thread. */
import { parentPort } from 'node:worker_threads';
import type { Heat, HeatResult } from './contest.ts';
import { CONTESTANTS } from './contestants.ts';
import { lowerBound } from './lower-bound.ts';
import { scenarioOf } from './scenario.ts';

async function run({ name, kind, shared, dialect, seeds }: Heat): Promise<HeatResult> {
  const ratios: number[] = [];
  const refusals: number[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const scenario = scenarioOf(kind, shared, seed, dialect);
    const result = await CONTESTANTS[name]!(scenario);
    ratios.push(result.makespanMs / lowerBound(scenario));
    refusals.push(Object.values(result.refusals).reduce((sum, count) => sum + count, 0));
  }
  return { ratios, refusals };
}

parentPort?.on('message', (heat: Heat) => {
  void run(heat).then((result) => parentPort?.postMessage(result));
});
