import type { Transactions } from './transactions.ts';

/** Longer answers are kept up to here; nobody reads more of them. */
const MAX_ANSWER = 16 * 1024;

/** What was sent and what came back: written before a request leaves, and when its end is known. */
export class AttemptLog {
  readonly #database: Transactions;

  constructor(database: Transactions) {
    this.#database = database;
  }

  begin(jobId: number, at: number): number {
    return this.#database.run('INSERT INTO attempt (job_id, started_at) VALUES (?, ?)', jobId, at)
      .id;
  }

  /** Whether an attempt of a job began at that very moment. */
  hasAttempt(jobId: number, at: number): boolean {
    return (
      this.#database.number(
        'SELECT count(*) FROM attempt WHERE job_id = ? AND started_at = ?',
        jobId,
        at,
      ) > 0
    );
  }

  end(attemptId: number, outcome: string, at: number): void {
    this.#database.run(
      'UPDATE attempt SET ended_at = ?, outcome = ? WHERE id = ?',
      at,
      outcome,
      attemptId,
    );
  }

  /** Ends attempts that a stopped engine left open. */
  endOpen(outcome: string, at: number): void {
    this.#database.run(
      'UPDATE attempt SET ended_at = ?, outcome = ? WHERE ended_at IS NULL',
      at,
      outcome,
    );
  }

  /** Keeps what the service said last about a job, as it came. */
  answer(jobId: number, body: string, at: number): void {
    this.#database.run(
      `INSERT INTO answer (job_id, body, at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at`,
      jobId,
      body.slice(0, MAX_ANSWER),
      at,
    );
  }

  lastAnswer(jobId: number): string | null {
    const row = this.#database.get('SELECT body FROM answer WHERE job_id = ?', jobId);
    return row ? String(row.body) : null;
  }
}
