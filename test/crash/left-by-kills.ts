/**
 * What a kill would leave: copies of an engine's folders at each commit. A process that is killed
 * leaves its files as the system has them at that moment, which a copy has too.
 */
import { cpSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

export interface EngineFolders {
  readonly folder: string;
  readonly stateDir: string;
}

/** What a kill right before or after a commit would leave. */
export interface LeftByKill extends EngineFolders {
  /** Counted from 1. */
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/**
 * Copies the folders around each commit of this process from now on, until the test ends. The one
 * that commits can be closed afterwards, but does not own its folder any more: a copy in the same
 * process ends SQLite's locks.
 * @param isWanted whether this copy is made; all are by default
 * @returns the copies so far, in their order
 */
export function copyAtCommits(
  { folder, stateDir }: EngineFolders,
  isWanted: (nth: number, when: LeftByKill['when']) => boolean = () => true,
): readonly LeftByKill[] {
  const copies: LeftByKill[] = [];
  const copy = (nth: number, when: LeftByKill['when']): void => {
    if (!isWanted(nth, when)) return;
    const copied = { nth, when, folder: temporaryFolder(), stateDir: temporaryFolder() };
    cpSync(folder, copied.folder, { recursive: true });
    cpSync(stateDir, copied.stateDir, { recursive: true });
    copies.push(copied);
  };
  let commits = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function execAndCopy(this: DatabaseSync, sql: string): void {
    if (sql !== 'COMMIT') {
      exec.call(this, sql);
      return;
    }
    commits += 1;
    copy(commits, 'before');
    exec.call(this, sql);
    copy(commits, 'after');
  };
  onTestFinished(() => {
    DatabaseSync.prototype.exec = exec;
  });
  return copies;
}
