import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { RateDialect, RateServerKind } from '../../test/rigs/rate-servers.ts';

/** One client in the scenarios of one kind of service. */
export interface Trial {
  /** A name in `BATCH_CLIENTS`. */
  readonly name: string;
  readonly kind: RateServerKind;
  readonly shared: boolean;
  readonly dialect: RateDialect;
  /** Number of scenarios, from seed 0 on. */
  readonly seeds: number;
}

/** For each scenario, the makespan ÷ the lower bound, and the number of 429s. */
export interface TrialResult {
  readonly ratios: readonly number[];
  readonly refusals: readonly number[];
}

/**
 * Runs trials in parallel, one on each core; since time is virtual, they do not disturb each other.
 */
export class TrialPool {
  readonly #workers = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('trial-worker.ts', import.meta.url)),
  );
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #idle = [...this.#workers];

  async run(trial: Trial): Promise<TrialResult> {
    const worker = this.#idle.pop() ?? (await this.#nextIdle());
    const result = await new Promise<TrialResult>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (done: TrialResult) => {
        worker.off('error', reject);
        resolve(done);
      });
      worker.postMessage(trial);
    });
    const next = this.#waiting.shift();
    if (next) next(worker);
    else this.#idle.push(worker);
    return result;
  }

  #nextIdle(): Promise<Worker> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
