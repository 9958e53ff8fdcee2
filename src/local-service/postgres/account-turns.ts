import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';

/**
 * Lets the transactions of one account wait for each other before they take a connection. They wait for
 * its lock in the database anyway; there, one account's requests would hold all connections of the
 * process, and those behind them would take the wait for an outage.
 *
 * It knows nothing of other processes: the lock remains what keeps accounts consistent.
 */
export class AccountTurns {
  /** The end of the last turn of each account, as long as there is one. */
  readonly #last = new Map<number, Promise<void>>();

  /**
   * Runs `work` after what came before for the account.
   *
   * @throws {DatabaseUnavailableError} without having begun, when what came before found an outage:
   *   hundreds that wait must not find out one after the other
   */
  async run<T>(account: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(account) ?? Promise.resolve();
    const result = before.then(work);
    const turn = result.then(() => undefined, passOutage);
    // Most turns have none behind them that hears of an outage.
    turn.catch(() => undefined);
    this.#last.set(account, turn);
    try {
      return await result;
    } finally {
      if (this.#last.get(account) === turn) this.#last.delete(account);
    }
  }
}

/** Of those that wait, nothing can have been committed. */
function passOutage(error: unknown): undefined {
  if (error instanceof CommitUncertainError) throw new DatabaseUnavailableError(error.cause);
  if (error instanceof DatabaseUnavailableError) throw error;
}
