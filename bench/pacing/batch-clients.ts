import { runBatch, type BatchResult } from './batch-run.ts';
import { CLIENTS } from './clients.ts';
import { runEngine } from './engine-run.ts';
import type { Scenario } from './scenario.ts';

/** Runs one batch with each client, by the name of its column. */
export const BATCH_CLIENTS: Readonly<Record<string, (scenario: Scenario) => Promise<BatchResult>>> =
  {
    'the engine': runEngine,
    ...Object.fromEntries(
      Object.entries(CLIENTS).map(([name, maker]) => [
        name,
        (scenario: Scenario) => runBatch(scenario, maker),
      ]),
    ),
  };
