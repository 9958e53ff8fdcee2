import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseVersion } from '../../../src/local-service/database-version.ts';
import { openDatabase } from '../../../src/local-service/database.ts';
import { SqliteAccounts } from '../../../src/local-service/sqlite/sqlite-accounts.ts';
import { SqliteApiKeys } from '../../../src/local-service/sqlite/sqlite-api-keys.ts';

interface Search {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const clock = { now: () => Date.UTC(2026, 2, 10) };
let folder: string;
let database: DatabaseSync;
let keys: SqliteApiKeys;
let searches: Search[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'spool-keys-test-'));
  database = openDatabase(folder);
  searches = [];
  keys = new SqliteApiKeys(recording(database), clock, new DatabaseVersion(database));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The same database, which records every read of a single row. */
function recording(real: DatabaseSync): DatabaseSync {
  return new Proxy(real, {
    get: (target, name) =>
      name === 'prepare'
        ? (sql: string) => {
            const statement = target.prepare(sql);
            return {
              run: statement.run.bind(statement),
              get: (...values: SQLInputValue[]) => {
                searches.push({ sql, values });
                return statement.get(...values);
              },
            };
          }
        : (Reflect.get(target, name) as unknown),
  });
}

function searchesFor(presented: string | undefined): readonly Search[] {
  searches.length = 0;
  expect(keys.authenticate(presented)).toBeUndefined();
  return [...searches];
}

test('refusing a key is the same work whatever is wrong with it', () => {
  const account = new SqliteAccounts(database, clock).add({ email: 'a@example.com', plan: 'free' });
  const revoked = keys.create(account, 'old').value;
  keys.revoke(account);
  const active = keys.create(account, 'new').value;
  expect(keys.authenticate(active)?.email).toBe('a@example.com');

  const wrong = {
    missing: undefined,
    empty: '',
    malformed: 'nonsense',
    unknown: `svc_live_${'A'.repeat(43)}`,
    nearly: `${active.slice(0, -1)}${active.endsWith('A') ? 'B' : 'A'}`,
    revoked,
  };
  for (const [what, presented] of Object.entries(wrong)) {
    const work = searchesFor(presented);
    // One search each, by hash: not skipped for malformed keys, nor different for similar ones.
    expect(work, what).toHaveLength(1);
    expect(work[0]?.sql, what).toBe(searchesFor(undefined)[0]?.sql);
    expect(work[0]?.values, what).toEqual([expect.objectContaining({ length: 32 })]);
    // Failures are not cached, which would make the second one quicker.
    expect(searchesFor(presented), what).toEqual(work);
  }
});

test('the search for a key does not find revoked ones', () => {
  const { sql = '' } = searchesFor('svc_live_anything')[0] ?? {};
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(Buffer.alloc(32));
  expect(plan.map((step) => step.detail).join('; ')).toContain(
    'SEARCH api_key USING INDEX api_key_by_hash (hash=?)',
  );
  const index = database
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'api_key_by_hash'")
    .get();
  expect(index?.sql).toContain('WHERE revoked_at IS NULL');
});
