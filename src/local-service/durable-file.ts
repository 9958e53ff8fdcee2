import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** The name under which a file is written until it is complete. */
export function partOf(file: string): string {
  return `${file}.part`;
}

/**
 * Gives a written part file its name: `file` never holds half a file, even if the machine loses
 * power, and once this resolves it is there after a power cut as well. Returns its size in bytes.
 */
export async function completePart(file: string): Promise<number> {
  const part = partOf(file);
  await using handle = await open(part, 'r+');
  await handle.sync();
  const { size } = await handle.stat();
  await rename(part, file);
  await syncFolder(path.dirname(file));
  return size;
}

/**
 * Makes new names and deletions in a folder survive a power cut. Windows has no such call, and NTFS
 * writes such changes in order.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, constants.O_RDONLY);
  await handle.sync();
}
