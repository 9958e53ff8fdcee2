/** Writes the body of a request to a file as it arrives, so that it is never in memory as a whole. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Enough to tell what a file is. */
const HEAD_BYTES = 16;

export interface ReceivedFile {
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
}

/**
 * @param file a path at which nothing is; the caller deletes it after a failure
 * @param maxBytes of a file with these first bytes
 * @returns `undefined` for a file that has more, of which the rest is not read
 */
export async function receiveFile(
  content: Readable,
  file: string,
  maxBytes: (head: Buffer) => number,
): Promise<ReceivedFile | undefined> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  await using handle = await open(file, 'wx', 0o600);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    size += chunk.length;
    if (size > maxBytes(head)) return undefined;
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  return { size, sha256: hash.digest('hex'), head };
}
