import { createHash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Account } from '../accounts/account.ts';
import type { ImageRecords, NewImage } from '../accounts/image-records.ts';
import { DatabaseUnavailableError } from '../database-unavailable.ts';
import type { DiskSpace } from '../disk-space.ts';
import { type ImageKind, readImageHeader } from '../rendering/image-header.ts';
import { imageIssue, pixelsIn, uploadedImagesOf } from '../rendering/image-limits.ts';
import { isFont } from '../rendering/own-font.ts';
import { soundFormatOf } from '../rendering/media/sound-format.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { Blobs } from '../storage/blobs.ts';
import { copyToFile } from '../storage/copy-to-file.ts';
import type { ImageSource, LocalImages } from './renderer.ts';

export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
/**
 * Per account. The oldest images beyond it are deleted, except those of queued or rendering videos.
 */
const MAX_IMAGES = 100;

export type ImageAdded =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface StoredImage {
  readonly kind: ImageKind;
  readonly bytes: Buffer;
}

const idPattern = /^img_[\w-]{22}$/;

/** The images, sounds and fonts that users have uploaded, as blobs whose keys the service generates. */
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

  /** Stores an image, a sound or a font. The same file uploaded again gets the same identifier. */
  async add(account: Account, bytes: Buffer): Promise<ImageAdded> {
    const header = readImageHeader(bytes);
    const isOther = header === undefined && (soundFormatOf(bytes) !== undefined || isFont(bytes));
    const reason = isOther ? undefined : imageIssue(header);
    if (reason !== undefined) return { kind: 'refused', reason };
    if (!this.#disk.hasRoomFor(bytes.length)) {
      return { kind: 'refused', reason: 'does not fit on the disk of the service' };
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const id = `img_${randomBytes(16).toString('base64url')}`;
    const file = this.#workFile(id);
    try {
      await writeFile(file, bytes, { mode: 0o600 });
      await this.#blobs.put([{ key: id, file, sha256 }]);
    } catch (error) {
      // Otherwise, a partial image would take up space on a full disk.
      await rm(file, { force: true });
      throw error;
    }
    const recordedId = await this.#record(account, { id, sha256, pixels: pixelsIn(header) });
    const removed = await this.#records.removeOldest(account, MAX_IMAGES);
    await this.#blobs.delete(recordedId === id ? removed : [id, ...removed]);
    return { kind: 'added', id: recordedId };
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
