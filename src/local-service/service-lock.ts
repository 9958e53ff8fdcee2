import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from './data-folder.ts';
import { DomainError } from './domain-error.ts';

/**
 * Makes this process the only one that serves and renders from `dataDir`, until it is released or
 * the process ends in whatever way. Held as a lock of the operating system on an empty SQLite file,
 * so that a killed service leaves nothing behind to clean up.
 *
 * @param patienceMs how long to wait for another process to let go, with this one at a standstill
 * @throws {DomainError} `SERVICE_RUNNING` when another process holds it; `DATA_FOLDER_UNUSABLE`.
 */
export function acquireServiceLock(dataDir: string, patienceMs: number): Disposable {
  makeDataFolder(dataDir);
  const lock = new DatabaseSync(path.join(dataDir, 'service.lock'));
  try {
    // A journal that is kept in memory needs no space on a disk that is full. Choosing one waits for
    // the lock as well, so the patience comes first.
    lock.exec(`PRAGMA busy_timeout = ${patienceMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes('locked')) {
      throw new DomainError('SERVICE_RUNNING', `A service is running already on ${dataDir}.`);
    }
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}
