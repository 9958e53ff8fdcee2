import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from '../../accounts/account.ts';
import type { ImageRecords } from '../../accounts/image-records.ts';
import type { DiskSpace } from '../../disk-space.ts';
import { completePart, partOf } from '../../durable-file.ts';
import { type ImageKind, readImageHeader } from '../../rendering/image-header.ts';
import { imageFault, MAX_IMAGE_PIXELS, pixelsIn } from '../../rendering/image-limits.ts';

export const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
/** Beyond these an account's oldest ones go, but none that a video under way still needs. */
const MAX_IMAGES = 100;

export type ImageAdded =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface StoredImage {
  readonly kind: ImageKind;
  readonly bytes: Buffer;
}

const idPattern = /^img_[\w-]{22}$/;

/** The pictures that users have uploaded, as files named by an identifier that the service chose. */
export class ImageStore {
  readonly #records: ImageRecords;
  readonly #folder: string;
  readonly #disk: Pick<DiskSpace, 'hasRoomFor'>;

  constructor(records: ImageRecords, folder: string, disk: Pick<DiskSpace, 'hasRoomFor'>) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#records = records;
    this.#folder = folder;
    this.#disk = disk;
  }

  /** Keeps a picture, once: the same picture uploaded again has the same identifier. */
  async add(account: Account, bytes: Buffer): Promise<ImageAdded> {
    const header = readImageHeader(bytes);
    const reason = imageFault(header);
    if (reason !== undefined) return { kind: 'refused', reason };
    if (!this.#disk.hasRoomFor(bytes.length)) {
      return { kind: 'refused', reason: 'does not fit on the disk of the service' };
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const id = `img_${randomBytes(16).toString('base64url')}`;
    const file = this.#fileOf(id);
    try {
      await writeFile(partOf(file), bytes, { mode: 0o600 });
      await completePart(file);
    } catch (error) {
      // A partial image would take up space on a full disk.
      await rm(partOf(file), { force: true });
      throw error;
    }
    const kept = await this.#records.add(account, { id, sha256, pixels: pixelsIn(header) });
    if (kept !== id) await rm(file);
    for (const removed of await this.#records.removeOldest(account, MAX_IMAGES)) {
      await rm(this.#fileOf(removed), { force: true });
    }
    return { kind: 'added', id: kept };
  }

  /** Whether the account has an image of this identifier. */
  async owns(account: Account, id: string): Promise<boolean> {
    return (await this.#records.pixelsOf(account, id)) !== undefined;
  }

  /**
   * Pixels of the account's image; `undefined` when it has none of this identifier. An image of
   * before pixels were counted has as many as any image may.
   */
  async pixelsOf(account: Account, id: string): Promise<number | undefined> {
    const pixels = await this.#records.pixelsOf(account, id);
    return pixels === null ? MAX_IMAGE_PIXELS : pixels;
  }

  /** The picture itself; `undefined` when the account has none of this identifier. */
  async read(account: Account, id: string): Promise<StoredImage | undefined> {
    if (!(await this.owns(account, id))) return undefined;
    const bytes = await readFile(this.#fileOf(id));
    const header = readImageHeader(bytes);
    return header && { kind: header.kind, bytes };
  }

  /** The path of an image, for the renderer. Its owner was checked when its video was accepted. */
  pathOf(id: string): string | undefined {
    return idPattern.test(id) ? this.#fileOf(id) : undefined;
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, id);
  }
}
