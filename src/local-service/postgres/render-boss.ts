import { type Db, PgBoss } from 'pg-boss';
import type { PostgresDatabase, Queries } from './postgres-database.ts';
import { JOBS_SCHEMA, RENDER_QUEUE } from './postgres-schema.ts';

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

/**
 * Puts jobs in line as `PgBoss.send` does, for a statement whose CTE `video` has the columns
 * `job_id`, `id` and `account_id`: videos are accepted in one statement with their jobs. Those of one
 * statement are in line by their `job_id`; pg-boss knows no other order than their time.
 */
export const INSERT_JOB = `
  INSERT INTO ${JOBS_SCHEMA}.job
    (id, name, data, group_id, policy, expire_seconds, deletion_seconds, keep_until, created_on,
     retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter, heartbeat_seconds)
  SELECT video.job_id, queue.name, jsonb_build_object('video', video.id), video.account_id::text,
    policy, expire_seconds, deletion_seconds, now() + retention_seconds * interval '1 s',
    now() + (row_number() OVER (ORDER BY video.job_id) - 1) * interval '1 microsecond',
    retry_limit, retry_delay, retry_backoff, retry_delay_max, dead_letter, heartbeat_seconds
  FROM video, ${JOBS_SCHEMA}.queue WHERE queue.name = '${RENDER_QUEUE}'`;

/**
 * Ends jobs as `PgBoss.complete` does, for a statement whose CTE `ended` has their `job_id`. As an array,
 * so that they are found by their key: for `IN` PostgreSQL reads all jobs of the queue.
 */
export const COMPLETE_JOB = `
  UPDATE ${JOBS_SCHEMA}.job SET state = 'completed', completed_on = now(), output = NULL
  WHERE name = '${RENDER_QUEUE}' AND state = 'active' AND id = ANY (ARRAY(SELECT job_id FROM ended))`;

/** Lets pg-boss run its statements in a transaction of the service. */
export function inBoss(queries: Queries): Db {
  return {
    executeSql: async (text, values) => ({ rows: [...(await queries.query(text, values))] }),
  };
}
