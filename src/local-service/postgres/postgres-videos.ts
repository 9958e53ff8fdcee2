import { z } from 'zod';
import { type Account, cycleAnchorOf, quotaOf } from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import type { Clock } from '../clock.ts';
import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';
import { uploadedImagesOf } from '../rendering/image-limits.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import {
  type FinishedVideo,
  newVideoId,
  type TitledVideo,
  titledVideoRow,
  type Video,
  videoRow,
} from '../videos/video.ts';
import type {
  Acceptance,
  QuotaUse,
  VideoPage,
  VideoRepository,
} from '../videos/video-repository.ts';
import { AccountTurns } from './account-turns.ts';
import { lockAccount } from './postgres-accounts.ts';
import { type PostgresDatabase, type Queries, storable } from './postgres-database.ts';
import { OrderedUuids } from './ordered-uuids.ts';
import { INSERT_JOB } from './render-boss.ts';
import type { RenderNotifier } from './render-notifier.ts';

const COLUMNS = `id, account_id, state, attempt, duration_seconds, created_at, finished_at, bytes,
  sha256, expires_at, files_removed, error`;

/**
 * Stores a video with its render job, unless the quota is used up or an image is missing. The lock of
 * the account keeps the images until then (PostgresImageRecords).
 */
const ACCEPT = `
  WITH quota AS (
    SELECT count(*) AS used FROM spool.video
    WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND state <> 'failed'
  ), video AS (
    INSERT INTO spool.video
      (account_id, id, job_id, title, storyboard, state, duration_seconds, created_at)
    SELECT $1, $6, $7, $8, $9, 'queued', $10, $11 FROM quota
    WHERE used < $4 AND cardinality($5::text[]) =
      (SELECT count(*) FROM spool.image WHERE id = ANY($5) AND account_id = $1)
    RETURNING job_id, id, account_id
  ), job AS (${INSERT_JOB} RETURNING id)
  SELECT used, EXISTS (SELECT FROM job) AS accepted FROM quota`;

const acceptanceRow = z.object({ used: z.int(), accepted: z.boolean() });
const countRow = z.object({ count: z.int() });
const useRow = z.object({ used: z.int(), held: z.int() });
const idRow = z.object({ id: z.string() });

export class PostgresVideos implements VideoRepository {
  readonly #database: PostgresDatabase;
  readonly #notifier: Pick<RenderNotifier, 'notify'>;
  readonly #clock: Clock;
  readonly #jobIds = new OrderedUuids();
  readonly #turns = new AccountTurns();

  constructor(database: PostgresDatabase, notifier: Pick<RenderNotifier, 'notify'>, clock: Clock) {
    this.#database = database;
    this.#notifier = notifier;
    this.#clock = clock;
  }

  /** @throws {CommitUncertainError} when the video may have been accepted */
  async accept(
    account: Account,
    storyboard: Storyboard,
    durationSeconds: number,
  ): Promise<Acceptance> {
    const id = newVideoId();
    try {
      const acceptance = await this.#turns.run(account.id, () =>
        this.#accept(id, account, storyboard, durationSeconds),
      );
      if (acceptance.kind === 'accepted') this.#notifier.notify();
      return acceptance;
    } catch (error) {
      if (!(error instanceof CommitUncertainError)) throw error;
      if (await this.#isStored(id, account, error)) return { kind: 'accepted', id };
      throw new DatabaseUnavailableError(error);
    }
  }

