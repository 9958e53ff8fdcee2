/**
 * Reads the pictures that a table names, and opens its other files, from the folder that the table is in.
 * Nothing else of this computer can be read by a table.
 */
import { hash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { codeOf } from '../error-codes.ts';
import { pathInside } from '../files/path-inside.ts';
import type { PictureHeader } from './picture-format.ts';
import { otherFormatOf, readPictureHeader } from './picture-header.ts';
import { findRespelled } from './respelled-name.ts';

/** Decoders need four bytes of memory for each pixel, however small the file is. */
const MAX_PICTURE_PIXELS = 64_000_000;
export const MAX_PICTURE_BYTES = 40 * 1024 * 1024;

/** Pictures may also be in a folder of this name beside the table. */
const MEDIA_FOLDER = 'Media';

/** A picture that can be sent. */
export interface Picture extends PictureHeader {
  /** Absolute, without links. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
}

export type PictureReading =
  | { readonly kind: 'picture'; readonly picture: Picture }
  /** `what` completes a sentence that begins with the cell's place. */
  | { readonly kind: 'invalid'; readonly what: UserMessage };

/** A picture with its bytes. */
export type PictureBytes =
  | { readonly kind: 'read'; readonly picture: Picture; readonly bytes: Buffer }
  | Extract<PictureReading, { kind: 'invalid' }>;

/** Enough for the pictures of the largest tables with pictures; each entry is small. */
const MAX_KNOWN = 10_000;

type Invalid = Extract<PictureReading, { kind: 'invalid' }>;

/** Checks files of one kind; each is read again only when it has changed. */
export class FileChecks<Reading> {
  readonly #read: (text: string, folder: string | undefined) => Promise<Reading>;
  /** By path and what changes when a file does. */
  readonly #known = new Map<string, Reading>();
  readonly #maxKnown: number;

  /**
   * @param read says what is worth knowing of a file, without its bytes
   * @param maxKnown readings that are kept; fewer if they are large
   */
  constructor(
    read: (text: string, folder: string | undefined) => Promise<Reading>,
    maxKnown = MAX_KNOWN,
  ) {
    this.#read = read;
    this.#maxKnown = maxKnown;
  }

  /**
   * @param text the cell
   * @param folder the table's; `undefined` if it is not known
   */
  async check(text: string, folder: string | undefined): Promise<Reading | Invalid> {
    const found = await findPicture(text, folder);
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

/** Checks pictures; reads each file again only when it has changed. */
export class PictureChecks {
  readonly #readings = new FileChecks(readPictureHeaders);
  /** By what stands for a picture in a request that is not sent yet. */
  readonly #files = new Map<string, string>();

  /**
   * @param text the cell
   * @param folder the table's; `undefined` if it is not known
   */
  async check(text: string, folder: string | undefined): Promise<PictureReading> {
    const reading = await this.#readings.check(text, folder);
    if (reading.kind === 'picture') this.remember(reading.picture);
    return reading;
  }

  /** Notes a file that was checked. */
  remember({ sha256, path: file }: Pick<Picture, 'sha256' | 'path'>): void {
    if (this.#files.size >= MAX_KNOWN) this.#files.clear();
    this.#files.set(`sha256:${sha256}`, file);
  }

  /**
   * The file that was checked, by `sha256:` and its hash; `undefined` for any other
   * text.
   */
  fileOf(reference: string): string | undefined {
    return this.#files.get(reference);
  }
}

async function readPictureHeaders(
  text: string,
  folder: string | undefined,
): Promise<PictureReading> {
  const found = await findPicture(text, folder);
  const read = found.kind === 'invalid' ? found : await readFound(found);
  return read.kind === 'read' ? { kind: 'picture', picture: read.picture } : read;
}

/** Reads a picture at a path without links, as a check found it. */
export async function readPicture(file: string): Promise<PictureBytes> {
  const found = await findPicture(file, path.dirname(file));
  return found.kind === 'invalid' ? found : readFound(found);
}

/** Reads any file that a cell names. @param folder the table's; `undefined` if it is not known */
export async function readRowFile(
  text: string,
  folder: string | undefined,
): Promise<FoundBytes | Extract<PictureReading, { kind: 'invalid' }>> {
  const found = await findPicture(text, folder);
  return found.kind === 'invalid' ? found : bytesOf(found);
}

interface Found {
  readonly kind: 'found';
  readonly path: string;
  readonly stats: BigIntStats;
}

async function findPicture(
  cell: string,
  folder: string | undefined,
): Promise<Found | Extract<PictureReading, { kind: 'invalid' }>> {
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
    const found = await findAt(place, folder);
    if (found !== null) return found;
  }
  const name = isWhole ? path.relative(folder, text) : text;
  for (const each of folders) {
    const place = await findRespelled(each, name);
    const found = place === null ? null : await findAt(place, folder);
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
async function findAt(place: string, folder: string): Promise<Found | Invalid | null> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(place)]);
    if (pathInside(root, real) === null) return invalid(userMessage('picture-outside'));
    const stats = await stat(real, { bigint: true });
    return kindIssue(stats) ?? { kind: 'found', path: real, stats };
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '') ? null : unreadable(error);
  }
}

/** Opening a device can have side effects, so it is not opened. */
function kindIssue(stats: BigIntStats): Extract<PictureReading, { kind: 'invalid' }> | null {
  if (!stats.isFile()) return invalid(userMessage('picture-not-file'));
  if (stats.size === 0n) return invalid(userMessage('picture-empty'));
  return stats.size > BigInt(MAX_PICTURE_BYTES) ? tooLarge(Number(stats.size)) : null;
}

async function readFound(found: Found): Promise<PictureBytes> {
  const read = await bytesOf(found);
  return read.kind === 'invalid' ? read : readingOf(read.path, read.bytes);
}

interface FoundBytes {
  readonly kind: 'bytes';
  readonly path: string;
  readonly bytes: Buffer;
}

async function bytesOf({
  path: real,
  stats: seen,
}: Found): Promise<FoundBytes | Extract<PictureReading, { kind: 'invalid' }>> {
  // Windows has neither of the last two flags; `undefined` counts as 0.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    await using handle = await open(real, flags);
    const stats = await handle.stat({ bigint: true });
    // Another file may have taken its place, and a folder on the way may be a link now.
    const isSame = stats.dev === seen.dev && stats.ino === seen.ino;
    if (!isSame || (await realpath(real)) !== real) return invalid(userMessage('picture-changing'));
    const wrong = kindIssue(stats);
    if (wrong !== null) return wrong;
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
  } catch (error) {
    return unreadable(error);
  }
}

