import { lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import type { Clock } from '../clock.ts';
import { codeOf, isMissing } from '../error-codes.ts';
import { clearName } from './own-file.ts';
import { renameExclusively } from './place.ts';
import { readPlainText } from './safe-open.ts';

const LOCK_SUFFIX = '.part.lock';
/** Of a lock that is being taken over, after that. */
const REMOVED_SUFFIX = '.removed';

/** Numbers alone; see `PartLocks.take`. */
const LOCK = /^[\d. ]+$/;
const MAX_LOCK_BYTES = 1024;

/** Distinguishes this process from an earlier one with the same process id, as in a container. */
const here = `${process.pid} ${performance.timeOrigin}`;

const bootId = readBootId();

/** The right to write one part. */
export interface PartLock {
  /** Never fails: a lock that cannot be removed is taken over later. */
  release(): Promise<void>;
}

/**
 * Locks parts: two writers, in one process or two, would truncate each other's part. A lock is
 * taken over when its process was killed, or when it could not be removed because its disk was
 * unavailable for a while.
 *
 * All downloads of a process share one instance.
 */
export class PartLocks {
  /** The content of the locks that are held now, by their paths. */
  readonly #held = new Map<string, string>();
  #taken = 0;

  /** `undefined` when another process or transfer writes the part of `target`. */
  async take(target: string, clock: Clock): Promise<PartLock | undefined> {
    const path = target + LOCK_SUFFIX;
    const boot = await bootId;
    if (this.#held.has(path)) return undefined;
    this.#taken += 1;
    const owner = `${here} ${this.#taken} ${boot}`.trimEnd();
    this.#held.set(path, owner);
    try {
      while (!(await isWritten(path, owner))) {
        const other = await readOwner(path);
        // Another process moved it away to look at it, and put it back.
        if (other === owner) break;
        if (await this.#isHeld(path, other, clock)) {
          this.#held.delete(path);
          return undefined;
        }
        await removeLock(path, other);
      }
      await this.#discardRemoved(path, clock);
    } catch (error) {
      this.#held.delete(path);
      throw error;
    }
    return {
      release: async () => {
        if (await isStillOf(path, owner)) await rm(path, { force: true }).catch(() => undefined);
        this.#held.delete(path);
      },
    };
  }

  /**
   * Removes the lock of a process that was killed, of a part that may never be downloaded again. A
   * lock that cannot be removed does no harm.
   */
  async discardLeft(target: string, clock: Clock): Promise<void> {
    const path = target + LOCK_SUFFIX;
    const owner = await readOwner(path);
    if (LOCK.test(owner) && !(await this.#isHeld(path, owner, clock))) {
      await removeLock(path, owner).catch(() => undefined);
    }
    await this.#discardRemoved(path, clock);
  }

  /** Removes what a process left that was killed while it took over a lock. */
  async #discardRemoved(path: string, clock: Clock): Promise<void> {
    const removed = path + REMOVED_SUFFIX;
    const owner = await readOwner(removed);
    if (!(await isLock(removed, owner)) || (await this.#isHeld(removed, owner, clock))) return;
    await rm(removed, { force: true }).catch(() => undefined);
  }

  async #isHeld(path: string, owner: string, clock: Clock): Promise<boolean> {
    if ([...this.#held.values()].includes(owner)) return true;
    const [pidText, , , writtenInBoot] = owner.split(' ');
    const pid = Number(pidText);
    // A lock without a number was cut while it was written, or is being written at this moment.
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
    const boot = await bootId;
    const isFromBefore =
      boot === '' || writtenInBoot === undefined
        ? await isOlderThanBoot(path, clock)
        : writtenInBoot !== boot;
    return !isFromBefore && isAlive(pid);
  }
}

/**
 * Wrong after the clock was corrected by more than the time since the computer started, as on one
 * whose clock has no battery: the process that wrote the lock may still run.
 */
async function isOlderThanBoot(path: string, clock: Clock): Promise<boolean> {
  const written = await stat(path).catch(() => undefined);
  return (written?.mtimeMs ?? 0) < clock.now() - uptime() * 1000;
}

/** A random number that Linux draws when it starts; empty on other systems. */
async function readBootId(): Promise<string> {
  const uuid = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const hex = uuid.trim().replaceAll('-', '');
  return /^[\da-f]{32}$/.test(hex) ? String(BigInt(`0x${hex}`)) : '';
}

/** The content of a lock; empty for a file that is not one. */
async function readOwner(path: string): Promise<string> {
  return (await readPlainText(path, MAX_LOCK_BYTES).catch(() => '')) ?? '';
}

/**
 * Removes the lock of an owner that does not hold it. One that another process has taken over
 * meanwhile stays. Another program's file with this name keeps its content.
 */
async function removeLock(path: string, owner: string): Promise<void> {
  if (!(await isLock(path, owner))) {
    // Not a lock that was missing when it was read, and is written again now.
    if (await isOfOther(path)) await clearName(path);
    return;
  }
  const removed = path + REMOVED_SUFFIX;
  // A lock that is moved there at this moment, by another download, is replaced.
  if (await isOfOther(removed)) await clearName(removed);
  // Of several processes, only one gets the file that is at this path now.
  try {
    await rename(path, removed);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if ((await readOwner(removed)) !== owner)
    await renameExclusively(removed, path).catch(() => undefined);
  await rm(removed, { force: true });
}

/** Whether a file with this content is a lock, not a file of another program. */
async function isLock(path: string, owner: string): Promise<boolean> {
  return owner === '' ? isEmptyFile(path) : LOCK.test(owner);
}

/** Whether there is a file that no `PartLocks` wrote. */
async function isOfOther(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isFile()) return stats !== undefined;
  return stats.size > 0 && !LOCK.test(await readOwner(path));
}

/** Such a lock was cut while it was written, or is being written at this moment. */
async function isEmptyFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true && stats.size === 0;
}

/** Creates a lock; `false` when it exists, or when another process takes it over while it is empty. */
async function isWritten(path: string, owner: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(owner);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  return isStillOf(path, owner);
}

/** Whether a lock is still as this process wrote it. One that cannot be read counts as such. */
async function isStillOf(path: string, owner: string): Promise<boolean> {
  try {
    return (await readPlainText(path, MAX_LOCK_BYTES)) === owner;
  } catch (error) {
    return !isMissing(error);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
