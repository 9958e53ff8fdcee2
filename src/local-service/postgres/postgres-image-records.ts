import { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import type { ImageRecords, NewImage } from '../accounts/image-records.ts';
import type { Clock } from '../clock.ts';
import { lockAccount } from './postgres-accounts.ts';
import { type PostgresDatabase, storable } from './postgres-database.ts';

const idRow = z.object({ id: z.string() });
const pixelsRow = z.object({ pixels: z.int() });

/**
 * Images are added and removed, and videos accepted, under the lock of the account, so a removal
 * sees every video that uses an image.
 */
export class PostgresImageRecords implements ImageRecords {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  add(account: Account, { id, sha256, pixels }: NewImage): Promise<string> {
    return this.#database.transaction(async (transaction) => {
      await lockAccount(transaction, account);
      const [row] = await transaction.query(
        `INSERT INTO spool.image (id, account_id, sha256, created_at, pixels)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account_id, sha256) DO UPDATE
         SET created_at = excluded.created_at, pixels = excluded.pixels
         RETURNING id`,
        [id, account.id, sha256, this.#clock.now(), pixels],
      );
      return idRow.parse(row).id;
    });
  }

  async pixelsOf(account: Account, id: string): Promise<number | undefined> {
    const [row] = await this.#database.query(
      'SELECT pixels FROM spool.image WHERE id = $1 AND account_id = $2',
      [storable(id), account.id],
    );
    return row && pixelsRow.parse(row).pixels;
  }

  async latest(account: Account, count: number): Promise<readonly string[]> {
    const rows = await this.#database.query(
      'SELECT id FROM spool.image WHERE account_id = $1 ORDER BY created_at DESC, id LIMIT $2',
      [account.id, count],
    );
    return rows.map((row) => idRow.parse(row).id);
  }

  removeOldest(account: Account, keep: number): Promise<readonly string[]> {
    return this.#database.transaction(async (transaction) => {
      // A separate statement, so that the next one sees what was committed during the wait.
      await lockAccount(transaction, account);
      const rows = await transaction.query(
        `DELETE FROM spool.image WHERE id IN (
           SELECT id FROM spool.image WHERE account_id = $1 ORDER BY created_at DESC, id OFFSET $2
         ) AND NOT EXISTS (
           SELECT 1 FROM spool.video WHERE video.account_id = image.account_id
           AND video.state IN ('queued', 'rendering') AND strpos(video.storyboard, image.id) > 0
         ) RETURNING id`,
        [account.id, keep],
      );
      return rows.map((row) => idRow.parse(row).id);
    });
  }
}
