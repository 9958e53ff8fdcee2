import { execFile } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** XFS needs at least 300 MiB. */
export type ImageType = 'ext4' | 'xfs';

/** Folders of mounted images, and the images, by the process that owns them. */
const NAME = /^spool-image-(\d+)-\d+(?:\.ext4|\.xfs)?$/;

/** Linux' file system in memory, and the space that must stay free there for programs. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4 * 1024 ** 3;

/** Attempts while a killed process may still have open files. */
const BUSY_TRIES = 200;
const BUSY_MS = 25;

let made = 0;

/** A real file system in a file, which can be mounted by root only. */
export class ImageDisk {
  /** The mount point. */
  readonly folder: string;
  readonly #image: string;
  readonly #options: string;

  private constructor(folder: string, type: ImageType, options: readonly string[]) {
    this.folder = folder;
    this.#image = `${folder}.${type}`;
    this.#options = ['loop', ...options].join(',');
  }

  /**
   * Creates and mounts a disk, after releasing those of killed processes.
   * @param options of `mount`
   * @throws the system's error if it cannot be mounted; nothing is left then
   */
  static async make(
    type: ImageType,
    mib: number,
    options: readonly string[] = [],
  ): Promise<ImageDisk> {
    await releaseStale();
    const folder = path.join(imageFolder(), `spool-image-${process.pid}-${(made += 1)}`);
    const disk = new ImageDisk(folder, type, options);
    await mkdir(folder);
    try {
      writeFileSync(disk.#image, '');
      truncateSync(disk.#image, mib * 1024 * 1024);
      await run(`mkfs.${type}`, ['-q', disk.#image]);
      await disk.#mount();
    } catch (error) {
      remove(folder);
      throw error;
    }
    return disk;
  }

  /**
   * From now on no write reaches the image, and every call on the file system fails. Unsynced
   * writes are lost.
   * @param flushesLog whether the changes in the log of the file system reach the image before
   *   that: names and sizes, but no content
   */
  async shutDown(flushesLog: boolean): Promise<void> {
    await run('xfs_io', ['-x', '-c', flushesLog ? 'shutdown -f' : 'shutdown', this.folder]);
  }

  /** Mounts it again, as the computer's next start would. No process may have a file open. */
  async mountAgain(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await run('umount', [this.folder]);
        break;
      } catch (error) {
        if (tries === BUSY_TRIES) throw error;
        await delay(BUSY_MS);
      }
    }
    await this.#mount();
  }

  /** Works also when it is not mounted, or still in use. */
  async release(): Promise<void> {
    await run('umount', ['-l', this.folder]).catch(() => undefined);
    remove(this.folder);
  }

  async #mount(): Promise<void> {
    await run('mount', ['-o', this.#options, this.#image, this.folder]);
  }
}

/** In memory if there is space: each sync of the image would wait for a real disk. */
function imageFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > MEMORY_BYTES ? MEMORY : tmpdir();
}

async function releaseStale(): Promise<void> {
  const stale = [MEMORY, tmpdir()].filter(existsSync).flatMap((above) =>
    readdirSync(above)
      .filter((name) => {
        const owner = NAME.exec(name)?.[1];
        return owner !== undefined && !existsSync(`/proc/${owner}`);
      })
      .map((name) => path.join(above, path.parse(name).name)),
  );
  for (const folder of stale) {
    await run('umount', ['-l', folder]).catch(() => undefined);
    remove(folder);
  }
}

function remove(folder: string): void {
  for (const suffix of ['.ext4', '.xfs']) rmSync(folder + suffix, { force: true });
  if (existsSync(folder)) rmdirSync(folder);
}
