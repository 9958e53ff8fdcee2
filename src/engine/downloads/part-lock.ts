import { open, readFile, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import type { Clock } from '../clock.ts';
import { codeOf } from './code-of.ts';

const LOCK_SUFFIX = '.part.lock';

/** Tells this process from an earlier one that had the same number, as in a container. */
const here = `${process.pid} ${performance.timeOrigin}`;

/**
 * Who writes a part: two at once, in one process or two, would cut it under one another. The lock of
 * a process that was killed is taken over.
 */
export class PartLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** `undefined` when somebody else is at work on the part of `target`. */
  static async take(target: string, clock: Clock): Promise<PartLock | undefined> {
    const path = target + LOCK_SUFFIX;
    for (;;) {
      try {
        const file = await open(path, 'wx', 0o600);
        await file.writeFile(here).finally(() => file.close());
        return new PartLock(path);
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
        if (await isHeld(path, clock)) return undefined;
        await rm(path, { force: true });
      }
    }
  }

  /** Never fails: a lock that cannot be removed is taken over once this process is gone. */
  async release(): Promise<void> {
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}

async function isHeld(path: string, clock: Clock): Promise<boolean> {
  const owner = await readFile(path, 'utf8').catch(() => '');
  if (owner === here) return true;
  const pid = Number(owner.split(' ')[0]);
  // A lock without a number was cut off as it was written, or is being written at this moment.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  const written = await stat(path).catch(() => undefined);
  const isFromBefore = (written?.mtimeMs ?? 0) < clock.now() - uptime() * 1000;
  return !isFromBefore && isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
