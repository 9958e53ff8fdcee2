import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** A path that somebody typed or dropped leads to something that is not read. */
export class FileRefusedError extends Error {
  override readonly name = 'FileRefusedError';
  readonly reason: 'not-regular' | 'too-large';

  constructor(reason: 'not-regular' | 'too-large') {
    super(reason === 'too-large' ? 'The file is too large.' : 'It is not a regular file.');
    this.reason = reason;
  }
}

/**
 * Reads a regular file of at most `maxBytes` bytes. A device or a pipe, which may have no end, is
 * refused, and so is a file that grows beyond while it is read.
 *
 * @throws {FileRefusedError} or the file system's error
 */
export async function readBoundedFile(file: string, maxBytes: number): Promise<Buffer> {
  // Before it is opened as well: opening a device can have effects.
  checkKind(await stat(file));
  // Should a pipe take its place meanwhile, opening it must not wait for a writer.
  // Windows has no such flag and no such pipes: undefined counts as none.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    checkKind(stats);
    if (stats.size > maxBytes) throw new FileRefusedError('too-large');
    const pieces: Buffer[] = [];
    // If one byte more than the size can be read, the file grew meanwhile.
    const stream = handle.createReadStream({ end: maxBytes, autoClose: false });
    for await (const piece of stream) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    if (bytes.length > maxBytes) throw new FileRefusedError('too-large');
    return bytes;
  } finally {
    await handle.close();
  }
}

/** What a person writes by hand, and a certificate, is far smaller. */
const MAX_SMALL_BYTES = 1024 * 1024;

/** As {@link readBoundedFile}, for settings, templates and certificates: UTF-8 of at most 1 MiB. */
export async function readSmallText(file: string): Promise<string> {
  return (await readBoundedFile(file, MAX_SMALL_BYTES)).toString('utf8');
}

function checkKind(stats: { isFile(): boolean; isDirectory(): boolean }): void {
  // The file system's own error says so when it is read.
  if (stats.isDirectory()) throw Object.assign(new Error('Is a directory'), { code: 'EISDIR' });
  if (!stats.isFile()) throw new FileRefusedError('not-regular');
}