function readingOf(real: string, bytes: Buffer): PictureBytes {
  const header = readPictureHeader(bytes);
  if (header === undefined) {
    const format = otherFormatOf(bytes);
    return format === undefined
      ? invalid(userMessage('picture-unknown'))
      : invalid(userMessage('picture-format', { format }));
  }
  const { width, height } = header;
  if (header.isActive) return invalid(userMessage('picture-active'));
  if (!header.isComplete) return invalid(userMessage('picture-incomplete'));
  if (header.isAnimated) return invalid(userMessage('picture-animated'));
  if (header.isCmyk) return invalid(userMessage('picture-cmyk'));
  if (width * height > MAX_PICTURE_PIXELS) {
    const max = MAX_PICTURE_PIXELS / 1_000_000;
    const count = Math.ceil((width * height) / 1_000_000);
    return invalid(userMessage('picture-too-many-pixels', { count, max }));
  }
  const sha256 = hash('sha256', bytes);
  const picture = { ...header, path: real, size: bytes.length, sha256 };
  return { kind: 'read', picture, bytes };
}

function tooLarge(size: number): Extract<PictureReading, { kind: 'invalid' }> {
  return invalid(pictureTooLarge(size, MAX_PICTURE_BYTES));
}

/** Says that a picture has more bytes than it may have, in megabytes. */
export function pictureTooLarge(size: number, max: number): UserMessage {
  const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
  return userMessage('picture-too-large', { size: megabytes(size), max: megabytes(max) });
}

function unreadable(error: unknown): Extract<PictureReading, { kind: 'invalid' }> {
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

function invalid(what: UserMessage): Extract<PictureReading, { kind: 'invalid' }> {
  return { kind: 'invalid', what };
}
