import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import type { Clock } from '../../clock.ts';
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
const imageRow = z.object({ id: z.string().regex(idPattern) });
const pixelsRow = z.object({ pixels: z.int().nullable() });

/** The pictures that users have uploaded, as files named by an identifier that the service chose. */
export class ImageStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #folder: string;
  readonly #disk: Pick<DiskSpace, 'hasRoomFor'>;

  constructor(
    database: DatabaseSync,
    clock: Clock,
    folder: string,
    disk: Pick<DiskSpace, 'hasRoomFor'>,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#database = database;
    this.#clock = clock;
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
    const file = this.#fileOf(`img_${randomBytes(16).toString('base64url')}`);
    try {
      await writeFile(partOf(file), bytes, { mode: 0o600 });
      await completePart(file);
    } catch (error) {
      // A partial image would take up space on a full disk.
      await rm(partOf(file), { force: true });
      throw error;
    }
    const row = this.#database
      .prepare(
        `INSERT INTO image (id, account_id, sha256, created_at, pixels) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account_id, sha256) DO UPDATE
         SET created_at = excluded.created_at, pixels = excluded.pixels
         RETURNING id`,
      )
      .get(path.basename(file), account.id, sha256, this.#clock.now(), pixelsIn(header));
    const { id } = imageRow.parse(row);
    if (id !== path.basename(file)) await rm(file);
    await this.#removeOldest(account);
    return { kind: 'added', id };
  }

  /** Whether the account has an image of this identifier. */
  owns(account: Account, id: string): boolean {
    return this.pixelsOf(account, id) !== undefined;
  }

  /**
   * Pixels of the account's image; `undefined` when it has none of this identifier. An image of
   * before pixels were counted has as many as any image may.
   */
  pixelsOf(account: Account, id: string): number | undefined {
    const row = this.#database
      .prepare('SELECT pixels FROM image WHERE id = ? AND account_id = ?')
      .get(id, account.id);
    return row && (pixelsRow.parse(row).pixels ?? MAX_IMAGE_PIXELS);
  }

  /** The picture itself; `undefined` when the account has none of this identifier. */
  async read(account: Account, id: string): Promise<StoredImage | undefined> {
    if (!this.owns(account, id)) return undefined;
    const bytes = await readFile(this.#fileOf(id));
    const header = readImageHeader(bytes);
    return header && { kind: header.kind, bytes };
  }

  /** The path of an image, for the renderer. Its owner was checked when its video was accepted. */
  pathOf(id: string): string | undefined {
    return idPattern.test(id) ? this.#fileOf(id) : undefined;
  }

  async #removeOldest(account: Account): Promise<void> {
    const rows = this.#database
      .prepare(
        `DELETE FROM image WHERE id IN (
           SELECT id FROM image WHERE account_id = ? ORDER BY created_at DESC, id LIMIT -1 OFFSET ?
         ) AND NOT EXISTS (
           SELECT 1 FROM video WHERE video.account_id = image.account_id
           AND video.state IN ('queued', 'rendering') AND instr(video.storyboard, image.id) > 0
         ) RETURNING id`,
      )
      .all(account.id, MAX_IMAGES);
    for (const row of rows) await rm(this.#fileOf(imageRow.parse(row).id), { force: true });
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, id);
  }
}
