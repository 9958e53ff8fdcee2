import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { FolderUnusableError, StoreNewerError, StoreOlderError } from '../engine-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { assertOrdinary, makePrivateFile } from '../files/private-folder.ts';
import { openRegularSync } from '../files/regular-file.ts';
import { renameOver, syncFolder } from '../files/replace-file.ts';
import { DiskReserve } from './disk-reserve.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { SQLITE, sqliteCode, WRITE_REFUSALS } from './sqlite-errors.ts';

/** Missing permissions or space, or locked by another program. */
const REFUSALS: readonly number[] = [SQLITE.PERM, SQLITE.BUSY, ...WRITE_REFUSALS];

const BUSY_TIMEOUT_MS = 5000;

/** The queue's database and what was found when it was opened. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Unless it was sound, what was there of it is kept beside it, at `keptAt`. */
  readonly condition: 'sound' | 'restored' | 'lost';
  readonly keptAt: string | null;
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
 * Opens the queue's database, and creates it where there is none. The caller holds the folder's
 * `InstanceLock`.
 * @param now milliseconds since the epoch, for the names of damaged files that are kept
 * @param isAsClosed whether nothing changed its file since it was closed
 * @throws {StoreNewerError} @throws {StoreOlderError} when another version of Spool wrote it;
 *   nothing is changed then
 * @throws {FolderUnusableError} when the folder cannot be read or written
 */
export async function openDatabase(
  folder: string,
  now: number,
  isAsClosed = false,
): Promise<OpenedDatabase> {
  assertReadableVersion(folder);
  try {
    await makeFolder(folder, 0o700);
    return await openOrRestore(folder, now, isAsClosed);
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
  assertReadableVersion(folder);
  try {
    using closing = new DisposableStack();
    const database = closing.use(connectToRead(storePaths(folder).database));
    assertWhole(database);
    if (userVersion(database) !== SCHEMA_VERSION) throw new DiskReserve(folder).fullError();
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
  /** `newer`, `older`: another version of Spool wrote it. */
  readonly condition: 'none' | 'sound' | 'damaged' | 'newer' | 'older';
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
    const version = userVersion(database);
    if (version > SCHEMA_VERSION) return 'newer';
    return version > 0 && version < SCHEMA_VERSION ? 'older' : 'sound';
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
  isAsClosed: boolean,
): Promise<OpenedDatabase> {
  const paths = storePaths(folder);
  try {
    assertNotEmptied(paths);
    const database = openSound(folder, { check: assertNotOlderThanBackup, isAsClosed });
    return { database, condition: 'sound', keptAt: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const damaged = `${paths.database}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`;
  let keptAt: string | null = null;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(paths.database + suffix)) {
      renameSync(paths.database + suffix, damaged + suffix);
      keptAt ??= damaged + suffix;
    }
  }
  const restored = existsSync(paths.backup) && (await restoreBackup(folder));
  return {
    database: openSound(folder),
    condition: restored ? 'restored' : 'lost',
    keptAt,
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

interface OpenSoundOptions {
  /** Throws when the database must not be used, before it is changed. */
  readonly check?: (database: DatabaseSync, paths: StorePaths) => void;
  /** Nothing changed the file since it was closed whole. */
  readonly isAsClosed?: boolean;
}

function openSound(
  folder: string,
  { check, isAsClosed = false }: OpenSoundOptions = {},
): DatabaseSync {
  const paths = storePaths(folder);
  const { database: path } = paths;
  // SQLite gives its log and index the same permissions.
  makePrivateFile(path);
  // A database that was closed has no log: another one was put beside it.
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const options = { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true };
  using closing = new DisposableStack();
  const database = closing.use(new DatabaseSync(path, options));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;');
  // A damaged queue must never be used. Reading all of it takes a tenth of a second for 100,000 jobs
  // and 1.4 s for a million, so a file that was closed whole and is unchanged is not read again.
  if (!isAsClosed || hasLog) assertWhole(database);
  check?.(database, paths);
  if (userVersion(database) === 0) create(database);
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

function create(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (error) {
    // After some errors SQLite has rolled back itself; another rollback would fail and hide the
    // error.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Refuses a database of another schema, or one with such a backup. It writes nothing: SQLite itself
 * would change the files beside a database that it only reads, so the version is read from the
 * file's header.
 * @throws {StoreNewerError} @throws {StoreOlderError}
 */
export function assertReadableVersion(folder: string): void {
  const { database, backup: copy } = storePaths(folder);
  for (const file of [database, copy]) {
    const version = versionIn(file);
    if (version > SCHEMA_VERSION) throw new StoreNewerError();
    if (version > 0 && version < SCHEMA_VERSION) throw new StoreOlderError(folder);
  }
}

/** Of the file format (sqlite.org/fileformat2.html, 1.3): the offset of `user_version`. */
const VERSION_OFFSET = 60;

/** `user_version` of a database file; 0 for one that is new, missing, damaged or unreadable. */
function versionIn(file: string): number {
  const header = Buffer.alloc(VERSION_OFFSET + 4);
  try {
    const opened = openRegularSync(file, constants.O_RDONLY);
    try {
      if (readSync(opened, header) < header.length) return 0;
    } finally {
      closeSync(opened);
    }
  } catch {
    return 0;
  }
  const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  const version = isDatabase ? header.readInt32BE(VERSION_OFFSET) : 0;
  const log = `${file}-wal`;
  if (version !== 0 || !isDatabase || !existsSync(log)) return version;
  return versionWithLog(file, log);
}

/** The version of a database that was never written but to its log. */
function versionWithLog(file: string, log: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'spool-'));
  try {
    const copy = join(folder, 'copy.db');
    copyFileSync(file, copy);
    copyFileSync(log, `${copy}-wal`);
    using database = new DatabaseSync(copy);
    return userVersion(database);
  } catch {
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
