import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import type { Clock } from '../../clock.ts';
import { type ImageKind, imageKindOf } from './image-kind.ts';

export const MOST_IMAGE_BYTES = 8 * 1024 * 1024;
/** Beyond these an account's oldest ones go, but none that a video under way still needs. */
const MOST_IMAGES = 100;

export type ImageAdded =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface StoredImage {
  readonly kind: ImageKind;
  readonly bytes: Buffer;
}

const idPattern = /^img_[\w-]{22}$/;
const imageRow = z.object({ id: z.string().regex(idPattern) });

/** The pictures that owners have uploaded, as files named by an identifier of the service's own. */
export class ImageStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #folder: string;

  constructor(database: DatabaseSync, clock: Clock, folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#database = database;
    this.#clock = clock;
    this.#folder = folder;
  }

  /** Keeps a picture, once: the same picture uploaded again has the same identifier. */
  async add(account: Account, bytes: Buffer): Promise<ImageAdded> {
    if (!imageKindOf(bytes)) {
      return { kind: 'refused', reason: 'is not a PNG, JPEG or WebP picture' };
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = this.#fileOf(`img_${randomBytes(16).toString('base64url')}`);
    await writeFile(`${file}.part`, bytes, { mode: 0o600 });
    await rename(`${file}.part`, file);
    const row = this.#database
      .prepare(
        `INSERT INTO image (id, account_id, sha256, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (account_id, sha256) DO UPDATE SET created_at = excluded.created_at
         RETURNING id`,
      )
      .get(path.basename(file), account.id, sha256, this.#clock.now());
    const { id } = imageRow.parse(row);
    if (id !== path.basename(file)) await rm(file);
    await this.#removeOldest(account);
    return { kind: 'added', id };
  }

  /** Whether the account has a picture of this identifier. */
  owns(account: Account, id: string): boolean {
    const row = this.#database
      .prepare('SELECT id FROM image WHERE id = ? AND account_id = ?')
      .get(id, account.id);
    return row !== undefined;
  }

  /** The picture itself; `undefined` when the account has none of this identifier. */
  async read(account: Account, id: string): Promise<StoredImage | undefined> {
    if (!this.owns(account, id)) return undefined;
    const bytes = await readFile(this.#fileOf(id));
    const kind = imageKindOf(bytes);
    return kind && { kind, bytes };
  }

  /** Where the renderer finds a picture. Whose it is was settled when its video was accepted. */
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
      .all(account.id, MOST_IMAGES);
    for (const row of rows) await rm(this.#fileOf(imageRow.parse(row).id), { force: true });
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, id);
  }
}
