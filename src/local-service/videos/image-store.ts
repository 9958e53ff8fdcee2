import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Account } from '../accounts/account.ts';
import type { ImageRecords, NewImage } from '../accounts/image-records.ts';
import { DatabaseUnavailableError } from '../database-unavailable.ts';
import type { DiskSpace } from '../disk-space.ts';
import {
  type ImageHeader,
  type ImageKind,
  readHeaderOfFile,
  readImageHeader,
} from '../rendering/image-header.ts';
import { imageIssue, pixelsIn, uploadedImagesOf } from '../rendering/image-limits.ts';
import { isFont } from '../rendering/own-font.ts';
import { soundFormatOf } from '../rendering/media/sound-format.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { Blobs } from '../storage/blobs.ts';
import { copyToFile } from '../storage/copy-to-file.ts';
import { receiveFile } from '../storage/receive-file.ts';
import type { ImageSource, LocalImages } from './renderer.ts';

export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
/** Photos of 64 megapixels are smaller. */
const MAX_PICTURE_BYTES = 40 * 1024 * 1024;
/** A phone records four minutes of 4K in less, and 20 minutes of sound at any rate. */
export const MAX_MEDIA_BYTES = 1_000_000_000;
/**
 * Per account. The oldest images beyond it are deleted, except those of queued or rendering videos.
 */
const MAX_IMAGES = 100;
/** Of an account's files in bytes, with the same exception; checked when one is large. */
const MAX_STORED_BYTES = 4 * MAX_MEDIA_BYTES;

export type ImageAdded =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'too-large' }
  /** `reason` ends a sentence that begins with the file. */
  | { readonly kind: 'refused'; readonly reason: string };

/** What a client says of a file before its bytes. */
export interface StatedFile {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256?: string | undefined;
}

export interface StoredImage {
  readonly kind: ImageKind;
  readonly bytes: Buffer;
}

const idPattern = /^img_[\w-]{22}$/;

interface ArrivingFile {
  readonly id: string;
  /** Where it is written. */
  readonly file: string;
  readonly content: Readable;
  readonly stated: StatedFile;
}

/** The images, clips, sounds and fonts that users have uploaded, as blobs whose keys the service generates. */
export class ImageStore implements ImageSource {
  readonly #records: ImageRecords;
  readonly #blobs: Blobs;
  readonly #workFolder: string;
  readonly #disk: Pick<DiskSpace, 'hasRoomFor'>;

  /** @param workFolder for temporary files of this process only; it must exist */
  constructor(
    records: ImageRecords,
    blobs: Blobs,
    workFolder: string,
    disk: Pick<DiskSpace, 'hasRoomFor'>,
  ) {
    this.#records = records;
    this.#blobs = blobs;
    this.#workFolder = workFolder;
    this.#disk = disk;
  }

  /** Stores an image, a clip, a sound or a font, like {@link receive}. */
  add(account: Account, bytes: Buffer): Promise<ImageAdded> {
    return this.receive(account, Readable.from([bytes]), { size: bytes.length });
  }

  /** Stores a file as it arrives. The same file uploaded again gets the same identifier. */
  async receive(account: Account, content: Readable, stated: StatedFile): Promise<ImageAdded> {
    if (!this.#disk.hasRoomFor(stated.size)) {
      return { kind: 'refused', reason: 'does not fit on the disk of the service' };
    }
    const id = `img_${randomBytes(16).toString('base64url')}`;
    const file = this.#workFile(id);
    try {
      return await this.#store(account, { id, file, content, stated });
    } finally {
      // Otherwise, a partial file would take up space on a full disk.
      await rm(file, { force: true });
    }
  }

