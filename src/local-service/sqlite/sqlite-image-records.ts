/** Records of uploaded pictures on SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import type { ImageRecords, NewImage } from '../accounts/image-records.ts';
import type { Clock } from '../clock.ts';

const idRow = z.object({ id: z.string() });
const pixelsRow = z.object({ pixels: z.int() });

export class SqliteImageRecords implements ImageRecords {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  add(account: Account, { id, sha256, pixels }: NewImage): string {
    const row = this.#database
      .prepare(
        `INSERT INTO image (id, account_id, sha256, created_at, pixels) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account_id, sha256) DO UPDATE
         SET created_at = excluded.created_at, pixels = excluded.pixels
         RETURNING id`,
      )
      .get(id, account.id, sha256, this.#clock.now(), pixels);
    return idRow.parse(row).id;
  }

  pixelsOf(account: Account, id: string): number | undefined {
    const row = this.#database
      .prepare('SELECT pixels FROM image WHERE id = ? AND account_id = ?')
      .get(id, account.id);
    return row && pixelsRow.parse(row).pixels;
  }

  latest(account: Account, count: number): readonly string[] {
    return this.#database
      .prepare('SELECT id FROM image WHERE account_id = ? ORDER BY created_at DESC, id LIMIT ?')
      .all(account.id, count)
      .map((row) => idRow.parse(row).id);
  }

  removeOldest(account: Account, keep: number): readonly string[] {
    return this.#database
      .prepare(
        `DELETE FROM image WHERE id IN (
           SELECT id FROM image WHERE account_id = ? ORDER BY created_at DESC, id LIMIT -1 OFFSET ?
         ) AND NOT EXISTS (
           SELECT 1 FROM video WHERE video.account_id = image.account_id
           AND video.state IN ('queued', 'rendering') AND instr(video.storyboard, image.id) > 0
         ) RETURNING id`,
      )
      .all(account.id, keep)
      .map((row) => idRow.parse(row).id);
  }
}
