import type { Clock } from '../clock.ts';
import type { Fetcher } from '../flow/fetcher.ts';
import type { TransferLimits, TransferThrottle } from '../flow/transfer-limits.ts';
import type { TransferPauses } from '../flow/transfer-pauses.ts';
import { tryAll } from '../flow/download-waits.ts';
import { NO_WAIT } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { jobIdOf } from './job-id.ts';

export interface TransferCommandParts {
  readonly store: Store;
  readonly fetcher: Pick<Fetcher, 'stopPaused'>;
  readonly pauses: TransferPauses;
  readonly throttle: TransferThrottle;
  readonly clock: Clock;
}

/** What their owner may do with downloads, apart from the jobs that they belong to. */
export class TransferCommands {
  readonly #parts: TransferCommandParts;

  constructor(parts: TransferCommandParts) {
    this.#parts = parts;
  }

  /**
   * Resolves once they have stopped.
   * @param ids all, and those to come, when left out
   * @throws {JobUnknownError}
   */
  async pause(ids?: readonly string[]): Promise<void> {
    const { pauses, fetcher } = this.#parts;
    pauses.pause(this.#known(ids));
    await fetcher.stopPaused();
  }

  /**
   * @param ids all when left out
   * @throws {JobUnknownError}
   */
  resume(ids?: readonly string[]): void {
    const { store, pauses } = this.#parts;
    const jobIds = this.#known(ids);
    store.transactions.write(() => {
      pauses.resume(jobIds);
      if (jobIds) for (const id of jobIds) store.jobs.change(id, NO_WAIT);
      else this.tryAll();
    });
  }

  /** Those that wait for the world are tried now. */
  tryAll(): void {
    const { store, clock } = this.#parts;
    tryAll(store, clock.now());
  }

  setLimits(limits: TransferLimits): void {
    this.#parts.throttle.limits = limits;
  }

  #known(ids: readonly string[] | undefined): readonly number[] | undefined {
    return ids?.map((id) => this.#parts.store.jobs.get(jobIdOf(id)).id);
  }
}
