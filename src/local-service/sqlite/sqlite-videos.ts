import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type Account,
  cycleAnchorOf,
  FAILURE_WINDOW_MS,
  failureLimitOf,
  quotaOf,
} from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import { type DatabaseVersion, ReadCache } from '../database-version.ts';
import type { DiskSpace } from '../disk-space.ts';
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

const MAX_CACHED_VIDEOS = 1000;

const COLUMNS = `id, account_id, state, attempt, duration_seconds, created_at, finished_at, bytes,
  sha256, expires_at, files_removed, error`;

/** Empty for a storyboard that cannot be parsed, so that its page can still be shown. */
export const TITLE = "iif(json_valid(storyboard), coalesce(storyboard ->> '$.title', ''), '')";

const countRow = z.object({ count: z.int() });
const useRow = z.object({ used: z.int(), held: z.int() });
const failedRow = z.object({ finished_at: z.int() });
const idRow = z.object({ id: z.string() });

export class SqliteVideos implements VideoRepository {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #disk: Pick<DiskSpace, 'isShort'> | null;
  readonly #find: StatementSync;
  readonly #cache: ReadCache<Video>;

  /**
   * @param disk a video is accepted only if this disk has space; not checked when `null`
   */
  constructor(
    database: DatabaseSync,
    clock: Clock,
    databaseVersion: DatabaseVersion,
    disk: Pick<DiskSpace, 'isShort'> | null = null,
  ) {
    this.#disk = disk;
    this.#database = database;
    this.#clock = clock;
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM video WHERE id = ?`);
    this.#cache = new ReadCache(databaseVersion, MAX_CACHED_VIDEOS);
  }

  accept(account: Account, storyboard: Storyboard, durationSeconds: number): Acceptance {
    if (this.#disk?.isShort) return { kind: 'disk-full' };
    return inTransaction(this.#database, (): Acceptance => {
      const { used, limit, resetAt } = this.quotaUse(account);
      if (used >= limit) return { kind: 'quota-exceeded', quota: { used, limit, resetAt } };
      const until = this.#refusedUntil(account);
      if (until !== undefined) return { kind: 'too-many-failures', until };
      if (!this.#hasImages(account, storyboard)) return { kind: 'image-missing' };
      const id = newVideoId();
      this.#database
        .prepare(
          `INSERT INTO video (id, account_id, storyboard, state, duration_seconds, created_at)
           VALUES (?, ?, ?, 'queued', ?, ?)`,
        )
        .run(id, account.id, JSON.stringify(storyboard), durationSeconds, this.#clock.now());
      return { kind: 'accepted', id };
    });
  }

  quotaUse(account: Account): QuotaUse {
    const cycle = billingCycleAt(cycleAnchorOf(account), this.#clock.now());
    const row = this.#database
      .prepare(
        `SELECT count(*) AS used, count(*) FILTER (WHERE state <> 'done') AS held FROM video
         WHERE account_id = ? AND created_at >= ? AND created_at < ? AND state <> 'failed'`,
      )
      .get(account.id, cycle.startsAt, cycle.endsAt);
    return { ...useRow.parse(row), limit: quotaOf(account), resetAt: cycle.endsAt };
  }

  /** When the account may request videos again; `undefined` if too few have failed for a wait. */
  #refusedUntil(account: Account): number | undefined {
    const row = this.#database
      .prepare(
        `SELECT finished_at FROM video WHERE account_id = ? AND state = 'failed' AND finished_at > ?
         ORDER BY finished_at DESC LIMIT 1 OFFSET ?`,
      )
      .get(account.id, this.#clock.now() - FAILURE_WINDOW_MS, failureLimitOf(account) - 1);
    return row && failedRow.parse(row).finished_at + FAILURE_WINDOW_MS;
  }

  find(account: Account, id: string): Video | undefined {
    const video = this.#read(id);
    return video?.accountId === account.id ? video : undefined;
  }

  findFinished(id: string): FinishedVideo | undefined {
    const video = this.#read(id);
    return video?.state === 'done' ? video : undefined;
  }

  findTitled(account: Account, id: string): TitledVideo | undefined {
    const row = this.#database
      .prepare(`SELECT ${COLUMNS}, ${TITLE} AS title FROM video WHERE account_id = ? AND id = ?`)
      .get(account.id, id);
    return row && titledVideoRow.parse(row);
  }

  list(account: Account, asked: number, videosPerPage: number): VideoPage {
    const row = this.#database
      .prepare('SELECT count(*) AS count FROM video WHERE account_id = ?')
      .get(account.id);
    const pages = Math.max(1, Math.ceil(countRow.parse(row).count / videosPerPage));
    const page = Math.min(asked, pages);
    const videos = this.#database
      .prepare(
        `SELECT ${COLUMNS}, ${TITLE} AS title FROM video
         WHERE account_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?`,
      )
      .all(account.id, videosPerPage, (page - 1) * videosPerPage)
      .map((video) => titledVideoRow.parse(video));
    return { videos, page, pages };
  }

  queuePosition(id: string): number {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count FROM video
         WHERE state = 'queued' AND seq <= (SELECT seq FROM video WHERE id = ?)`,
      )
      .get(id);
    // The video may have left the queue since the caller read its state.
    return Math.max(1, countRow.parse(row).count);
  }

  hasExpired({ expiresAt, filesRemoved }: FinishedVideo): boolean {
    return filesRemoved || this.#clock.now() >= expiresAt;
  }

  expired(): readonly string[] {
    return this.#database
      .prepare(
        // Two queries, each with its own index.
        `SELECT * FROM (
           SELECT id FROM video WHERE state = 'done' AND files_removed = 0 AND expires_at <= ?
           ORDER BY expires_at)
         UNION ALL
         SELECT id FROM video WHERE state = 'failed' AND files_removed = 0 AND attempt > 0`,
      )
      .all(this.#clock.now())
      .map((row) => idRow.parse(row).id);
  }

  markFilesRemoved(ids: readonly string[]): void {
    const mark = this.#database.prepare(
      `UPDATE video SET files_removed = 1, expires_at = min(expires_at, ?)
       WHERE id = ? AND state IN ('done', 'failed')`,
    );
    const now = this.#clock.now();
    inTransaction(this.#database, () => {
      for (const id of ids) mark.run(now, id);
    });
  }

  #hasImages(account: Account, storyboard: Storyboard): boolean {
    const find = this.#database.prepare('SELECT 1 FROM image WHERE id = ? AND account_id = ?');
    return uploadedImagesOf(storyboard).every((image) => find.get(image, account.id));
  }

  #read(id: string): Video | undefined {
    return this.#cache.get(id, () => {
      const row = this.#find.get(id);
      return row && videoRow.parse(row);
    });
  }
}
