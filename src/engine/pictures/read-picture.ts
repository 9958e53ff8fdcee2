/** Reads the pictures that a table names. */
import { hash } from 'node:crypto';
import path from 'node:path';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { FileOnDisk } from '../file-on-disk.ts';
import type { PictureHeader } from './picture-format.ts';
import { otherFormatOf, readPictureHeader } from './picture-header.ts';
import { FileChecks, type FileBytes, type InvalidFile, readRowFile } from './row-file.ts';

/** Decoders need four bytes of memory for each pixel, however small the file is. */
const MAX_PICTURE_PIXELS = 64_000_000;

/**
 * Of all pictures of a row, in bytes: they are in memory together, as base64 in a text that the engine
 * of JavaScript limits to 512 MB.
 */
export const MAX_BYTES_TOGETHER = 100_000_000;
/** Of all pictures of a row, as the service on this computer decodes them one by one. */
export const MAX_PIXELS_TOGETHER = 500_000_000;

/** A picture that can be sent. */
export interface Picture extends PictureHeader, FileOnDisk {}

export type PictureReading = { readonly kind: 'picture'; readonly picture: Picture } | InvalidFile;

/** A picture with its bytes. */
export type PictureBytes =
  | { readonly kind: 'read'; readonly picture: Picture; readonly bytes: Buffer }
  | InvalidFile;

/** Enough for the pictures of the largest tables with pictures; each entry is small. */
const MAX_REMEMBERED = 10_000;

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
    if (this.#files.size >= MAX_REMEMBERED) this.#files.clear();
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
  const file = await readRowFile(text, folder);
  const read = file.kind === 'invalid' ? file : readingOf(file);
  return read.kind === 'read' ? { kind: 'picture', picture: read.picture } : read;
}

/** Reads a picture at a path without links, as a check found it. */
export async function readPicture(file: string): Promise<PictureBytes> {
  const read = await readRowFile(file, path.dirname(file));
  return read.kind === 'invalid' ? read : readingOf(read);
}

function readingOf({ path: real, bytes }: FileBytes): PictureBytes {
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

function invalid(what: UserMessage): InvalidFile {
  return { kind: 'invalid', what };
}
