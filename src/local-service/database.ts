import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { makeDataFolder } from './data-folder.ts';
import { DiskSpace } from './disk-space.ts';
import { DomainError } from './domain-error.ts';

/** Each entry brings a schema from version `index` to `index + 1`; entries are never edited. */
type Migrations = readonly string[];

const serviceSchema: Migrations = [
  `
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

  CREATE TABLE video (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES account (id),
    storyboard TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'rendering', 'done', 'failed')),
    failures INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    duration_seconds REAL NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    bytes INTEGER,
    sha256 TEXT,
    error TEXT
  ) STRICT;
  CREATE INDEX video_quota ON video (account_id, created_at) WHERE state <> 'failed';
  CREATE INDEX video_line ON video (state, seq);

  CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
  `,
  `
  CREATE TABLE password (
    account_id INTEGER PRIMARY KEY REFERENCES account (id),
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    cost INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE web_session (
    hash BLOB PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE image (
    id TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    sha256 TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, sha256)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Authentication searches active keys only: a revoked key takes as long as an unknown one.
  CREATE UNIQUE INDEX api_key_by_hash ON api_key (hash) WHERE revoked_at IS NULL;
  `,
  `
  -- Width times height from the image's header; NULL for images stored before this version.
  ALTER TABLE image ADD COLUMN pixels INTEGER;
  `,
  `
  -- The defaults are the parameters that earlier versions of the program always used.
  ALTER TABLE password ADD COLUMN block_size INTEGER NOT NULL DEFAULT 8;
  ALTER TABLE password ADD COLUMN parallelization INTEGER NOT NULL DEFAULT 3;

  -- Browsers in which an account has signed in; only the SHA-256 of their cookie is kept.
  CREATE TABLE known_browser (
    hash BLOB NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (hash, account_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- When a finished video is deleted. NULL for videos of earlier versions: the next start of the
  -- service gives them a whole retention time, so that the update deletes none at once.
  ALTER TABLE video ADD COLUMN expires_at INTEGER;
  ALTER TABLE video ADD COLUMN files_removed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX video_expiry ON video (expires_at) WHERE state = 'done' AND files_removed = 0;
  `,
  `
  -- The number of attempts to render the video. Only the latest attempt may store a result.
  ALTER TABLE video ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
  UPDATE video SET attempt = 1 WHERE state IN ('rendering', 'done');
  `,
  `
  CREATE INDEX video_failures ON video (account_id, finished_at) WHERE state = 'failed';
  `,
  `
  -- Sessions from before end at once: when they were last used is unknown.
  ALTER TABLE web_session ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
  `,
];

const counterSchema: Migrations = [
  `
  CREATE TABLE rate_window (
    subject TEXT NOT NULL,
    limit_name TEXT NOT NULL,
    state TEXT NOT NULL,
    idle_at INTEGER NOT NULL,
    PRIMARY KEY (subject, limit_name)
  ) STRICT, WITHOUT ROWID;
  `,
];

const userVersion = z.object({ user_version: z.number().int() });

/**
 * Opens the service's database in `dataDir`, creating or upgrading it. Any number of processes may
 * open it at once; each sees the others' commits at its next statement. A commit survives a power
 * cut.
 *
 * @throws {DomainError} `DATA_TOO_NEW` when a later version of the service wrote it;
 * `DATA_FOLDER_UNUSABLE`.
 */
export function openDatabase(dataDir: string): DatabaseSync {
  return open(dataDir, 'service.sqlite', serviceSchema, 'PRAGMA synchronous = FULL');
}

/**
 * Opens the database of request counters. They change with every request, so they have a separate
 * file, which only one process opens. A commit survives a kill of the process; a power cut may lose
 * the latest commits.
 *
 * @throws {DomainError} `DATA_TOO_NEW` when a later version of the service wrote it;
 * `DATA_FOLDER_UNUSABLE`.
 */
export function openCounters(dataDir: string): DatabaseSync {
  return open(
    dataDir,
    'counters.sqlite',
    counterSchema,
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL',
  );
}

function open(
  dataDir: string,
  file: string,
  migrations: Migrations,
  pragmas: string,
): DatabaseSync {
  makeDataFolder(dataDir);
  new DiskSpace(dataDir).makeRoom();
  const database = new DatabaseSync(path.join(dataDir, file));
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON');
  database.exec(`${pragmas}; PRAGMA journal_mode = WAL`);
  migrate(database, migrations);
  return database;
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

function migrate(database: DatabaseSync, migrations: Migrations): void {
  if (versionOf(database) === migrations.length) return;
  inTransaction(database, () => {
    const version = versionOf(database);
    if (version > migrations.length) {
      throw new DomainError(
        'DATA_TOO_NEW',
        'The data folder was written by a later version of the service; start that version.',
      );
    }
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

function versionOf(database: DatabaseSync): number {
  return userVersion.parse(database.prepare('PRAGMA user_version').get()).user_version;
}
