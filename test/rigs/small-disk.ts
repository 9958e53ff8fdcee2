import { execFile, execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { ImageDisk, type ImageType } from './image-disk.ts';

const run = promisify(execFile);

const MIB = 1024 * 1024;

export type FileSystem = 'tmpfs' | ImageType;

/**
 * The folder of a real file system of `mib` MiB that can really be filled, until the test ends. The
 * test is skipped, with the reason, if this machine does not allow mounting one.
 */
export async function smallDisk(
  test: TestContext,
  mib: number,
  type: FileSystem = 'tmpfs',
): Promise<string> {
  if (type !== 'tmpfs') return (await imageDisk(test, type, mib)).folder;
  return mounted(test, type, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-disk-'));
    test.onTestFinished(() => rmdir(folder));
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'none', folder]);
    test.onTestFinished(async () => {
      await run('umount', ['-l', folder]);
    });
    return folder;
  });
}

/** The same for a file system that can be shut down and mounted again. */
export function imageDisk(
  test: TestContext,
  type: ImageType,
  mib: number,
  options: readonly string[] = [],
): Promise<ImageDisk> {
  return mounted(test, type, async () => {
    const disk = await ImageDisk.make(type, mib, options);
    test.onTestFinished(() => disk.release());
    return disk;
  });
}

async function mounted<T>(
  test: TestContext,
  type: FileSystem,
  mount: () => Promise<T>,
): Promise<T> {
  if (process.platform !== 'linux') test.skip('small file systems are mounted on Linux only');
  try {
    return await mount();
  } catch (error) {
    return test.skip(`no ${type} can be mounted here: ${String(error)}`);
  }
}

/** Takes most of a disk at once: hundreds of megabytes take seconds to write. */
function reserve(file: string, bytes: number): void {
  if (bytes >= MIB) execFileSync('fallocate', ['--length', String(bytes), file]);
}

/** Bytes that this user can still write there. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Takes all space of a disk except `leave` bytes, as another program would; to the last byte if
 * that is 0. Returns a function that frees it.
 */
export function fillDisk(folder: string, leave = 0): () => void {
  const file = path.join(folder, 'of-another-program');
  reserve(file, freeBytes(folder) - leave - MIB);
  const descriptor = openSync(file, 'a');
  for (const size of [MIB, 65_536, 4096, 512, 1]) {
    const piece = Buffer.alloc(size, 1);
    try {
      while (leave === 0 || freeBytes(folder) - size >= leave) writeSync(descriptor, piece);
    } catch {
      // There is no space for this size; a smaller one may still fit.
    }
  }
  fsyncSync(descriptor);
  closeSync(descriptor);
  return () => {
    // XFS frees the blocks of a removed file in the background, but those of a truncated one at
    // once.
    if (existsSync(file)) truncateSync(file);
    rmSync(file, { force: true });
  };
}
