import type { Transactions } from './transactions.ts';

/** What this engine knows to have been taken from the quota in a stretch of time. */
export interface Spent {
  /** Charged, and not given back. */
  readonly charged: number;
  /** Set aside for requests under way or of unknown outcome. */
  readonly held: number;
}

/**
 * The quota's book: a hold when a request is reserved, turned into a charge when it is accepted,
 * released when it provably was not executed, refunded when its render failed, since only
 * successful generations count (service-api.md §4.1). Runs inside the caller's transaction.
 */
export class Ledger {
  readonly #database: Transactions;
  readonly #serviceId: number;

  constructor(database: Transactions, serviceId: number) {
    this.#database = database;
    this.#serviceId = serviceId;
  }

  hold(jobId: number, at: number): void {
    this.#database.run(
      "INSERT INTO charge (service_id, job_id, at, state) VALUES (?, ?, ?, 'held')",
      this.#serviceId,
      jobId,
      at,
    );
  }

  charge(jobId: number): void {
    this.#turn(jobId, 'held', 'charged');
  }

  release(jobId: number): void {
    this.#turn(jobId, 'held', 'released');
  }

  refund(jobId: number): void {
    this.#turn(jobId, 'charged', 'refunded');
  }

  /** @param from inclusive, @param to exclusive; milliseconds since the epoch */
  spent(from: number, to: number): Spent {
    const count = (state: string): number =>
      this.#database.number(
        'SELECT count(*) FROM charge WHERE service_id = ? AND state = ? AND at >= ? AND at < ?',
        this.#serviceId,
        state,
        from,
        to,
      );
    return { charged: count('charged'), held: count('held') };
  }

  /** A job has one open hold or charge at a time: the latest. */
  #turn(jobId: number, from: string, to: string): void {
    this.#database.run(
      `UPDATE charge SET state = ? WHERE id =
        (SELECT max(id) FROM charge WHERE job_id = ? AND state = ?)`,
      to,
      jobId,
      from,
    );
  }
}
