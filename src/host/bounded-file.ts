import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** The path that the user typed or dropped is not a regular file, or the file is too large. */
export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError';
  readonly reason: 'not-regular' | 'too-large';

  constructor(reason: 'not-regular' | 'too-large') {
    super(reason === 'too-large' ? 'The file is too large.' : 'It is not a regular file.');
    this.reason = reason;
  }
}

/**
 * Reads a regular file of at most `maxBytes` bytes. Refuses devices and pipes, which may be
 * endless, and a file that grows beyond the limit during the read.
 *
 * @throws {FileRefusedError} or the file system's error
 */
export async function readBoundedFile(
  file: string,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  // Checked before opening too: opening a device can have side effects.
  checkKind(await stat(file));
  // If a pipe replaces the file after the check, opening it must not block until a writer appears.
  // Windows has neither this flag nor such pipes; `undefined` counts as 0.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    checkKind(stats);
    if (stats.size > maxBytes) throw new FileRefusedError('too-large');
    const pieces: Buffer[] = [];
    // Reads one byte more than the size: if it exists, the file grew meanwhile.
    const stream = handle.createReadStream({ end: maxBytes, autoClose: false });
    for await (const piece of stream) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    if (bytes.length > maxBytes) throw new FileRefusedError('too-large');
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Hand-written files and certificates are far smaller. */
const MAX_SMALL_BYTES = 1024 * 1024;

/**
 * Same as {@link readBoundedFile}, for settings, templates and certificates: UTF-8, at most 1 MiB.
 */
export async function readSmallText(file: string): Promise<string> {
  return (await readBoundedFile(file, MAX_SMALL_BYTES)).toString('utf8');
}

function checkKind(stats: { isFile(): boolean; isDirectory(): boolean }): void {
  // The file system's own error for reading a directory.
  if (stats.isDirectory()) throw Object.assign(new Error('Is a directory'), { code: 'EISDIR' });
  if (!stats.isFile()) throw new FileRefusedError('not-regular');
}
