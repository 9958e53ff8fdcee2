import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { FolderUnusableError, StoreNewerError } from '../engine-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { assertOrdinary, makePrivateFile } from '../files/private-folder.ts';
import { renameOver, syncFolder } from '../files/replace-file.ts';
import { DiskReserve } from './disk-reserve.ts';
import { folded } from './job-row.ts';
import { MIGRATIONS } from './schema.ts';
import { SQLITE, sqliteCode, WRITE_REFUSALS } from './sqlite-errors.ts';

/** Missing permissions or space, or locked by another program. */
const REFUSALS: readonly number[] = [SQLITE.PERM, SQLITE.BUSY, ...WRITE_REFUSALS];

const BUSY_TIMEOUT_MS = 5000;

/** The queue's database and what was found when it was opened. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Unless it was sound, what was there of it is kept beside it, at `setAside`. */
  readonly condition: 'sound' | 'restored' | 'lost';
  readonly setAside: string | null;
}

/** Paths of all database files in a data folder. */
export interface StorePaths {
  readonly database: string;
  readonly backup: string;
  readonly journal: string;
  readonly mark: string;
}

export function storePaths(folder: string): StorePaths {
  return {
    database: join(folder, 'spool.db'),
    backup: join(folder, 'spool.backup.db'),
    journal: join(folder, 'sent.log'),
    mark: join(folder, 'spool.closed'),
  };
}

/**
 * Opens the queue's database and brings its schema up to date. The caller holds the folder's
 * `InstanceLock`.
 * @param now milliseconds since the epoch, for the names of damaged files that are kept
 * @param migrations the schema's steps; the present ones unless a test passes others
 * @throws {StoreNewerError} when a newer Spool wrote it; nothing is changed then
 * @throws {FolderUnusableError} when the folder cannot be read or written
 */
export async function openDatabase(
  folder: string,
  now: number,
  migrations = MIGRATIONS,
): Promise<OpenedDatabase> {
  try {
    await makeFolder(folder, 0o700);
    return await openOrRestore(folder, now, migrations);
  } catch (error) {
    if (isRefusal(error)) throw new DiskReserve(folder).refusedBy(error);
    throw error;
  }
}

/**
 * Opens the queue's database read-only on a disk that has no space for its log or its index. The
 * caller holds the folder's `InstanceLock`.
 * @throws {DiskFullError} when it has to be changed before it can be read
 */
export function openDatabaseToRead(folder: string): DatabaseSync {
  try {
    using closing = new DisposableStack();
    const database = closing.use(connectToRead(storePaths(folder).database));
    assertWhole(database);
    const version = userVersion(database);
    if (version > MIGRATIONS.length) throw new StoreNewerError();
    if (version < MIGRATIONS.length) throw new DiskReserve(folder).fullError();
    closing.move();
    return database;
  } catch (error) {
    throw isDamage(error) || isRefusal(error) ? new DiskReserve(folder).fullError(error) : error;
  }
}

/**
 * A connection that needs no space on the disk. Without a log, the file contains everything; with
 * one, the log's index is kept in memory.
 */
function connectToRead(file: string): DatabaseSync {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (log === 0) {
    return new DatabaseSync(new URL('?immutable=1', pathToFileURL(file)), { readOnly: true });
  }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON');
  return database;
}

/** The condition of a data folder's database. */
export interface DatabaseFinding {
  /** `newer`: a newer Spool wrote it. */
  readonly condition: 'none' | 'sound' | 'damaged' | 'newer';
  /** When the last backup was written, in milliseconds since the epoch; `null` without one. */
  readonly backupAt: number | null;
}

/**
 * Checks whether the queue's database is intact, and changes nothing. It may be in use meanwhile.
 * @throws {FolderUnusableError} when the folder cannot be read
 */
export function inspectDatabase(folder: string): DatabaseFinding {
  const paths = storePaths(folder);
  try {
    if (existsSync(folder)) assertOrdinary(folder);
    const backupAt = statSync(paths.backup, { throwIfNoEntry: false })?.mtimeMs ?? null;
    return { condition: conditionOf(paths), backupAt };
  } catch (error) {
    if (isRefusal(error)) throw new FolderUnusableError(folder, error);
    throw error;
  }
}

function conditionOf(paths: StorePaths): DatabaseFinding['condition'] {
  try {
    assertNotEmptied(paths);
    if (!existsSync(paths.database)) return 'none';
    using database = connectToInspect(paths.database);
    assertWhole(database);
    return userVersion(database) > MIGRATIONS.length ? 'newer' : 'sound';
  } catch (error) {
    if (isDamage(error)) return 'damaged';
    throw error;
  }
}

/**
 * Can be used while another process has it open. On a full disk it may lock other processes out.
 */
function connectToInspect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    userVersion(database);
    return database;
  } catch (error) {
    database.close();
    if (!isRefusal(error) || !new DiskReserve(dirname(file)).isDiskFull) throw error;
    return connectToRead(file);
  }
}

