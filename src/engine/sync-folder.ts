import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Makes names in a folder survive a power cut: a rename is durable once its folder is. Windows has no
 * such call and needs none, and some file systems refuse it; the files themselves are durable all the
 * same.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, constants.O_RDONLY);
    await handle.sync();
  } catch {
    // Refused.
  }
}

/** The same, holding this thread up. */
export function syncFolderSync(folder: string): void {
  try {
    const handle = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Refused.
  }
}
