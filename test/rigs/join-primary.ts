import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/engine/system-clock.ts';
import type { WantedService } from '../../src/host/primary-contract.ts';
import { joinOrOpen, type Queue } from '../../src/host/queue.ts';

/** Joins the process that runs the queue of a data folder; left when the test is over. */
export async function joinPrimary(dataDir: string, wanted: WantedService): Promise<Queue> {
  const queue = await joinOrOpen({
    dataDir,
    checkPrimary: () => undefined,
    openOwn: () => Promise.reject(new Error('Another process works it.')),
    wanted: () => Promise.resolve(wanted),
    clock: systemClock,
  });
  onTestFinished(() => queue.close());
  return queue;
}
