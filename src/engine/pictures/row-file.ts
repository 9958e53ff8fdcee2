/**
 * Finds and opens the files that a table names, in the folder that the table is in. Nothing else of
 * this computer can be read by a table.
 */
import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { type ReadAt, readerOf } from '../downloads/mp4-boxes.ts';
import { codeOf } from '../error-codes.ts';
import type { FileOnDisk } from '../file-on-disk.ts';
import { pathInside } from '../files/path-inside.ts';
import { findRespelled } from './respelled-name.ts';

/** Of files that are read into memory. */
export const MAX_PICTURE_BYTES = 40 * 1024 * 1024;
/** Of clips and sounds, which are never in memory as a whole; the local service takes no larger ones. */
export const MAX_MEDIA_BYTES = 1_000_000_000;

/** Files may also be in a folder of this name beside the table. */
const MEDIA_FOLDER = 'Media';
/** Enough for the files of the largest tables; each entry is small. */
const MAX_KNOWN = 10_000;
/** Bytes that are hashed at a time: less than a millisecond of this process. */
const HASHED_AT_ONCE = 1024 * 1024;

/** `what` completes a sentence that begins with the cell's place. */
export interface InvalidFile {
  readonly kind: 'invalid';
  readonly what: UserMessage;
}

export interface FileBytes {
  readonly kind: 'bytes';
  /** Absolute, without links. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** A file that is read in parts. */
export interface OpenRowFile {
  readonly size: number;
  readonly read: ReadAt;
  /** Reads all of it once. */
  readonly onDisk: () => Promise<FileOnDisk>;
}

/** Checks files of one kind; each is read again only when it has changed. */
export class FileChecks<Reading> {
  readonly #read: (text: string, folder: string | undefined) => Promise<Reading>;
  /** By path and what changes when a file does. */
  readonly #known = new Map<string, Reading>();
  readonly #maxBytes: number;
  readonly #maxKnown: number;

  /**
   * @param read says what is worth knowing of a file, without its bytes
   * @param options.maxBytes of a file
   * @param options.maxKnown readings that are kept; fewer if they are large
   */
  constructor(
    read: (text: string, folder: string | undefined) => Promise<Reading>,
    { maxBytes = MAX_PICTURE_BYTES, maxKnown = MAX_KNOWN } = {},
  ) {
    this.#read = read;
    this.#maxBytes = maxBytes;
    this.#maxKnown = maxKnown;
  }

