import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Outage } from '../rendering/render-errors.ts';
import type {
  AdmitVideo,
  InterruptedVideo,
  RequeueReason,
  RenderClaim,
  RenderJob,
  RenderJobs,
} from '../videos/render-jobs.ts';
import type { StoredVideo } from '../videos/video-files.ts';
import { storedStoryboard } from '../videos/video.ts';
import type { PostgresDatabase, Queries } from './postgres-database.ts';
import { JOBS_SCHEMA, RENDER_QUEUE } from './postgres-schema.ts';
import { COMPLETE_JOB, bossDatabase } from './render-boss.ts';
import { RenderResults } from './render-results.ts';

/** A video that lost so many workers in a row fails: it may be the cause. */
const MAX_LOST_WORKERS = 3;

/** Interval of a process's heartbeats in the table of workers. */
const HEARTBEAT_MS = 5_000;
/** A worker without a heartbeat for so long counts as gone. */
export const WORKER_GONE_SECONDS = 30;
/** Whether a job is queued. */
const HAS_QUEUED_JOB = `
  SELECT FROM ${JOBS_SCHEMA}.job
  WHERE name = $1 AND state < 'active' AND NOT blocked LIMIT 1`;

/**
 * Starts a new attempt of each video. A fetched job whose video is in state `rendering` has lost
 * its worker. Videos are locked in the order of their identifiers, so that processes cannot
 * deadlock.
 */
const CLAIM = `
  WITH locked AS (
    SELECT id FROM spool.video WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE spool.video
  SET state = 'rendering', attempt = attempt + 1, progress = 0,
    lost_workers = CASE state WHEN 'rendering' THEN lost_workers + 1 ELSE 0 END
  FROM locked
  WHERE video.id = ANY ($1) AND video.id = locked.id
  AND (state = 'queued' OR state = 'rendering' AND lost_workers + 1 < ${MAX_LOST_WORKERS})
  RETURNING seq, video.id, attempt, storyboard, failures`;

/** Stores an attempt's progress, and refreshes its job's heartbeat in pg-boss. */
const REPORT = `
  WITH reported AS (
    UPDATE spool.video SET progress = $3
    WHERE id = $1 AND attempt = $2 AND state = 'rendering' RETURNING job_id
  ), job AS (
    UPDATE ${JOBS_SCHEMA}.job SET heartbeat_on = now()
    WHERE name = '${RENDER_QUEUE}' AND state = 'active' AND id = (SELECT job_id FROM reported)
  )
  SELECT FROM reported`;

/** Marks a video as failed and completes its job, if the attempt is the current one. */
const FAIL = `
  WITH ended AS (
    UPDATE spool.video SET state = 'failed', finished_at = $3, error = $4
    WHERE id = $1 AND attempt = $2 AND state = 'rendering' RETURNING job_id
  ), job AS (${COMPLETE_JOB})
  SELECT FROM ended`;

/** How long an account's computed share of the slots is reused. */
const SHARE_AGE_MS = 1_000;

const jobData = z.object({ video: z.string() });
const shareRow = z.object({ slots: z.int(), accounts: z.int() });
const claimedRow = z.object({
  seq: z.int(),
  id: z.string(),
  attempt: z.int(),
  storyboard: z.string(),
  failures: z.int(),
});
const jobRow = z.object({ job_id: z.string() });

export interface PostgresRenderJobsOptions {
  readonly database: PostgresDatabase;
  readonly boss: PgBoss;
  readonly clock: Clock;
  /** How long finished videos are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Identifies this process; `slots` is the number of videos that it renders at once. */
  readonly worker: { readonly id: string; readonly slots: number };
}

/** Only the first of the fetched videos were admitted. The error rolls the transaction back. */
class PartlyAdmittedError extends Error {
  override readonly name = 'PartlyAdmittedError';
  readonly admitted: number;

  constructor(admitted: number) {
    super(`${admitted} videos were admitted.`);
    this.admitted = admitted;
  }
}

