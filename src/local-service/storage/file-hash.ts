import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** The SHA-256 of a file from where it is read next, in hexadecimal. */
export async function hashOfHandle(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
  }
}

/** The SHA-256 of a file, in hexadecimal. */
export async function hashOfFile(file: string): Promise<string> {
  await using handle = await open(file, 'r');
  return await hashOfHandle(handle);
}
