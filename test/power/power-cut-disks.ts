import type { TestContext } from 'vitest';
import path from 'node:path';
import type { TestDisk } from '../crash/world.ts';
import type { ImageDisk, ImageType } from '../rigs/image-disk.ts';
import type { SeededRandom } from '../rigs/seeded-random.ts';
import { imageDisk } from '../rigs/small-disk.ts';

/** How a file system of each type is created and mounted. */
const DISKS = {
  // Harsher than the defaults: names wait for a sync instead of at most five seconds, and a rename
  // does not write its file's content to the disk.
  ext4: { mib: 512, options: ['data=writeback', 'noauto_da_alloc', 'commit=300'] },
  xfs: { mib: 512, options: [] },
} as const satisfies Record<ImageType, { mib: number; options: readonly string[] }>;

/** One file system whose power can be cut. */
export function powerCutDisk(test: TestContext, type: ImageType): Promise<ImageDisk> {
  const { mib, options } = DISKS[type];
  return imageDisk(test, type, mib, options);
}

/**
 * Two file systems that lose their power together: one for data, and one for videos, as if videos
 * were saved to another drive. On a single one, each commit of the database would also write the
 * names of videos to the disk. The test is skipped, with the reason, if they cannot be mounted.
 *
 * The shutdown behaves like a real power cut in this: everything that was not synced is lost,
 * content and names independently; a file may have its name and no content; a removed name may
 * reappear. Not simulated: a real disk may also reorder writes between syncs, tear a block of
 * several sectors, damage old data, and report syncs that did not happen. On other file systems,
 * blocks that were never written may contain old data, and a synced folder may be missing in its
 * parent.
 */
export async function powerCutDisks(
  test: TestContext,
  type: ImageType,
  random: SeededRandom,
): Promise<PowerCutDisks> {
  const data = await powerCutDisk(test, type);
  const videos = await powerCutDisk(test, type);
  return new PowerCutDisks(data, videos, random);
}

export class PowerCutDisks implements TestDisk {
  /** Describes the last power cut. */
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

  /** Loses power together with the data folder. */
  get state(): string {
    return path.join(this.#data.folder, 'state');
  }

  get videos(): string {
    return this.#videos.folder;
  }

  /** Cuts the power of both; randomly, their logs are flushed before. */
  async fail(): Promise<void> {
    const flushesLog = this.#random.next() < 0.5;
    this.last = flushesLog ? 'log flushed' : 'log lost';
    await Promise.all([this.#data.shutDown(flushesLog), this.#videos.shutDown(flushesLog)]);
  }

  async restore(): Promise<void> {
    await Promise.all([this.#data.mountAgain(), this.#videos.mountAgain()]);
  }
}
