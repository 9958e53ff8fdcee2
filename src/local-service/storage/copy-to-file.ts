import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from './blobs.ts';

/**
 * Copies a blob to a new file of this computer, which is closed to other users. Leaves no file when
 * it fails. Returns whether there is such a blob.
 */
export async function copyToFile(blobs: Blobs, key: string, file: string): Promise<boolean> {
  const opened = await blobs.open(key);
  if (!opened) return false;
  try {
    await pipeline(opened.content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return true;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
