import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Size of the first read. With a 256 KiB buffer for each small file, garbage collection took a
 * quarter of a worker's processor time.
 */
const FIRST_BYTES = 16 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** The SHA-256 of a file from the handle's current position to the end, in hexadecimal. */
export async function hashOfHandle(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for (let chunk = Buffer.allocUnsafe(FIRST_BYTES); ;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    if (bytesRead === FIRST_BYTES) chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  }
}

/** The SHA-256 of a file, in hexadecimal. */
export async function hashOfFile(file: string): Promise<string> {
  await using handle = await open(file, 'r');
  return await hashOfHandle(handle);
}
