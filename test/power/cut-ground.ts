import type { TestContext } from 'vitest';
import type { TestDisk } from '../crash/world.ts';
import type { ImageDisk, ImageType } from '../rigs/image-disk.ts';
import type { SeededRandom } from '../rigs/seeded-random.ts';
import { imageDisk } from '../rigs/small-disk.ts';

/** How a file system of each kind is made and mounted. */
const DISKS = {
  // Harsher than the defaults: names wait for a sync instead of five seconds at most, and a rename
  // does not bring the content of its file to the disk.
  ext4: { mib: 512, options: ['data=writeback', 'noauto_da_alloc', 'commit=300'] },
  xfs: { mib: 512, options: [] },
} as const satisfies Record<ImageType, { mib: number; options: readonly string[] }>;

/** One of them alone. */
export function cutDisk(test: TestContext, type: ImageType): Promise<ImageDisk> {
  const { mib, options } = DISKS[type];
  return imageDisk(test, type, mib, options);
}

/**
 * Two file systems that lose their power together: one for data, and one for videos, as where
 * videos go to another drive. On a single one each commit of the database would take the names of
 * videos to the disk as well. The test is skipped, and says why, where none can be mounted.
 *
 * What the shutdown does, and a real disk does as well: all that was not synced is gone, content
 * and names each by themselves; a file may have its name and no content; a name may be back that
 * was removed. What a real disk does besides, and this one does not: it reorders writes that no
 * sync parts; it tears a block of several sectors; it damages what it had written long before; it
 * claims to have synced what it has not. On other file systems, blocks that were never written may
 * show what was there before, and a folder that is synced may be missing in the one above it.
 */
export async function cutGround(
  test: TestContext,
  type: ImageType,
  random: SeededRandom,
): Promise<CutGround> {
  const data = await cutDisk(test, type);
  const videos = await cutDisk(test, type);
  return new CutGround(data, videos, random);
}

export class CutGround implements TestDisk {
  /** How the power was cut last. */
  last = '';
  readonly #data: ImageDisk;
  readonly #videos: ImageDisk;
  readonly #random: SeededRandom;

  constructor(data: ImageDisk, videos: ImageDisk, random: SeededRandom) {
    this.#data = data;
    this.#videos = videos;
    this.#random = random;
  }

  get folder(): string {
    return this.#data.folder;
  }

  get videos(): string {
    return this.#videos.folder;
  }

  /** Chance says whether the log of both is flushed before. */
  async fail(): Promise<void> {
    const flushesLog = this.#random.next() < 0.5;
    this.last = flushesLog ? 'log flushed' : 'log lost';
    await Promise.all([this.#data.shutDown(flushesLog), this.#videos.shutDown(flushesLog)]);
  }

  async restore(): Promise<void> {
    await Promise.all([this.#data.mountAgain(), this.#videos.mountAgain()]);
  }
}
