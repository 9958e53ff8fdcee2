import { getConstructionPlans } from 'pg-boss';
import { z } from 'zod';
import { DomainError } from '../domain-error.ts';
import type { PostgresDatabase, Queries } from './postgres-database.ts';

/** The schema of pg-boss's tables. */
export const JOBS_SCHEMA = 'spool_jobs';
/** The queue of render jobs. */
export const RENDER_QUEUE = 'render';

/** pg-boss gives a job without a heartbeat for so long to another worker. Its minimum is 10 s. */
const HEARTBEAT_SECONDS = 20;
const DAY_SECONDS = 24 * 60 * 60;

const queueOptions = {
  policy: 'standard',
  // The video's row counts attempts and limits them: a worker that stops or is lost is not a
  // failure.
  retryLimit: 1_000_000,
  retryDelay: 0,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // Heartbeats detect lost workers; the duration of a rendering does not.
  expireInSeconds: DAY_SECONDS - 1,
  // A queued job never expires in practice.
  retentionSeconds: 10 * 365 * DAY_SECONDS,
  deleteAfterSeconds: 60 * 60,
};

const SCHEMA = `
  CREATE TABLE spool.account (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    email text NOT NULL,
    plan text NOT NULL,
    signed_up_at bigint NOT NULL,
    billing_date text,
    custom_quota integer,
    custom_limits text NOT NULL DEFAULT '{}'
  );
  CREATE UNIQUE INDEX account_email ON spool.account (lower(email));

  CREATE TABLE spool.api_key (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    account_id integer NOT NULL REFERENCES spool.account (id),
    name text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    revoked_at bigint
  );
  -- service-api.md §2.1 rule 1: at most one active key per account, whichever process creates it.
  CREATE UNIQUE INDEX api_key_active ON spool.api_key (account_id) WHERE revoked_at IS NULL;
  -- Authentication searches active keys only: a revoked key takes as long as an unknown one.
  CREATE UNIQUE INDEX api_key_by_hash ON spool.api_key (hash) WHERE revoked_at IS NULL;

  CREATE TABLE spool.password (
    account_id integer PRIMARY KEY REFERENCES spool.account (id),
    salt bytea NOT NULL,
    hash bytea NOT NULL,
    cost integer NOT NULL,
    block_size integer NOT NULL,
    parallelization integer NOT NULL
  );

  CREATE TABLE spool.web_session (
    hash bytea PRIMARY KEY,
    account_id integer NOT NULL REFERENCES spool.account (id),
    expires_at bigint NOT NULL,
    used_at bigint NOT NULL
  );
  CREATE INDEX web_session_expiry ON spool.web_session (expires_at);

  CREATE TABLE spool.known_browser (
    hash bytea NOT NULL,
    account_id integer NOT NULL REFERENCES spool.account (id),
    expires_at bigint NOT NULL,
    PRIMARY KEY (hash, account_id)
  );
  CREATE INDEX known_browser_expiry ON spool.known_browser (expires_at);

  CREATE TABLE spool.image (
    id text PRIMARY KEY,
    account_id integer NOT NULL REFERENCES spool.account (id),
    sha256 text NOT NULL,
    created_at bigint NOT NULL,
    pixels bigint NOT NULL,
    UNIQUE (account_id, sha256)
  );

  CREATE TABLE spool.video (
    seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    id text NOT NULL UNIQUE,
    account_id integer NOT NULL REFERENCES spool.account (id),
    -- The render job of pg-boss.
    job_id uuid NOT NULL,
    title text NOT NULL,
    storyboard text NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'rendering', 'done', 'failed')),
    -- The number of attempts to render it. Only the latest attempt may store a result.
    attempt integer NOT NULL DEFAULT 0,
    -- Share of the latest attempt's frames that is done, 0 to 1.
    progress real NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    -- How many workers in a row were lost while they rendered it.
    lost_workers integer NOT NULL DEFAULT 0,
    duration_seconds double precision NOT NULL,
    created_at bigint NOT NULL,
    finished_at bigint,
    bytes bigint,
    sha256 text,
    expires_at bigint,
    files_removed integer NOT NULL DEFAULT 0,
    error text
  );
  CREATE INDEX video_quota ON spool.video (account_id, created_at) INCLUDE (state)
    WHERE state <> 'failed';
  CREATE INDEX video_list ON spool.video (account_id, seq);
  CREATE INDEX video_line ON spool.video (seq) INCLUDE (account_id) WHERE state = 'queued';
  CREATE INDEX video_expiry ON spool.video (expires_at)
    WHERE state = 'done' AND files_removed = 0;
  -- Counts the accounts with queued videos without reading all queued videos.
  CREATE INDEX video_waiting ON spool.video (account_id) WHERE state = 'queued';
  CREATE INDEX video_failures ON spool.video (account_id, finished_at) WHERE state = 'failed';

  -- Processes that render; slots is the number of videos that each renders at once.
  CREATE TABLE spool.worker (
    id text PRIMARY KEY,
    slots integer NOT NULL,
    seen_at timestamptz NOT NULL,
    -- Why the process renders nothing for now: an Outage of render-errors.ts.
    outage text
  );

  CREATE TABLE spool.rate_window (
    subject text NOT NULL,
    limit_name text NOT NULL,
    type text NOT NULL,
    started_at bigint NOT NULL,
    used integer NOT NULL,
    charges bigint[] NOT NULL,
    -- Whether the latest request was within the limit.
    accepted boolean NOT NULL,
    idle_at bigint NOT NULL,
    PRIMARY KEY (subject, limit_name)
  ) WITH (fillfactor = 70);
  CREATE INDEX rate_window_idle ON spool.rate_window (idle_at);

  CREATE TABLE spool.secret (name text PRIMARY KEY, value bytea NOT NULL);
`;

