import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { windowStateSchema } from '../accounts/rate-window.ts';
import { DomainError } from '../domain-error.ts';
import type { ExportedData, ExportedTable, StoredRow } from '../exported-data.ts';
import { type PostgresDatabase, type Queries, storable } from './postgres-database.ts';
import { JOBS_SCHEMA, RENDER_QUEUE } from './postgres-schema.ts';
import { bossDatabase } from './render-boss.ts';

/** Columns that are copied unchanged. */
const COPIED = {
  account: 'id email plan signed_up_at billing_date custom_quota custom_limits',
  api_key: 'id account_id name hash created_at revoked_at',
  password: 'account_id salt hash cost block_size parallelization',
  web_session: 'hash account_id expires_at used_at',
  known_browser: 'hash account_id expires_at',
  image: 'id account_id sha256 created_at pixels',
  secret: 'name value',
} satisfies Partial<Record<ExportedTable, string>>;

const VIDEO_COLUMNS =
  'seq id account_id job_id title storyboard state attempt failures duration_seconds created_at finished_at bytes sha256 expires_at files_removed error';

const videoRow = z.looseObject({
  id: z.string(),
  account_id: z.int(),
  state: z.enum(['queued', 'rendering', 'done', 'failed']),
});

const windowRow = z.object({
  subject: z.string(),
  limit_name: z.string(),
  state: z.string(),
  idle_at: z.int(),
});

export interface ImportResult {
  readonly accounts: number;
  readonly videos: number;
}

/** @throws {DomainError} `DATABASE_NOT_EMPTY` */
export async function requireEmpty(database: Queries): Promise<void> {
  const [row] = await database.query(
    'SELECT EXISTS (SELECT FROM spool.account) OR EXISTS (SELECT FROM spool.video) AS used',
  );
  if (row?.used === false) return;
  throw new DomainError(
    'DATABASE_NOT_EMPTY',
    'The database has accounts already; a data folder is moved into an empty one only.',
  );
}

/**
 * Copies everything that an embedded service stores, in one transaction. Queued videos keep their
 * order; one that was being rendered is queued again, in its old position.
 *
 * @throws {DomainError} `DATABASE_NOT_EMPTY`
 */
export function importData(
  database: PostgresDatabase,
  boss: PgBoss,
  source: ExportedData,
): Promise<ImportResult> {
  return database.transaction(async (transaction) => {
    // No account can be added between the check and the commit.
    await transaction.query('LOCK TABLE spool.account IN EXCLUSIVE MODE');
    await requireEmpty(transaction);
    // The imported secret replaces the database's, so that existing links stay valid.
    await transaction.query('DELETE FROM spool.secret');
    const counts = new Map<string, number>();
    for (const [table, columns] of Object.entries(COPIED)) {
      let count = 0;
      for (const row of source.rows(table as keyof typeof COPIED)) {
        await insert(transaction, table, columns, row);
        count += 1;
      }
      counts.set(table, count);
    }
    const videos = await importVideos(transaction, boss, source);
    await importWindows(transaction, source);
    for (const [table, column] of [
      ['account', 'id'],
      ['api_key', 'id'],
      ['video', 'seq'],
    ]) {
      await transaction.query(
        `SELECT setval(pg_get_serial_sequence('spool.${table}', '${column}'),
           (SELECT coalesce(max(${column}), 0) + 1 FROM spool.${table}), false)`,
      );
    }
    return { accounts: counts.get('account') ?? 0, videos };
  });
}

async function importVideos(
  transaction: Queries,
  boss: PgBoss,
  source: ExportedData,
): Promise<number> {
  let videos = 0;
  for (const stored of source.rows('video')) {
    const video = videoRow.parse(stored);
    const jobId = randomUUID();
    const isWaiting = video.state === 'queued' || video.state === 'rendering';
    await insert(transaction, 'video', VIDEO_COLUMNS, {
      ...video,
      job_id: jobId,
      state: isWaiting ? 'queued' : video.state,
    });
    if (isWaiting) {
      const group = { id: String(video.account_id) };
      const data = { video: video.id };
      await boss.send(RENDER_QUEUE, data, { id: jobId, group, db: bossDatabase(transaction) });
    }
    videos += 1;
  }
  // pg-boss orders jobs by their time of creation, which is the same for a whole transaction.
  await transaction.query(
    `UPDATE ${JOBS_SCHEMA}.job SET created_on = now() - interval '1 ms' * line.place
     FROM (SELECT job_id, row_number() OVER (ORDER BY seq DESC) AS place FROM spool.video) AS line
     WHERE job.name = $1 AND job.id = line.job_id`,
    [RENDER_QUEUE],
  );
  return videos;
}

async function importWindows(transaction: Queries, source: ExportedData): Promise<void> {
  for (const stored of source.rows('rate_window')) {
    const { state, ...row } = windowRow.parse(stored);
    const window = windowStateSchema.parse(JSON.parse(state));
    await transaction.query(
      `INSERT INTO spool.rate_window
         (subject, limit_name, type, started_at, used, charges, accepted, idle_at)
       VALUES ($1, $2, $3, $4, $5, $6, true, $7)
       ON CONFLICT (subject, limit_name) DO NOTHING`,
      [
        row.subject,
        row.limit_name,
        window.type,
        window.type === 'fixed' ? window.startedAt : 0,
        window.type === 'fixed' ? window.used : 0,
        window.type === 'sliding' ? window.charges : [],
        row.idle_at,
      ],
    );
  }
}

async function insert(
  transaction: Queries,
  table: string,
  columns: string,
  row: StoredRow,
): Promise<void> {
  const names = columns.split(' ');
  await transaction.query(
    `INSERT INTO spool.${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
     VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    names.map((name) => {
      const value = row[name];
      return typeof value === 'string' ? storable(value) : value;
    }),
  );
}
