import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from './data-folder.ts';
import { DomainError } from './domain-error.ts';

/**
 * Makes this process the only one that serves and renders from `dataDir`, until the lock is
 * released or the process ends for any reason. It is an operating system lock on an empty SQLite
 * file, so a killed service leaves no stale lock.
 *
 * @param timeoutMs how long to wait for another process to release it; blocks the event loop
 * @throws {DomainError} `SERVICE_RUNNING` when another process holds it; `DATA_FOLDER_UNUSABLE`.
 */
export function acquireServiceLock(dataDir: string, timeoutMs: number): Disposable {
  makeDataFolder(dataDir);
  const lock = new DatabaseSync(path.join(dataDir, 'service.lock'));
  try {
    // A journal in memory needs no space on a full disk. Changing the journal mode waits for the
    // lock too, so the timeout is set first.
    lock.exec(`PRAGMA busy_timeout = ${timeoutMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes('locked')) {
      throw new DomainError('SERVICE_RUNNING', `A service is running already on ${dataDir}.`);
    }
    throw error;
  }
  return { [Symbol.dispose]: () => lock.close() };
}
