import { z } from 'zod';
import { parseOutage, RenderOutageError } from '../rendering/render-errors.ts';
import type { RenderMonitor } from '../videos/render-monitor.ts';
import type { Queries } from './postgres-database.ts';
import { WORKER_GONE_SECONDS } from './postgres-render-jobs.ts';

const progressRow = z.object({ progress: z.number() });
const workersRow = z.object({ workers: z.int(), waiting: z.int(), outage: z.string().nullable() });

/** Monitors renders of other processes, which are notified when a video is accepted. */
export class PostgresRenderMonitor implements RenderMonitor {
  readonly #database: Queries;

  constructor(database: Queries) {
    this.#database = database;
  }

  wake(): void {
    // PostgreSQL notifies the workers.
  }

  async progressOf(id: string): Promise<number> {
    const [row] = await this.#database.query('SELECT progress FROM spool.video WHERE id = $1', [
      id,
    ]);
    return row ? progressRow.parse(row).progress : 0;
  }

  /** An outage only counts if all workers have one: otherwise videos wait for other videos only. */
  async waitingFor(): Promise<string | undefined> {
    const [row] = await this.#database.query(
      `SELECT count(*) AS workers, count(outage) AS waiting, min(outage) AS outage
       FROM spool.worker WHERE seen_at > now() - interval '${WORKER_GONE_SECONDS} s'`,
    );
    const { workers, waiting, outage } = workersRow.parse(row);
    if (workers === 0) return new RenderOutageError('no-computers').message;
    const shared = outage !== null && waiting === workers ? parseOutage(outage) : undefined;
    return shared && new RenderOutageError(shared).message;
  }
}
