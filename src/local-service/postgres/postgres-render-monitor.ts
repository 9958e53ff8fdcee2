import { z } from 'zod';
import type { RenderMonitor } from '../videos/render-monitor.ts';
import type { Queries } from './postgres-database.ts';

const progressRow = z.object({ progress: z.number() });

/** Renders of other processes. They hear of videos from the transaction that accepts them. */
export class PostgresRenderMonitor implements RenderMonitor {
  readonly waitingFor = undefined;
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
}
