import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { DatabaseVersion, ReadCache } from '../../../src/local-service/database-version.ts';

let own: DatabaseSync;
let other: DatabaseSync;
let cache: ReadCache<string>;
let reads: number;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-watch-test-'));
  const file = path.join(folder, 'x.sqlite');
  own = new DatabaseSync(file);
  own.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('first')");
  other = new DatabaseSync(file);
  onTestFinished(() => {
    own.close();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });
  cache = new ReadCache(new DatabaseVersion(own), 2);
  reads = 0;
});

function value(key = 'v'): string | undefined {
  return cache.get(key, () => {
    reads += 1;
    const row = own.prepare('SELECT v FROM t').get();
    return row && String(row.v);
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('a value is cached while the database is unchanged', async () => {
  expect(value()).toBe('first');
  await nextTurn();
  expect(value()).toBe('first');
  expect(reads).toBe(1);
});

test.each(['own', 'other'] as const)(
  'a change by the %s connection is seen from the next turn of the event loop on',
  async (which) => {
    expect(value()).toBe('first');
    (which === 'own' ? own : other).exec("UPDATE t SET v = 'second'");
    await nextTurn();
    expect(value()).toBe('second');
  },
);

test('a missing value is read again', () => {
  own.exec('DELETE FROM t');
  expect(value()).toBeUndefined();
  own.exec("INSERT INTO t VALUES ('late')");
  expect(value()).toBe('late');
});

test('the cache keeps no more values than allowed', () => {
  for (const key of ['a', 'b', 'c', 'c']) value(key);
  expect(reads).toBe(3);
  value('a');
  expect(reads).toBe(4);
});