  async #store(account: Account, { id, file, content, stated }: ArrivingFile): Promise<ImageAdded> {
    const received = await receiveFile(content, file, maxBytesOf);
    if (received === undefined) return { kind: 'too-large' };
    const { sha256, head, size } = received;
    if (stated.sha256 !== undefined && stated.sha256 !== sha256) {
      return { kind: 'refused', reason: 'has changed while it was sent' };
    }
    const header = isOther(head) ? undefined : await headerOf(file);
    const reason = isOther(head) ? undefined : imageIssue(header);
    if (reason !== undefined) return { kind: 'refused', reason };
    await this.#blobs.put([{ key: id, file, sha256 }]);
    const recordedId = await this.#record(account, { id, sha256, pixels: pixelsIn(header) });
    const kept = size > MAX_PICTURE_BYTES ? await this.#fitting(account) : MAX_IMAGES;
    const removed = await this.#records.removeOldest(account, kept);
    await this.#blobs.delete(recordedId === id ? removed : [id, ...removed]);
    return { kind: 'added', id: recordedId };
  }

  /** How many of the account's latest files it may keep. */
  async #fitting(account: Account): Promise<number> {
    const latest = await this.#records.latest(account, MAX_IMAGES);
    let bytes = 0;
    for (const [index, id] of latest.entries()) {
      bytes += (await this.#blobs.stat(id))?.size ?? 0;
      if (bytes > MAX_STORED_BYTES) return index;
    }
    return MAX_IMAGES;
  }

  /** @returns the image's identifier: the existing one if the account has the same image already */
  async #record(account: Account, image: NewImage): Promise<string> {
    try {
      return await this.#records.add(account, image);
    } catch (error) {
      // If the connection was lost, the record may have been written and then needs its blob.
      if (!(error instanceof DatabaseUnavailableError)) {
        // An error of the store must not hide the database's.
        await this.#blobs.delete([image.id]).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Whether the account has an image with this identifier. */
  async owns(account: Account, id: string): Promise<boolean> {
    return (await this.#records.pixelsOf(account, id)) !== undefined;
  }

  /** The pixels of the account's image; `undefined` if the account has no such image. */
  async pixelsOf(account: Account, id: string): Promise<number | undefined> {
    return this.#records.pixelsOf(account, id);
  }

  /** The image's file; `undefined` if the account has no such image. */
  async read(account: Account, id: string): Promise<StoredImage | undefined> {
    if (!(await this.owns(account, id))) return undefined;
    const opened = await this.#blobs.open(id);
    if (!opened) return undefined;
    const bytes = await buffer(opened.content);
    const header = readImageHeader(bytes);
    return header && { kind: header.kind, bytes };
  }

  /** Does not check the account: that happened when the video was accepted. */
  async local(storyboard: Storyboard): Promise<LocalImages> {
    const paths = new Map<string, string>();
    const copies: string[] = [];
    const dispose = async (): Promise<void> => {
      await Promise.all(copies.map((copy) => rm(copy, { force: true })));
    };
    try {
      for (const id of uploadedImagesOf(storyboard).filter((image) => idPattern.test(image))) {
        const localPath = this.#blobs.localPath?.(id);
        if (localPath !== undefined) {
          paths.set(id, localPath);
          continue;
        }
        const copy = this.#workFile(id);
        copies.push(copy);
        if (await copyToFile(this.#blobs, id, copy)) paths.set(id, copy);
      }
    } catch (error) {
      await dispose();
      throw error;
    }
    return { pathOf: (id) => paths.get(id), [Symbol.asyncDispose]: dispose };
  }

  /** A different path for each call, since several videos may show the same image. */
  #workFile(id: string): string {
    return path.join(this.#workFolder, `${id}-${randomBytes(8).toString('hex')}`);
  }
}

async function headerOf(file: string): Promise<ImageHeader | undefined> {
  await using handle = await open(file);
  return await readHeaderOfFile(async (position, length) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  });
}

/** Whether a file with these first bytes is none of the images. */
function isOther(head: Buffer): boolean {
  return soundFormatOf(head) !== undefined || isFont(head);
}

function maxBytesOf(head: Buffer): number {
  return soundFormatOf(head) === undefined ? MAX_PICTURE_BYTES : MAX_MEDIA_BYTES;
}
