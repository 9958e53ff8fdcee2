import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { FolderUnusableError } from '../../../../src/engine/engine-error.ts';
import { openDatabase, storePaths } from '../../../../src/engine/jobs/database.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const FIRST = 'CREATE TABLE row (title TEXT) STRICT;';
const SECOND = "ALTER TABLE row ADD COLUMN note TEXT; UPDATE row SET note = 'new';";
const BROKEN = 'ALTER TABLE row ADD COLUMN other TEXT; ALTER TABLE nothing ADD COLUMN note TEXT;';

/** A folder with a database of the first version and one row in it. */
async function folderOfFirstVersion(): Promise<string> {
  const folder = temporaryFolder();
  const { database } = await openDatabase(folder, 0, [FIRST]);
  database.exec("INSERT INTO row VALUES ('One')");
  database.close();
  return folder;
}

function read(file: string, sql: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(sql).get();
  } finally {
    database.close();
  }
}

test('a database is durable: it has a write-ahead log, and every commit is on the disk', async () => {
  const { database } = await openDatabase(temporaryFolder(), 0);

  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(database.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
  expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5000 });
  database.close();
});

test('an older schema is migrated to the present one, and a backup of the older one is kept', async () => {
  const folder = await folderOfFirstVersion();

  const { database } = await openDatabase(folder, 0, [FIRST, SECOND]);

  expect(database.prepare('SELECT * FROM row').get()).toEqual({ title: 'One', note: 'new' });
  database.close();
  const { backup } = storePaths(folder);
  expect(read(backup, 'SELECT * FROM row')).toEqual({ title: 'One' });
  expect(read(backup, 'PRAGMA user_version')).toEqual({ user_version: 1 });
});

test('an unusable folder is reported as such, and not as damaged', async () => {
  const folder = path.join(temporaryFolder(), 'a file');
  writeFileSync(folder, '');
  await expect(openDatabase(folder, 0)).rejects.toBeInstanceOf(FolderUnusableError);

  const other = temporaryFolder();
  mkdirSync(path.join(other, 'spool.db'));
  await expect(openDatabase(other, 0)).rejects.toBeInstanceOf(FolderUnusableError);
});

test('a migration that fails changes nothing', async () => {
  const folder = await folderOfFirstVersion();

  await expect(openDatabase(folder, 0, [FIRST, BROKEN])).rejects.toThrow();

  const file = path.join(folder, 'spool.db');
  expect(read(file, 'SELECT * FROM row')).toEqual({ title: 'One' });
  expect(read(file, 'PRAGMA user_version')).toEqual({ user_version: 1 });
});
