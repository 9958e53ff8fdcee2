import type { PostgresDatabase } from './postgres-database.ts';

/** The channel on which workers listen for queued videos. */
export const RENDER_CHANNEL = 'spool_render';

/** Minimum interval of notifications. */
const INTERVAL_MS = 25;

/**
 * Notifies the workers of accepted videos, at most once in 25 ms. It does not use the transactions
 * that accept them: PostgreSQL commits transactions with a notification one after another, across
 * all processes (async.c, PreCommit_Notify), so they could not share a sync of the disk. A
 * notification that is lost with its process delays its videos a little: workers also poll every 2
 * s.
 */
export class RenderNotifier {
  readonly #database: Pick<PostgresDatabase, 'query'>;
  #isWaiting = false;
  #isDue = false;

  constructor(database: Pick<PostgresDatabase, 'query'>) {
    this.#database = database;
  }

  /** To be called after the commit. */
  notify(): void {
    this.#isDue = true;
    if (this.#isWaiting) return;
    this.#isDue = false;
    this.#isWaiting = true;
    // After an outage, the workers' polling finds the videos.
    void this.#database.query(`NOTIFY ${RENDER_CHANNEL}`).catch(() => undefined);
    setTimeout(() => {
      this.#isWaiting = false;
      if (this.#isDue) this.notify();
    }, INTERVAL_MS).unref();
  }
}