/**
 * Render jobs of pg-boss. pg-boss gives each job to one worker at a time, and to another one after
 * a missing heartbeat; the attempt in the video's row decides whose result counts.
 */
export class PostgresRenderJobs implements RenderJobs {
  readonly #options: PostgresRenderJobsOptions;
  readonly #results: RenderResults;
  /** Whether more videos may be queued, because the last claim reached its limit. */
  #mayHaveMore = false;
  #heartbeatAt = -Infinity;
  #outage: Outage | undefined;
  #share: { readonly videos: number; readonly at: number } | undefined;

  constructor(options: PostgresRenderJobsOptions) {
    this.#options = options;
    this.#results = new RenderResults(options);
  }

  async take(count: number, admit: AdmitVideo): Promise<readonly RenderJob[]> {
    const { database } = this.#options;
    await this.#sendHeartbeat();
    for (let limit = count; ;) {
      // Most wakes find no video, so a cheap query comes first unless more videos are expected.
      if (!this.#mayHaveMore) {
        const queued = await database.query(HAS_QUEUED_JOB, [RENDER_QUEUE]);
        if (queued.length === 0) return [];
      }
      this.#mayHaveMore = false;
      const share = await this.#accountShare();
      try {
        const jobs = await database.transaction((transaction) =>
          this.#take(transaction, { share, limit, admit }),
        );
        if (jobs === 'settled') continue;
        this.#mayHaveMore = jobs.length === limit;
        return jobs;
      } catch (error) {
        if (!(error instanceof PartlyAdmittedError)) throw error;
        limit = error.admitted;
      }
    }
  }

  async report({ id, attempt }: RenderClaim, progress: number): Promise<boolean> {
    await this.#sendHeartbeat();
    const reported = await this.#options.database.query(REPORT, [id, attempt, progress]);
    return reported.length > 0;
  }

  finish(claim: RenderClaim, file: StoredVideo): Promise<boolean> {
    return this.#results.store(claim, file);
  }

  async fail({ id, attempt }: RenderClaim, reason: string): Promise<boolean> {
    const { database, clock } = this.#options;
    return (await database.query(FAIL, [id, attempt, clock.now(), reason])).length > 0;
  }

  /** pg-boss keeps the job's old position, because it orders jobs by their time of creation. */
  requeue({ id, attempt }: RenderClaim, because: RequeueReason): Promise<boolean> {
    const { database, boss } = this.#options;
    return database.transaction(async (transaction) => {
      const [row] = await transaction.query(
        `UPDATE spool.video
         SET state = 'queued', progress = 0, failures = failures + $3, lost_workers = 0
         WHERE id = $1 AND attempt = $2 AND state = 'rendering' RETURNING job_id`,
        [id, attempt, because === 'failed' ? 1 : 0],
      );
      if (!row) return false;
      const { job_id: job } = jobRow.parse(row);
      await boss.fail(RENDER_QUEUE, job, null, { db: bossDatabase(transaction) });
      return true;
    });
  }

  /** Always empty: pg-boss gives the videos of a lost worker to other workers. */
  interrupted(): Promise<readonly InterruptedVideo[]> {
    return Promise.resolve([]);
  }

  /** Publishes why this process renders nothing for now; `undefined` when it renders again. */
  async reportOutage(outage: Outage | undefined): Promise<void> {
    this.#outage = outage;
    this.#heartbeatAt = -Infinity;
    await this.#sendHeartbeat();
  }

  /** Removes this process from the table of workers. Call it when it renders no more videos. */
  async deregister(): Promise<void> {
    const { database, worker } = this.#options;
    await database.query('DELETE FROM spool.worker WHERE id = $1', [worker.id]);
  }

