import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { RateDialect, RateServerKind } from '../../test/rigs/rate-servers.ts';

/** One contestant in the worlds of one kind of service. */
export interface Heat {
  /** A name in `CONTESTANTS`. */
  readonly name: string;
  readonly kind: RateServerKind;
  readonly shared: boolean;
  readonly dialect: RateDialect;
  /** Worlds, from seed 0 on. */
  readonly seeds: number;
}

/** One number a world: makespan ÷ lower bound, and 429s. */
export interface HeatResult {
  readonly ratios: readonly number[];
  readonly refusals: readonly number[];
}

/** Runs heats side by side, one a core: time is virtual, so they do not get in each other's way. */
export class Contest {
  readonly #workers = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('contest-worker.ts', import.meta.url)),
  );
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #idle = [...this.#workers];

  async run(heat: Heat): Promise<HeatResult> {
    const worker = this.#idle.pop() ?? (await this.#nextIdle());
    const result = await new Promise<HeatResult>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (done: HeatResult) => {
        worker.off('error', reject);
        resolve(done);
      });
      worker.postMessage(heat);
    });
    const next = this.#waiting.shift();
    if (next) next(worker);
    else this.#idle.push(worker);
    return result;
  }

  #nextIdle(): Promise<Worker> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
