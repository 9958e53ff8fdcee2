/** Kills a process at a commit of its database, for programs that a crash test starts. */
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const killAtSchema = z.object({ nth: z.number(), when: z.enum(['before', 'after']) });

export type KillAt = z.infer<typeof killAtSchema>;

/** @param killAt which commit, of those from now on */
export function killAtCommit({ nth, when }: KillAt): void {
  let commits = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function execOrKill(this: DatabaseSync, sql: string): void {
    if (sql !== 'COMMIT') {
      exec.call(this, sql);
      return;
    }
    commits += 1;
    if (commits === nth && when === 'before') process.kill(process.pid, 'SIGKILL');
    exec.call(this, sql);
    if (commits === nth) process.kill(process.pid, 'SIGKILL');
  };
}
