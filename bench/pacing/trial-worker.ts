/** Runs trials for `TrialPool` in a separate thread. */
import { parentPort } from 'node:worker_threads';
import type { Trial, TrialResult } from './trial-pool.ts';
import { BATCH_CLIENTS } from './batch-clients.ts';
import { lowerBound } from './lower-bound.ts';
import { scenarioOf } from './scenario.ts';

async function run({ name, kind, shared, dialect, seeds }: Trial): Promise<TrialResult> {
  const ratios: number[] = [];
  const refusals: number[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const scenario = scenarioOf(kind, shared, seed, dialect);
    const result = await BATCH_CLIENTS[name]!(scenario);
    ratios.push(result.makespanMs / lowerBound(scenario));
    refusals.push(Object.values(result.refusals).reduce((sum, count) => sum + count, 0));
  }
  return { ratios, refusals };
}

parentPort?.on('message', (trial: Trial) => {
  void run(trial).then((result) => parentPort?.postMessage(result));
});
