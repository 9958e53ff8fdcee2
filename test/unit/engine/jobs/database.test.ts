import { hash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { FolderUnusableError, StoreOlderError } from '../../../../src/engine/engine-error.ts';
import { takeFolder } from '../../../../src/engine/engine.ts';
import {
  inspectDatabase,
  openDatabase,
  openDatabaseToRead,
  storePaths,
} from '../../../../src/engine/jobs/database.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a database is durable: it has a write-ahead log, and every commit is on the disk', async () => {
  const { database } = await openDatabase(temporaryFolder(), 0);

  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(database.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5000 });
  database.close();
});

test('an unusable folder is reported as such, and not as damaged', async () => {
  const folder = path.join(temporaryFolder(), 'a file');
  writeFileSync(folder, '');
  await expect(openDatabase(folder, 0)).rejects.toBeInstanceOf(FolderUnusableError);

  const other = temporaryFolder();
  mkdirSync(path.join(other, 'spool.db'));
  await expect(openDatabase(other, 0)).rejects.toBeInstanceOf(FolderUnusableError);
});

/** The name of every file of a folder, with the hash of its content and when it was written. */
function filesOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const file = path.join(folder, name);
      return [name, `${hash('sha256', readFileSync(file))} ${statSync(file).mtimeMs}`];
    }),
  );
}

/** A data folder of an earlier build, as it was closed. */
function folderOfEarlierBuild(): string {
  const folder = temporaryFolder();
  const database = new DatabaseSync(storePaths(folder).database);
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE job (id INTEGER); PRAGMA user_version = 12',
  );
  database.close();
  for (const name of ['primary.lock', 'spool.pid', 'sent.log'])
    writeFileSync(path.join(folder, name), 'as it was');
  return folder;
}

/** The same, as its process was killed: its tables are only in the log. */
function folderOfKilledBuild(): string {
  const running = folderOfEarlierBuild();
  const { database: file } = storePaths(running);
  rmSync(file);
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE job (id INTEGER); PRAGMA user_version = 12',
  );
  const folder = temporaryFolder();
  cpSync(running, folder, { recursive: true });
  rmSync(`${storePaths(folder).database}-shm`);
  database.close();
  return folder;
}

describe('a data folder of an earlier build', () => {
  test.each([
    ['closed', folderOfEarlierBuild],
    ['killed', folderOfKilledBuild],
  ])('that was %s is refused in one sentence, and nothing in it is touched', async (_, make) => {
    const folder = make();
    const before = filesOf(folder);

    const refused = takeFolder(folder);
    await expect(refused).rejects.toBeInstanceOf(StoreOlderError);
    await expect(refused).rejects.toThrow(
      `The queue in ${folder} was written by an earlier build of Spool; move that folder away to start with an empty queue.`,
    );
    await expect(openDatabase(folder, 0)).rejects.toBeInstanceOf(StoreOlderError);
    expect(() => openDatabaseToRead(folder)).toThrow(StoreOlderError);
    expect(filesOf(folder)).toEqual(before);
  });

  test('is refused as long as its backup is there', async () => {
    const folder = folderOfEarlierBuild();
    renameSync(storePaths(folder).database, storePaths(folder).backup);

    await expect(takeFolder(folder)).rejects.toBeInstanceOf(StoreOlderError);
  });

  test('is reported by an inspection', () => {
    expect(inspectDatabase(folderOfEarlierBuild()).condition).toBe('older');
  });
});
