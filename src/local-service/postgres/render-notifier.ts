import type { PostgresDatabase } from './postgres-database.ts';

/** Workers listen here for videos to render. */
export const RENDER_CHANNEL = 'spool_render';

/** How long a notification may wait for others, in milliseconds. */
const INTERVAL_MS = 25;

/**
 * Tells the workers that videos wait, once for all that were accepted within 25 ms. Not in the
 * transactions that accept them: PostgreSQL commits those with a notification one after another, over
 * all processes (async.c, PreCommit_Notify), so that they could not share a sync of the disk. A
 * notification that is lost with its process costs its videos a moment: workers look every 2 s.
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
    // In an outage the workers look by themselves, once it is over.
    void this.#database.query(`NOTIFY ${RENDER_CHANNEL}`).catch(() => undefined);
    setTimeout(() => {
      this.#isWaiting = false;
      if (this.#isDue) this.notify();
    }, INTERVAL_MS).unref();
  }
}