async function openOrRestore(
  folder: string,
  now: number,
  migrations: readonly string[],
): Promise<OpenedDatabase> {
  const paths = storePaths(folder);
  try {
    assertNotEmptied(paths);
    const database = await openSound(folder, migrations, assertNotOlderThanBackup);
    return { database, condition: 'sound', setAside: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const damaged = `${paths.database}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`;
  let setAside: string | null = null;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(paths.database + suffix)) {
      renameSync(paths.database + suffix, damaged + suffix);
      setAside ??= damaged + suffix;
    }
  }
  const restored = existsSync(paths.backup) && (await restoreBackup(folder));
  return {
    database: await openSound(folder, migrations),
    condition: restored ? 'restored' : 'lost',
    setAside,
  };
}

/** All pages in one step, which copies one consistent state and never restarts. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Writes a whole copy beside the database and replaces the previous backup with it. It reads
 * through a separate connection, because SQLite refuses to copy one in the middle of a write.
 */
export async function writeBackup(folder: string): Promise<void> {
  const { database, backup: target } = storePaths(folder);
  const fresh = `${target}.new`;
  rmSync(fresh, { force: true });
  makePrivateFile(fresh);
  const source = new DatabaseSync(database, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await backup(source, fresh, { rate: ALL_PAGES });
  } catch (error) {
    // An incomplete backup on a full disk would keep the disk full.
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    source.close();
  }
  await renameOver(fresh, target);
  // Requests in the backup are then removed from the journal.
  await syncFolder(folder);
}

/** @param check throws when the database must not be used, before it is changed */
async function openSound(
  folder: string,
  migrations: readonly string[],
  check: (database: DatabaseSync, paths: StorePaths) => void = () => undefined,
): Promise<DatabaseSync> {
  const paths = storePaths(folder);
  const { database: path } = paths;
  // SQLite gives its log and index the same permissions.
  makePrivateFile(path);
  const options = { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true };
  using closing = new DisposableStack();
  const database = closing.use(new DatabaseSync(path, options));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;');
  // Takes a tenth of a second for 100,000 jobs; a damaged queue must never be used.
  assertWhole(database);
  check(database, paths);
  await migrate(database, folder, migrations);
  closing.move();
  return database;
}

/** Replaces the database with the backup, if that is intact. */
async function restoreBackup(folder: string): Promise<boolean> {
  const { backup: source, database: target } = storePaths(folder);
  try {
    using copy = new DatabaseSync(source, { readOnly: true });
    assertWhole(copy);
    makePrivateFile(target);
    await backup(copy, target);
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    rmSync(target, { force: true });
    return false;
  }
}

async function migrate(
  database: DatabaseSync,
  folder: string,
  migrations: readonly string[],
): Promise<void> {
  const version = userVersion(database);
  if (version > migrations.length) throw new StoreNewerError();
  if (version === migrations.length) return;
  if (version > 0) {
    // Space for the backup, and for a log that may hold every page.
    new DiskReserve(folder).makeRoomToOpen(3 * statSync(storePaths(folder).database).size);
    await writeBackup(folder);
  }
  database.function('folded', (title) => folded(String(title)));
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    // After some errors SQLite has rolled back itself; another rollback would fail and hide the
    // error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function userVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

class DamagedError extends Error {}

function assertWhole(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new DamagedError(String(found));
}

/**
 * SQLite takes an empty file for a new database, and removes the log that belonged to it. If there
 * is a log or a backup, the database was lost.
 */
function assertNotEmptied({ database, backup: copy }: StorePaths): void {
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 && (log > 0 || existsSync(copy))) throw new DamagedError('It is empty.');
}

/**
 * SQLite ignores its log from the first damaged page on, so a database may be intact and older than
 * its backup: the generation rises before each backup (`DatabaseIdentity`, `abuse.md` 65).
 */
function assertNotOlderThanBackup(database: DatabaseSync, { backup: file }: StorePaths): void {
  if (!existsSync(file)) return;
  try {
    // Leaves no log beside it.
    const address = new URL('?immutable=1', pathToFileURL(file));
    using copy = new DatabaseSync(address, { readOnly: true });
    if (generationIn(copy) <= generationIn(database)) return;
    assertWhole(copy);
  } catch (error) {
    if (isDamage(error)) return;
    throw error;
  }
  throw new DamagedError('It is older than its backup.');
}

/** Of the whole database, whichever service it was stored for (`DatabaseIdentity`). */
export const GENERATION_SQL =
  "SELECT max(CAST(value AS INTEGER)) AS generation FROM note WHERE name = 'generation'";

function generationIn(database: DatabaseSync): number {
  if (userVersion(database) === 0) return 0;
  return Number(database.prepare(GENERATION_SQL).get()?.generation ?? 0);
}

/** The file system refuses, because of permissions or space. */
function isRefusal(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code === undefined) return error instanceof Error && 'syscall' in error;
  return REFUSALS.includes(code);
}

function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof DamagedError || code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
}