  /**
   * @param text the cell
   * @param folder the table's; `undefined` if it is not known
   */
  async check(text: string, folder: string | undefined): Promise<Reading | InvalidFile> {
    const found = await findRowFile(text, folder, this.#maxBytes);
    if (found.kind === 'invalid') return found;
    const key = keyOf(found);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = await this.#read(text, folder);
    if (this.#known.size >= this.#maxKnown) this.#known.clear();
    this.#known.set(key, reading);
    return reading;
  }
}

function keyOf({ path: file, stats }: Found): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [file, dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Reads any file that a cell names. @param folder the table's; `undefined` if it is not known */
export function readRowFile(
  cell: string,
  folder: string | undefined,
): Promise<FileBytes | InvalidFile> {
  return withRowFile(cell, folder, MAX_PICTURE_BYTES, async ({ path: real, handle, stats }) => {
    const bytes = Buffer.alloc(Number(stats.size) + 1);
    let length = 0;
    // One byte more than its size: if there is one, the file is being written.
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length !== Number(stats.size)) return invalid(userMessage('picture-changing'));
    return { kind: 'bytes', path: real, bytes: bytes.subarray(0, length) };
  });
}

/**
 * Reads parts of a clip or a sound that a cell names.
 * @param folder the table's; `undefined` if it is not known
 */
export function readMediaFile<Reading>(
  cell: string,
  folder: string | undefined,
  work: (file: OpenRowFile) => Promise<Reading>,
): Promise<Reading | InvalidFile> {
  return withRowFile(cell, folder, MAX_MEDIA_BYTES, async ({ path: real, handle, stats }) => {
    const size = Number(stats.size);
    const onDisk = async () => ({ path: real, size, sha256: await sha256Of(handle, size) });
    const reading = await work({ size, read: readerOf(handle), onDisk });
    const { size: sizeNow, mtimeNs } = await handle.stat({ bigint: true });
    const isSame = sizeNow === stats.size && mtimeNs === stats.mtimeNs;
    return isSame ? reading : invalid(userMessage('picture-changing'));
  });
}

/** Of the first `size` bytes: a file that is being written may grow as fast as it is read. */
async function sha256Of(handle: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256');
  const part = Buffer.alloc(HASHED_AT_ONCE);
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(part, 0, Math.min(part.length, size - at), at);
    if (bytesRead === 0) break;
    hash.update(part.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}

interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
}

async function withRowFile<Reading>(
  cell: string,
  folder: string | undefined,
  maxBytes: number,
  work: (file: OpenFile) => Promise<Reading>,
): Promise<Reading | InvalidFile> {
  const found = await findRowFile(cell, folder, maxBytes);
  if (found.kind === 'invalid') return found;
  const { path: real, stats: seen } = found;
  // Windows has neither of the last two flags; `undefined` counts as 0.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    await using handle = await open(real, flags);
    const stats = await handle.stat({ bigint: true });
    // Another file may have taken its place, and a folder on the way may be a link now.
    const isSame = stats.dev === seen.dev && stats.ino === seen.ino;
    if (!isSame || (await realpath(real)) !== real) return invalid(userMessage('picture-changing'));
    return kindIssue(stats, maxBytes) ?? (await work({ path: real, handle, stats }));
  } catch (error) {
    return unreadable(error);
  }
}

interface Found {
  readonly kind: 'found';
  readonly path: string;
  readonly stats: BigIntStats;
}

async function findRowFile(
  cell: string,
  folder: string | undefined,
  maxBytes: number,
): Promise<Found | InvalidFile> {
  if (folder === undefined || !path.isAbsolute(folder))
    return invalid(userMessage('picture-without-folder'));
  const text = /^file:/i.test(cell) ? pathOfAddress(cell) : cell;
  if (text === null) return invalid(userMessage('picture-outside'));
  // What has its folders is looked for only there.
  const isWhole = path.isAbsolute(text);
  const folders = isWhole ? [folder] : [folder, path.join(folder, MEDIA_FOLDER)];
  const places = folders.map((each) => path.resolve(each, text));
  if (places.every((place) => pathInside(folder, place) === null))
    return invalid(userMessage('picture-outside'));
  for (const place of places) {
    const found = await findAt(place, folder, maxBytes);
    if (found !== null) return found;
  }
  const name = isWhole ? path.relative(folder, text) : text;
  for (const each of folders) {
    const place = await findRespelled(each, name);
    const found = place === null ? null : await findAt(place, folder, maxBytes);
    if (found !== null) return found;
  }
  return invalid(userMessage(SEVERAL.test(text) ? 'picture-several' : 'picture-missing'));
}

/** Files that are listed as a list’s items are: `one.jpg | other.jpg`. */
const SEVERAL = /\.[a-z\d]{2,5}["']?\s*[|;,\r\n]\s*\S/i;

/** The path in `file:///home/me/Red%20boat.png`; `null` for an address of another computer. */
function pathOfAddress(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null;
  }
}

/** @returns `null` if nothing is there */
async function findAt(
  place: string,
  folder: string,
  maxBytes: number,
): Promise<Found | InvalidFile | null> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(place)]);
    if (pathInside(root, real) === null) return invalid(userMessage('picture-outside'));
    const stats = await stat(real, { bigint: true });
    return kindIssue(stats, maxBytes) ?? { kind: 'found', path: real, stats };
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') ? null : unreadable(error);
  }
}

/** Opening a device can have side effects, so it is not opened. */
function kindIssue(stats: BigIntStats, maxBytes: number): InvalidFile | null {
  if (!stats.isFile()) return invalid(userMessage('picture-not-file'));
  if (stats.size === 0n) return invalid(userMessage('picture-empty'));
  const size = Number(stats.size);
  return size > maxBytes ? invalid(fileTooLarge(size, maxBytes)) : null;
}

/** Says that a file has more bytes than it may have, in megabytes. */
function fileTooLarge(size: number, max: number): UserMessage {
  const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
  return userMessage('picture-too-large', { size: megabytes(size), max: megabytes(max) });
}

function unreadable(error: unknown): InvalidFile {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return invalid(userMessage('picture-forbidden'));
    case 'ELOOP':
      return invalid(userMessage('picture-outside'));
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return invalid(userMessage('picture-missing'));
    default:
      return invalid(userMessage('picture-unreadable'));
  }
}

function invalid(what: UserMessage): InvalidFile {
  return { kind: 'invalid', what };
}
