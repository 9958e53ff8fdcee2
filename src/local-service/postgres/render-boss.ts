import { type Db, PgBoss } from 'pg-boss';
import type { PostgresDatabase, Queries } from './postgres-database.ts';
import { JOBS_SCHEMA, RENDER_QUEUE } from './postgres-schema.ts';

/**
 * Interval of looking for jobs of lost workers: found at most 10 s after 20 s without a heartbeat.
 */
export const SUPERVISE_SECONDS = 10;

/**
 * Creates pg-boss on the service's connections. Its errors go to `onError` and never end the
 * process.
 */
export function createBoss(
  database: PostgresDatabase,
  superviseSeconds: number,
  onError: (error: unknown) => void,
): PgBoss {
  const boss = new PgBoss({
    db: bossDatabase(database),
    schema: JOBS_SCHEMA,
    // `spool service migrate` creates the schema.
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
 * Enqueues jobs like `PgBoss.send`, in a statement whose CTE `video` has the columns `job_id`, `id`
 * and `account_id`: one statement accepts videos and enqueues their jobs. pg-boss orders jobs by
 * time only, so those of one statement get times in the order of their `job_id`.
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
 * Completes jobs like `PgBoss.complete`, in a statement whose CTE `ended` has their `job_id`. The
 * array makes PostgreSQL use the key: for `IN` it reads all jobs of the queue.
 */
export const COMPLETE_JOB = `
  UPDATE ${JOBS_SCHEMA}.job SET state = 'completed', completed_on = now(), output = NULL
  WHERE name = '${RENDER_QUEUE}' AND state = 'active' AND id = ANY (ARRAY(SELECT job_id FROM ended))`;

/** Lets pg-boss run its statements on a connection or in a transaction of the service. */
export function bossDatabase(queries: Queries): Db {
  return {
    executeSql: async (text, values) => ({ rows: [...(await queries.query(text, values))] }),
  };
}
