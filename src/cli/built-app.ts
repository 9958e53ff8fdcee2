import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { userMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { SQLITE, sqliteCode } from '../engine/jobs/sqlite-errors.ts';
import { isBuildCurrent, type BuiltPart } from './build-sources.ts';

export const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** The build's folder for the page. */
export const PAGE_FOLDER = path.join(REPOSITORY, 'out', 'renderer');

const RETRY_INTERVAL_MS = 200;

/** The app is missing or older than its sources, and building it has failed. */
export class NotBuiltError extends EngineError {
  constructor() {
    super({ code: 'not-possible-now', ...userMessage('app-not-built') });
  }
}

export interface BuildEnvironment {
  /** Absolute path of the repository. */
  readonly root: string;
  /** Builds the app there; false if that failed. */
  readonly build: (root: string) => Promise<boolean>;
}

const here: BuildEnvironment = { root: REPOSITORY, build: runBuild };

/**
 * Builds the app unless the last build matches the present sources, so that an outdated page is
 * never served. Processes that find it outdated at the same time build it once.
 *
 * Checked when Spool starts: later changes take effect at the next start.
 *
 * @throws {NotBuiltError}
 */
export async function ensureBuilt(
  part: BuiltPart,
  say: (sentence: string) => void,
  { root, build }: BuildEnvironment = here,
): Promise<void> {
  if (isBuildCurrent(root, part)) return;
  const lock = await lockBuild(root);
  try {
    if (isBuildCurrent(root, part)) return;
    const isFirst = !existsSync(path.join(root, 'out'));
    say(
      isFirst
        ? 'Building the app for the first time …'
        : 'Building the app again: its sources changed …',
    );
    if (!(await build(root))) throw new NotBuiltError();
  } finally {
    lock.close();
  }
}

/** The lock is an SQLite transaction, which the operating system ends with the process. */
async function lockBuild(root: string): Promise<DatabaseSync> {
  const folder = path.join(root, 'node_modules', '.cache');
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(path.join(folder, 'build.lock'), { timeout: 0 });
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return database;
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.BUSY) {
        database.close();
        throw error;
      }
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

async function runBuild(root: string): Promise<boolean> {
  const tool = path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const child = spawn(process.execPath, [tool, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
