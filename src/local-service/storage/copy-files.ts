import { constants } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import type { Blobs } from './blobs.ts';
import { codeOf } from '../storage-errors.ts';
import { hashOfFile } from './file-hash.ts';

export interface FileToCopy {
  readonly key: string;
  readonly file: string;
  /** Expected hash, in hexadecimal, if known. */
  readonly sha256?: string | undefined;
}

/**
 * Copies a file into a store, and keeps the file.
 *
 * @param copy path of a temporary file
 * @returns false when the file is missing or its hash is not the expected one
 */
export async function copyIntoStore(
  { key, file, sha256: expected }: FileToCopy,
  blobs: Blobs,
  copy: string,
): Promise<boolean> {
  try {
    // `put` moves its file, so it gets a copy.
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    const sha256 = await hashOfFile(copy);
    if (expected !== undefined && expected !== sha256) return false;
    await blobs.put([{ key, file: copy, sha256 }]);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}
