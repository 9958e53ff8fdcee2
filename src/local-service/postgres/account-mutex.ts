import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';

/**
 * Runs the transactions of one account one after another. The lock of the account in the database
 * would do so too, but while they wait there, one account's transactions would hold all connections
 * of the process, and other transactions would time out and report an outage.
 *
 * It knows nothing of other processes: only the lock in the database keeps accounts consistent.
 */
export class AccountMutex {
  /** By account: settles when its last transaction has ended. */
  readonly #last = new Map<number, Promise<void>>();

  /**
   * Runs `work` after the earlier work of the account.
   *
   * @throws {DatabaseUnavailableError} without running `work`, when the work before it failed with
   *   an outage: otherwise hundreds of waiting calls would time out one after another
   */
  async run<T>(account: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(account) ?? Promise.resolve();
    const result = before.then(work);
    const ended = result.then(() => undefined, rethrowOutage);
    // Usually no other call waits and handles a rejection.
    ended.catch(() => undefined);
    this.#last.set(account, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(account) === ended) this.#last.delete(account);
    }
  }
}

/** For the waiting calls, which have committed nothing: their outcome is never uncertain. */
function rethrowOutage(error: unknown): undefined {
  if (error instanceof CommitUncertainError) throw new DatabaseUnavailableError(error.cause);
  if (error instanceof DatabaseUnavailableError) throw error;
}
