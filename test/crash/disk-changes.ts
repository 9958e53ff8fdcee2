import syncFiles from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const FILE_CHANGES = ['link', 'rm', 'unlink', 'rename', 'writeFile', 'rmdir'] as const;

/**
 * A change that an engine makes to a disk: to a file's name or content, or (`commit`) its database.
 * `sync`: a small file, such as a journal, is made durable.
 */
export type DiskChange = (typeof FILE_CHANGES)[number] | 'commit' | 'sync';

/**
 * Calls back around each change that this process makes to the disk from now on. SQLite's `COMMIT`
 * is the point at which a change takes effect in the database. If `before` throws, the change fails
 * with that error.
 */
export function watchDiskChanges({
  before,
  after = () => undefined,
}: {
  readonly before: (change: DiskChange) => void;
  /** Only for `commit` and `sync`. */
  readonly after?: (change: DiskChange) => void;
}): void {
  const { fsyncSync } = syncFiles;
  syncFiles.fsyncSync = (file) => {
    before('sync');
    fsyncSync(file);
    after('sync');
  };
  for (const name of FILE_CHANGES) {
    const real = files[name] as (...input: readonly unknown[]) => Promise<unknown>;
    Object.assign(files, {
      [name]: async (...input: readonly unknown[]) => {
        before(name);
        return real(...input);
      },
    });
  }
  syncBuiltinESMExports();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (sql !== 'COMMIT') {
      exec.call(this, sql);
      return;
    }
    before('commit');
    exec.call(this, sql);
    after('commit');
  };
}
