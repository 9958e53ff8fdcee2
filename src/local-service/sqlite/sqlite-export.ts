import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCounters, openDatabase } from '../database.ts';
import { DomainError } from '../domain-error.ts';
import type { ExportedData, ExportedTable } from '../exported-data.ts';
import { TITLE } from './sqlite-videos.ts';

const queries: Readonly<Record<ExportedTable, string>> = {
  account: 'SELECT * FROM account ORDER BY id',
  api_key: 'SELECT * FROM api_key ORDER BY id',
  password: 'SELECT * FROM password',
  web_session: 'SELECT * FROM web_session',
  known_browser: 'SELECT * FROM known_browser',
  image: 'SELECT * FROM image',
  secret: 'SELECT * FROM secret',
  video: `SELECT *, ${TITLE} AS title FROM video ORDER BY seq`,
  rate_window: 'SELECT * FROM rate_window',
};

/**
 * Opens the databases of an embedded service that is not running.
 *
 * @throws {DomainError} `DATA_TOO_NEW`, `DATA_TOO_OLD`, `DATA_FOLDER_UNUSABLE`
 */
export function openSqliteExport(dataDir: string): ExportedData & Disposable {
  using opened = new DisposableStack();
  const database = opened.adopt(openDatabase(dataDir), (open) => open.close());
  const counters = opened.adopt(openCounters(dataDir), (open) => open.close());
  const resources = opened.move();
  return {
    rows: (table) =>
      (table === 'rate_window' ? counters : database).prepare(queries[table]).iterate(),
    [Symbol.dispose]: () => resources.dispose(),
  };
}

/**
 * Requires that a folder contains the data of an embedded service. Changes nothing.
 *
 * @throws {DomainError} `DATA_FOLDER_UNUSABLE`
 */
export function requireServiceFolder(dataDir: string): void {
  const file = path.join(dataDir, 'service.sqlite');
  if (!existsSync(file)) {
    throw new DomainError('DATA_FOLDER_UNUSABLE', `There is no data of a service in ${dataDir}.`);
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      database.prepare('SELECT 1 FROM account, video, secret LIMIT 0').all();
    } finally {
      database.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError(
      'DATA_FOLDER_UNUSABLE',
      `The data of the service in ${dataDir} cannot be read: ${reason}.`,
    );
  }
}
