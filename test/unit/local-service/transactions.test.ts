import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { inTransaction } from '../../../src/local-service/database.ts';

test('an error after which SQLite has rolled back automatically is thrown unchanged', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE video (id INTEGER);
    CREATE TRIGGER full BEFORE INSERT ON video BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END;
  `);
  const insert = (): void => database.exec('INSERT INTO video VALUES (1)');
  expect(() => inTransaction(database, insert)).toThrow('disk full');
  database.exec('DROP TRIGGER full');
  inTransaction(database, insert);
  expect(database.prepare('SELECT count(*) AS count FROM video').get()).toMatchObject({ count: 1 });
  database.close();
});
