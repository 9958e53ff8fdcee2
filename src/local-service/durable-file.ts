import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** The path of a file while it is being written. */
export function partPath(file: string): string {
  return `${file}.part`;
}

/**
 * Renames a written part file to `file`. A power cut never leaves an incomplete `file`, and cannot
 * remove it once this resolves. Returns its size in bytes.
 */
export async function completePart(file: string): Promise<number> {
  const part = partPath(file);
  await using handle = await open(part, 'r+');
  await handle.sync();
  const { size } = await handle.stat();
  await rename(part, file);
  await syncFolder(path.dirname(file));
  return size;
}

/**
 * Makes created, renamed and deleted entries of a folder survive a power cut. Does nothing on
 * Windows, which has no such call; NTFS writes such changes in order.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
}
