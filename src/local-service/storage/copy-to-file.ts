import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from './blobs.ts';

/**
 * Copies a blob to a new local file that only this user can read. Leaves no file when it fails.
 * Returns false when there is no such blob.
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
