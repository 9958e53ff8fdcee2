import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/local-service/clock.ts';
import {
  insertAccount,
  lockAccount,
} from '../../../../src/local-service/postgres/postgres-accounts.ts';
import { PostgresDatabase } from '../../../../src/local-service/postgres/postgres-database.ts';
import { PostgresImageRecords } from '../../../../src/local-service/postgres/postgres-image-records.ts';
import { postgres } from './columns.ts';

beforeAll(() => postgres.begin());
afterAll(() => postgres.end());

const ID = `img_${'x'.repeat(22)}`;

test.skipIf(postgres.missing !== undefined)(
  'an image is kept when a video that shows it is accepted while old images are removed',
  async () => {
    const url = await postgres.database();
    const onError = (): undefined => undefined;
    const database = new PostgresDatabase({ url, maxConnections: 3, name: 'test', onError });
    onTestFinished(() => database.close());
    const account = (await insertAccount(database, { email: 'a@example.com', plan: 'free' }, 0))!;
    const images = new PostgresImageRecords(database, systemClock);
    await images.add(account, { id: ID, sha256: 'hash', pixels: 1 });
    const isWaiting = async (): Promise<boolean> => {
      const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      return (await database.query(waiting)).length > 0;
    };
    let removing: Promise<readonly string[]> | undefined;
    await database.transaction(async (transaction) => {
      await lockAccount(transaction, account);
      await transaction.query('SELECT FROM spool.image WHERE id = $1 FOR SHARE', [ID]);
      await transaction.query(
        `INSERT INTO spool.video
           (id, account_id, job_id, title, storyboard, state, duration_seconds, created_at)
         VALUES ('vid_1', $1, gen_random_uuid(), 'Film', $2, 'queued', 5, 0)`,
        [account.id, JSON.stringify({ image: ID })],
      );
      removing = images.removeOldest(account, 0);
      await expect.poll(isWaiting).toBe(true);
    });
    expect(await removing).toEqual([]);
    expect(await images.pixelsOf(account, ID)).toBe(1);
  },
);