  /** Settles a commit whose answer was lost. */
  async #isStored(id: string, account: Account, uncertain: CommitUncertainError): Promise<boolean> {
    try {
      return await this.#database.transaction(async (transaction) => {
        // The transaction of the lost connection may still run, and keeps this lock until it ends.
        await lockAccount(transaction, account);
        const rows = await transaction.query('SELECT FROM spool.video WHERE id = $1', [id]);
        return rows.length > 0;
      });
    } catch {
      throw uncertain;
    }
  }

  #accept(
    id: string,
    account: Account,
    storyboard: Storyboard,
    durationSeconds: number,
  ): Promise<Acceptance> {
    const now = this.#clock.now();
    const cycle = billingCycleAt(cycleAnchorOf(account), now);
    const limit = quotaOf(account);
    return this.#database.transaction(async (transaction): Promise<Acceptance> => {
      // Requests to other processes wait here, so that each counts what the ones before accepted. A
      // separate statement: the next one sees what was committed before the lock was taken.
      await lockAccount(transaction, account);
      const [row] = await transaction.query(ACCEPT, [
        ...[account.id, cycle.startsAt, cycle.endsAt, limit],
        uploadedImagesOf(storyboard).map(storable),
        ...[id, this.#jobIds.next(now), storable(storyboard.title), JSON.stringify(storyboard)],
        ...[durationSeconds, now],
      ]);
      const { used, accepted } = acceptanceRow.parse(row);
      if (accepted) return { kind: 'accepted', id };
      if (used < limit) return { kind: 'image-missing' };
      return { kind: 'quota-exceeded', rateLimitStatus: { used, limit, resetAt: cycle.endsAt } };
    });
  }

  quotaUse(account: Account): Promise<QuotaUse> {
    return this.#quotaUse(this.#database, account);
  }

  async find(account: Account, id: string): Promise<Video | undefined> {
    const [row] = await this.#database.query(
      `SELECT ${COLUMNS} FROM spool.video WHERE id = $1 AND account_id = $2`,
      [storable(id), account.id],
    );
    return row && videoRow.parse(row);
  }

  async findFinished(id: string): Promise<FinishedVideo | undefined> {
    const [row] = await this.#database.query(`SELECT ${COLUMNS} FROM spool.video WHERE id = $1`, [
      storable(id),
    ]);
    const video = row && videoRow.parse(row);
    return video?.state === 'done' ? video : undefined;
  }

  async findTitled(account: Account, id: string): Promise<TitledVideo | undefined> {
    const [row] = await this.#database.query(
      `SELECT ${COLUMNS}, title FROM spool.video WHERE id = $1 AND account_id = $2`,
      [storable(id), account.id],
    );
    return row && titledVideoRow.parse(row);
  }

  async list(account: Account, asked: number, videosOnAPage: number): Promise<VideoPage> {
    const [row] = await this.#database.query(
      'SELECT count(*) AS count FROM spool.video WHERE account_id = $1',
      [account.id],
    );
    const pages = Math.max(1, Math.ceil(countRow.parse(row).count / videosOnAPage));
    const page = Math.min(asked, pages);
    const rows = await this.#database.query(
      `SELECT ${COLUMNS}, title FROM spool.video
       WHERE account_id = $1 ORDER BY seq DESC LIMIT $2 OFFSET $3`,
      [account.id, videosOnAPage, (page - 1) * videosOnAPage],
    );
    return { videos: rows.map((video) => titledVideoRow.parse(video)), page, pages };
  }

  async positionInLine(id: string): Promise<number> {
    const [row] = await this.#database.query(
      `SELECT count(*) AS count FROM spool.video
       WHERE state = 'queued' AND seq <= (SELECT seq FROM spool.video WHERE id = $1)`,
      [storable(id)],
    );
    // The video may have left the line since the caller read its state.
    return Math.max(1, countRow.parse(row).count);
  }

  hasExpired({ expiresAt, filesRemoved }: FinishedVideo): boolean {
    return filesRemoved || this.#clock.now() >= expiresAt;
  }

  async expired(): Promise<readonly string[]> {
    const rows = await this.#database.query(
      `SELECT id FROM spool.video
       WHERE files_removed = 0
       AND (state = 'done' AND expires_at <= $1 OR state = 'failed' AND attempt > 0)
       ORDER BY expires_at`,
      [this.#clock.now()],
    );
    return rows.map((row) => idRow.parse(row).id);
  }

  async markFilesRemoved(ids: readonly string[]): Promise<void> {
    await this.#database.query(
      "UPDATE spool.video SET files_removed = 1 WHERE id = ANY($1) AND state IN ('done', 'failed')",
      [ids],
    );
  }

  async #quotaUse(database: Queries, account: Account): Promise<QuotaUse> {
    const cycle = billingCycleAt(cycleAnchorOf(account), this.#clock.now());
    const [row] = await database.query(
      `SELECT count(*) AS used, count(*) FILTER (WHERE state <> 'done') AS held FROM spool.video
       WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND state <> 'failed'`,
      [account.id, cycle.startsAt, cycle.endsAt],
    );
    return { ...useRow.parse(row), limit: quotaOf(account), resetAt: cycle.endsAt };
  }
}
