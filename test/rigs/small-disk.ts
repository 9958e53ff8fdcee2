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
 * The folder of a real file system of `mib` MiB that really gets full, until the test is over. The
 * test is skipped, and says why, where this machine does not let us mount one.
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
 * Another program that takes all space of a disk but `leave` bytes, to the last one when that is 0.
 * Returns how it gives back what it took.
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
      // Full for this size; a smaller one may still fit.
    }
  }
  fsyncSync(descriptor);
  closeSync(descriptor);
  return () => {
    // XFS gives the blocks of a removed file back in the background, and those of a shorter one now.
    if (existsSync(file)) truncateSync(file);
    rmSync(file, { force: true });
  };
}
