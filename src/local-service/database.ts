/** The SQLite database of the service on one computer: its schema, and how it is opened. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { makeDataFolder } from './data-folder.ts';
import { DiskSpace } from './disk-space.ts';
import { DomainError } from './domain-error.ts';

const SERVICE_SCHEMA = `
  CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    plan TEXT NOT NULL,
    signed_up_at INTEGER NOT NULL,
    billing_date TEXT,
    custom_quota INTEGER,
    custom_limits TEXT NOT NULL DEFAULT '{}'
  ) STRICT;

  CREATE TABLE api_key (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;
  -- service-api.md §2.1 rule 1: at most one active key per account, whichever process creates it.
  CREATE UNIQUE INDEX api_key_active ON api_key (account_id) WHERE revoked_at IS NULL;
  -- Authentication searches active keys only: a revoked key takes as long as an unknown one.
  CREATE UNIQUE INDEX api_key_by_hash ON api_key (hash) WHERE revoked_at IS NULL;

  CREATE TABLE password (
    account_id INTEGER PRIMARY KEY REFERENCES account (id),
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    cost INTEGER NOT NULL,
    block_size INTEGER NOT NULL,
    parallelization INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE web_session (
    hash BLOB PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    expires_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Browsers in which an account has signed in; only the SHA-256 of their cookie is kept.
  CREATE TABLE known_browser (
    hash BLOB NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (hash, account_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE image (
    id TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256 TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- Width times height from the image's header; 0 for a sound or a font.
    pixels INTEGER NOT NULL,
    UNIQUE (account_id, sha256)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE video (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES account (id),
    storyboard TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'rendering', 'done', 'failed')),
    -- The number of attempts to render it. Only the latest attempt may store a result.
    attempt INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    duration_seconds REAL NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    bytes INTEGER,
    sha256 TEXT,
    -- When a finished video is deleted.
    expires_at INTEGER,
    files_removed INTEGER NOT NULL DEFAULT 0,
    error TEXT
  ) STRICT;
  CREATE INDEX video_quota ON video (account_id, created_at) WHERE state <> 'failed';
  CREATE INDEX video_line ON video (state, seq);
  CREATE INDEX video_expiry ON video (expires_at) WHERE state = 'done' AND files_removed = 0;
  CREATE INDEX video_failures ON video (account_id, finished_at) WHERE state = 'failed';

  CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
`;

const COUNTER_SCHEMA = `
  CREATE TABLE rate_window (
    subject TEXT NOT NULL,
    limit_name TEXT NOT NULL,
    state TEXT NOT NULL,
    idle_at INTEGER NOT NULL,
    PRIMARY KEY (subject, limit_name)
  ) STRICT, WITHOUT ROWID;
`;

/** Of both databases. Smaller numbers were those of builds before the first release. */
const SCHEMA_VERSION = 10;

const userVersion = z.object({ user_version: z.number().int() });

/**
 * Opens the service's database in `dataDir`, and creates it where there is none. Any number of
 * processes may open it at once; each sees the others' commits at its next statement. A commit
 * survives a power cut.
 *
 * @throws {DomainError} `DATA_TOO_NEW` or `DATA_TOO_OLD` when another version of the service wrote
 * it, which is then not changed; `DATA_FOLDER_UNUSABLE`.
 */
export function openDatabase(dataDir: string): DatabaseSync {
  return open(dataDir, 'service.sqlite', SERVICE_SCHEMA, 'PRAGMA synchronous = FULL');
}

/**
 * Opens the database of request counters. They change with every request, so they have a separate
 * file, which only one process opens. A commit survives a kill of the process; a power cut may lose
 * the latest commits.
 *
 * @throws {DomainError} like {@link openDatabase}
 */
export function openCounters(dataDir: string): DatabaseSync {
  return open(
    dataDir,
    'counters.sqlite',
    COUNTER_SCHEMA,
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL',
  );
}

function open(dataDir: string, file: string, schema: string, pragmas: string): DatabaseSync {
  makeDataFolder(dataDir);
  new DiskSpace(dataDir).makeRoom();
  const database = new DatabaseSync(path.join(dataDir, file));
  try {
    database.exec(`PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; ${pragmas}`);
    requireReadable(dataDir, versionOf(database));
    database.exec('PRAGMA journal_mode = WAL');
    create(database, schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `work` in one write transaction. An error rolls it back. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has already rolled back after some errors, such as a full disk. A second rollback
    // would fail and hide the first error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function create(database: DatabaseSync, schema: string): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  inTransaction(database, () => {
    // Another process may have created it since.
    if (versionOf(database) === SCHEMA_VERSION) return;
    database.exec(schema);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function requireReadable(dataDir: string, version: number): void {
  if (version > SCHEMA_VERSION) {
    throw new DomainError(
      'DATA_TOO_NEW',
      `The data in ${dataDir} was written by a later version of the service: start that version.`,
    );
  }
  if (version > 0 && version < SCHEMA_VERSION) {
    throw new DomainError(
      'DATA_TOO_OLD',
      `The data in ${dataDir} was written by an earlier version of the service, and this version cannot read it. Choose another folder with --data-dir, or move this one away.`,
    );
  }
}

/** 0 for a database without tables. */
function versionOf(database: DatabaseSync): number {
  return userVersion.parse(database.prepare('PRAGMA user_version').get()).user_version;
}
