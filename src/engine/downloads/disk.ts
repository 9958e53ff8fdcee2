import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, isMissing } from '../error-codes.ts';
import { makeFolder } from '../files/make-folder.ts';

/** What downloads leave free on a disk, for the queue's database and for other programs. */
export const KEEP_FREE_BYTES = 64 * 1024 * 1024;

interface Claim {
  readonly device: number;
  bytes: number;
}

/** What a planner of downloads needs to know of a disk. */
export type Disks = Pick<DiskRoom, 'free' | 'canWrite'>;

/**
 * How much space a disk has, less what running transfers will still use of it: two downloads that
 * fit separately, but not together, fail at once and not halfway.
 */
export class DiskRoom {
  readonly #keepFree: number;
  readonly #claims = new Map<object, Claim>();

  /** @param keepFree bytes that downloads leave to everything else on the disk. */
  constructor(keepFree = 0) {
    this.#keepFree = keepFree;
  }

  /**
   * Bytes that are left on the disk of `folder`, or of the nearest folder above it that exists.
   * Negative when less is free than transfers will take.
   */
  async free(folder: string): Promise<number> {
    return this.#left(await look(folder));
  }

  /**
   * Reserves space until it is released. Replaces an earlier reservation of the same owner.
   *
   * @returns 0, or how many bytes are missing; then nothing is reserved.
   */
  async claim(owner: object, folder: string, bytes: number): Promise<number> {
    const disk = await look(folder);
    // Nothing may be awaited from here to the reservation, or two owners could reserve the same
    // space.
    const lacking = bytes - this.#left(disk, owner);
    if (lacking > 0) return lacking;
    this.#claims.set(owner, { device: disk.device, bytes });
    return 0;
  }

  /** Whether a file can be written there; makes the folder if it can be made. */
  async canWrite(folder: string): Promise<boolean> {
    try {
      await makeFolder(folder);
      await access(folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** A part of the reservation has been used: `bytes` are still to come. */
  shrink(owner: object, bytes: number): void {
    const claim = this.#claims.get(owner);
    if (claim) claim.bytes = Math.max(0, bytes);
  }

  release(owner: object): void {
    this.#claims.delete(owner);
  }

  #left({ device, available }: Disk, owner?: object): number {
    let left = available - this.#keepFree;
    for (const [other, claim] of this.#claims) {
      if (other !== owner && claim.device === device) left -= claim.bytes;
    }
    return left;
  }
}

interface Disk {
  readonly device: number;
  /** Bytes. */
  readonly available: number;
}

async function look(folder: string): Promise<Disk> {
  const existing = await nearest(folder);
  const { bavail, bsize } = await statfs(existing);
  const { dev } = await stat(existing);
  return { device: dev, available: bavail * bsize };
}

async function nearest(folder: string): Promise<string> {
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    try {
      if ((await stat(each)).isDirectory()) return each;
    } catch (error) {
      if (!isMissing(error) || path.dirname(each) === each) throw error;
    }
  }
}

/** The disk, not the network, refused. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  /** `ENOSPC` also when there is less space than the rest of the file needs. */
  readonly code: string;
  /** Bytes of space that are needed; `null`: as many as the file still lacks. */
  readonly neededBytes: number | null;

  constructor(code: string, neededBytes: number | null, cause?: unknown) {
    super('The disk refused.', { cause });
    this.code = code;
    this.neededBytes = neededBytes;
  }
}

/** @throws {DiskError} for whatever the work fails with */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DiskError(codeOf(error) ?? 'unknown', null, error);
  }
}
