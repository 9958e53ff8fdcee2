import { type Db, PgBoss } from 'pg-boss';
import type { PostgresDatabase, Queries } from './postgres-database.ts';
import { JOBS_SCHEMA } from './postgres-schema.ts';

/** Workers listen here for videos to render. */
export const RENDER_CHANNEL = 'spool_render';

/** How often jobs of lost workers are looked for: 10 s at most after the 20 s without a heartbeat. */
export const SUPERVISE_SECONDS = 10;

/** pg-boss on the service's connections. Its errors go to `onError`; they never end the process. */
export function createBoss(
  database: PostgresDatabase,
  superviseSeconds: number,
  onError: (error: unknown) => void,
): PgBoss {
  const boss = new PgBoss({
    db: inBoss(database),
    schema: JOBS_SCHEMA,
    // The schema is made by `spool service migrate`.
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    reindex: false,
  });
  boss.on('error', onError);
  return boss;
}

/** Lets pg-boss run its statements in a transaction of the service. */
export function inBoss(queries: Queries): Db {
  return {
    executeSql: async (text, values) => ({ rows: [...(await queries.query(text, values))] }),
  };
}
