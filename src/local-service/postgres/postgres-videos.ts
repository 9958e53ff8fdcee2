import { z } from 'zod';
import { type Account, cycleAnchorOf, quotaOf } from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import type { Clock } from '../clock.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import {
  type FinishedVideo,
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
import { type PostgresDatabase, type Queries, storable } from './postgres-database.ts';
import { JOBS_SCHEMA, RENDER_QUEUE } from './postgres-schema.ts';
import type { RenderNotifier } from './render-notifier.ts';
import { VideoAcceptance } from './video-acceptance.ts';

/** A video waits again when pg-boss found that its worker is lost, before another one claims it. */
const STATE = `
  CASE WHEN state = 'rendering' AND EXISTS (
    SELECT FROM ${JOBS_SCHEMA}.job
    WHERE job.name = '${RENDER_QUEUE}' AND job.id = video.job_id AND job.state < 'active'
  ) THEN 'queued' ELSE state END`;
const COLUMNS = `id, account_id, ${STATE} AS state, attempt, duration_seconds, created_at,
  finished_at, bytes, sha256, expires_at, files_removed, error`;

const countRow = z.object({ count: z.int() });
const useRow = z.object({ used: z.int(), held: z.int() });
const idRow = z.object({ id: z.string() });

export class PostgresVideos implements VideoRepository {
  readonly #database: PostgresDatabase;
  readonly #notifier: Pick<RenderNotifier, 'notify'>;
  readonly #clock: Clock;
  readonly #acceptance: VideoAcceptance;

  constructor(database: PostgresDatabase, notifier: Pick<RenderNotifier, 'notify'>, clock: Clock) {
    this.#database = database;
    this.#notifier = notifier;
    this.#clock = clock;
    this.#acceptance = new VideoAcceptance(database, clock);
  }

  /** @throws {CommitUncertainError} when the video may have been accepted */
  async accept(
    account: Account,
    storyboard: Storyboard,
    durationSeconds: number,
  ): Promise<Acceptance> {
    const acceptance = await this.#acceptance.accept(account, storyboard, durationSeconds);
    if (acceptance.kind === 'accepted') this.#notifier.notify();
    return acceptance;
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

  async list(account: Account, asked: number, videosPerPage: number): Promise<VideoPage> {
    const [row] = await this.#database.query(
      'SELECT count(*) AS count FROM spool.video WHERE account_id = $1',
      [account.id],
    );
    const pages = Math.max(1, Math.ceil(countRow.parse(row).count / videosPerPage));
    const page = Math.min(asked, pages);
    const rows = await this.#database.query(
      `SELECT ${COLUMNS}, title FROM spool.video
       WHERE account_id = $1 ORDER BY seq DESC LIMIT $2 OFFSET $3`,
      [account.id, videosPerPage, (page - 1) * videosPerPage],
    );
    return { videos: rows.map((video) => titledVideoRow.parse(video)), page, pages };
  }

  async queuePosition(id: string): Promise<number> {
    const [row] = await this.#database.query(
      `SELECT count(*) + 1 AS count FROM spool.video
       WHERE state = 'queued' AND seq < (SELECT seq FROM spool.video WHERE id = $1)`,
      [storable(id)],
    );
    return countRow.parse(row).count;
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
      `UPDATE spool.video SET files_removed = 1,
         expires_at = CASE WHEN expires_at > $2 THEN $2 ELSE expires_at END
       WHERE id = ANY($1) AND state IN ('done', 'failed')`,
      [ids, this.#clock.now()],
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