/** The version that this program uses. Smaller ones were those of builds before the first release. */
export const SCHEMA_VERSION = 5;

/** The key of the migration's advisory lock. No other program on the database may use it. */
const MIGRATION_LOCK = 0x5b001;

const versionRow = z.object({ version: z.int() });
const existsRow = z.object({ schema: z.boolean(), marker: z.boolean() });

/**
 * Creates the tables of the service where there are none, in one transaction. Concurrent processes
 * wait for each other.
 *
 * @returns the schema versions before and after
 * @throws {DomainError} `DATA_TOO_NEW`, `DATABASE_OUTDATED`, `DATABASE_FOREIGN`, `DATABASE_FORBIDDEN`
 */
export async function migrateDatabase(
  database: PostgresDatabase,
): Promise<{ readonly from: number; readonly to: number }> {
  try {
    return await database.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const from = await versionOf(transaction);
      requireReadable(from);
      if (from === 0) {
        await transaction.query('CREATE SCHEMA spool');
        await transaction.query('CREATE TABLE spool.schema_version (version integer NOT NULL)');
        await transaction.query('INSERT INTO spool.schema_version VALUES ($1)', [SCHEMA_VERSION]);
        await transaction.query(constructionOfJobs());
        await transaction.query(`SELECT ${JOBS_SCHEMA}.create_queue($1, $2::jsonb)`, [
          RENDER_QUEUE,
          JSON.stringify(queueOptions),
        ]);
        await transaction.query(SCHEMA);
      }
      return { from, to: SCHEMA_VERSION };
    });
  } catch (error) {
    throw forbiddenOr(error);
  }
}

/**
 * Requires a schema of this version, and the rights to use it.
 *
 * @throws {DomainError} `DATA_TOO_NEW`, `DATABASE_OUTDATED`, `DATABASE_FOREIGN`, `DATABASE_FORBIDDEN`
 */
export async function requireSchema(database: Queries): Promise<void> {
  try {
    const version = await versionOf(database);
    requireReadable(version);
    if (version === 0) {
      throw new DomainError(
        'DATABASE_OUTDATED',
        'The database has no tables of the service yet; run “spool service migrate” first.',
      );
    }
    // Checks the rights on every table now, instead of failing in the middle of a request.
    await database.query(`SELECT 1 FROM spool.account, spool.video, ${JOBS_SCHEMA}.queue LIMIT 0`);
    const [row] = await database.query(
      `SELECT bool_and(has_table_privilege(pg_class.oid, privilege)) AS granted
       FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
       WHERE relnamespace IN ('spool'::regnamespace, '${JOBS_SCHEMA}'::regnamespace)
       AND relkind IN ('r', 'p')`,
    );
    if (row?.granted !== true) throw forbidden();
  } catch (error) {
    throw forbiddenOr(error);
  }
}

/** 0 for a database without the service's tables. */
async function versionOf(database: Queries): Promise<number> {
  const [found] = await database.query(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'spool') AS schema,
       EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
         WHERE nspname = 'spool' AND relname = 'schema_version') AS marker`,
  );
  const { schema, marker } = existsRow.parse(found);
  if (schema && !marker) {
    throw new DomainError(
      'DATABASE_FOREIGN',
      'The database has a schema “spool” of another program; give the service its own database.',
    );
  }
  if (!schema) return 0;
  const [row] = await database.query('SELECT version FROM spool.schema_version');
  return versionRow.parse(row).version;
}

/**
 * The SQL that creates pg-boss's tables, without its own transaction: it runs in the migration's.
 */
function constructionOfJobs(): string {
  return getConstructionPlans(JOBS_SCHEMA)
    .replace(/^\s*BEGIN;/, '')
    .replace(/COMMIT;\s*$/, '');
}

function requireReadable(version: number): void {
  if (version > SCHEMA_VERSION) {
    throw new DomainError(
      'DATA_TOO_NEW',
      'The database was upgraded by a later version of the service; start that version.',
    );
  }
  if (version > 0 && version < SCHEMA_VERSION) {
    throw new DomainError(
      'DATABASE_OUTDATED',
      'The database was made by an earlier version of the service, and this version cannot read it; use a new one.',
    );
  }
}

function forbidden(): DomainError {
  return new DomainError(
    'DATABASE_FORBIDDEN',
    'The database user may not read and write the tables of the service; grant it that, or use the user that ran “spool service migrate”.',
  );
}

/** SQLSTATE insufficient_privilege. */
function forbiddenOr(error: unknown): unknown {
  const isForbidden = error instanceof Error && 'code' in error && error.code === '42501';
  return isForbidden ? forbidden() : error;
}