  /** @returns `settled` when jobs were fetched, but none of them had a video to render */
  async #take(
    transaction: Queries,
    { share, limit, admit }: { share: number; limit: number; admit: AdmitVideo },
  ): Promise<readonly RenderJob[] | 'settled'> {
    const fetched = await this.#options.boss.fetch(RENDER_QUEUE, {
      batchSize: limit,
      groupConcurrency: share,
      db: bossDatabase(transaction),
    });
    if (fetched.length === 0) return [];
    const jobIds = new Map(fetched.map(({ id, data }) => [jobData.parse(data).video, id]));
    const rows = await transaction.query(CLAIM, [[...jobIds.keys()]]);
    const claimed = rows.map((row) => claimedRow.parse(row)).sort((a, b) => a.seq - b.seq);
    const jobs: RenderJob[] = [];
    for (const { id, attempt, failures, storyboard } of claimed) {
      const job = { id, attempt, failures, storyboard: storedStoryboard(storyboard) };
      try {
        admit(job, jobs);
      } catch (error) {
        throw jobs.length === 0 ? error : new PartlyAdmittedError(jobs.length);
      }
      jobs.push(job);
      jobIds.delete(id);
    }
    if (jobIds.size > 0) await this.#settleWithoutClaim(transaction, jobIds);
    return jobs.length > 0 ? jobs : 'settled';
  }

  /** Completes jobs without a video to render, and fails videos that lost too many workers. */
  async #settleWithoutClaim(
    transaction: Queries,
    jobIds: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { boss, clock } = this.#options;
    await transaction.query(
      `UPDATE spool.video SET state = 'failed', attempt = attempt + 1, finished_at = $2, error = $3
       WHERE id = ANY($1) AND state = 'rendering'`,
      [[...jobIds.keys()], clock.now(), 'Rendering was interrupted too often.'],
    );
    const db = bossDatabase(transaction);
    await boss.complete(RENDER_QUEUE, [...jobIds.values()], null, { db });
  }

  async #sendHeartbeat(): Promise<void> {
    const { database, clock, worker } = this.#options;
    const now = clock.now();
    if (now - this.#heartbeatAt < HEARTBEAT_MS) return;
    await database.query(
      `INSERT INTO spool.worker (id, slots, seen_at, outage) VALUES ($1, $2, now(), $3)
       ON CONFLICT (id) DO UPDATE
       SET slots = excluded.slots, seen_at = excluded.seen_at, outage = excluded.outage`,
      [worker.id, worker.slots, this.#outage ?? null],
    );
    // Deletes the rows of killed workers. A worker that was only silent adds itself again. SKIP
    // LOCKED: workers that delete the same rows do not wait for each other.
    await database.query(
      `DELETE FROM spool.worker WHERE id IN (
         SELECT id FROM spool.worker
         WHERE seen_at <= now() - interval '${WORKER_GONE_SECONDS} s' FOR UPDATE SKIP LOCKED)`,
    );
    this.#heartbeatAt = now;
  }

  /**
   * How many videos of one account may be rendered at once: the slots of all workers are shared
   * equally among the accounts with queued videos. A single account may use all of them.
   */
  async #accountShare(): Promise<number> {
    const { database, clock } = this.#options;
    const now = clock.now();
    if (this.#share && now - this.#share.at < SHARE_AGE_MS) return this.#share.videos;
    const [row] = await database.query(
      // Steps by the index from each waiting account to the next, without reading all their videos.
      `WITH RECURSIVE waiting AS (
         SELECT min(account_id) AS account FROM spool.video WHERE state = 'queued'
         UNION ALL
         SELECT (SELECT min(account_id) FROM spool.video
           WHERE state = 'queued' AND account_id > account)
         FROM waiting WHERE account IS NOT NULL
       )
       SELECT count(account) AS accounts,
         (SELECT coalesce(sum(slots), 0)::int FROM spool.worker
          WHERE seen_at > now() - interval '${WORKER_GONE_SECONDS} s') AS slots
       FROM waiting`,
    );
    const { slots, accounts } = shareRow.parse(row);
    const videos = Math.max(1, Math.ceil(slots / Math.max(1, accounts)));
    this.#share = { videos, at: now };
    return videos;
  }
}
