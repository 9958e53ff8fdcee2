import type { PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type {
  InterruptedVideo,
  PutBackReason,
  RenderClaim,
  RenderJob,
  RenderJobs,
  WaitingVideo,
} from '../videos/render-jobs.ts';
import type { StoredVideo } from '../videos/video-files.ts';
import { storedStoryboard } from '../videos/video.ts';
import type { PostgresDatabase, Queries } from './postgres-database.ts';
import { RENDER_QUEUE } from './postgres-schema.ts';
import { inBoss } from './render-boss.ts';

/** A video with which so many workers in a row were lost may be what ended them. */
const MAX_LOST_WORKERS = 3;

/** Milliseconds between signs of life, to pg-boss and to the other workers. */
const HEARTBEAT_MS = 5_000;
/** A worker that gave no sign of life for so long does not count any more. */
const WORKER_GONE_SECONDS = 30;
/** How old the share of an account may be when the next video is taken. */
const SHARE_AGE_MS = 1_000;

const jobData = z.object({ video: z.string() });
const shareRow = z.object({ slots: z.int(), accounts: z.int() });
const videoRow = z.object({ state: z.string(), lost_workers: z.int() });
const claimedRow = z.object({
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
  /** This process among all that render. */
  readonly worker: { readonly id: string; readonly slots: number };
}

/**
 * Render jobs of pg-boss. pg-boss hands each job to one worker at a time, and to another one when a
 * worker is silent; the attempt in the video's row decides whose result counts.
 */
export class PostgresRenderJobs implements RenderJobs {
  readonly #options: PostgresRenderJobsOptions;
  readonly #touchedAt = new Map<string, number>();
  #seenAt = -Infinity;
  #share: { readonly videos: number; readonly at: number } | undefined;

  constructor(options: PostgresRenderJobsOptions) {
    this.#options = options;
  }

  async take(admit: (video: WaitingVideo) => void): Promise<RenderJob | undefined> {
    const { database } = this.#options;
    await this.#signLife();
    for (;;) {
      const share = await this.#shareOfAnAccount();
      const taken = await database.transaction((transaction) =>
        this.#take(transaction, share, admit),
      );
      if (taken === 'settled') continue;
      if (taken) this.#touchedAt.set(keyOf(taken), this.#options.clock.now());
      return taken;
    }
  }

  async report(claim: RenderClaim, progress: number): Promise<boolean> {
    const { database, boss, clock } = this.#options;
    await this.#signLife();
    const [row] = await database.query(
      `UPDATE spool.video SET progress = $3
       WHERE id = $1 AND attempt = $2 AND state = 'rendering' RETURNING job_id`,
      [claim.id, claim.attempt, progress],
    );
    if (!row) return false;
    const now = clock.now();
    if (now - (this.#touchedAt.get(keyOf(claim)) ?? -Infinity) >= HEARTBEAT_MS) {
      await boss.touch(RENDER_QUEUE, jobRow.parse(row).job_id);
      this.#touchedAt.set(keyOf(claim), now);
    }
    return true;
  }

  async finish(claim: RenderClaim, { bytes, sha256 }: StoredVideo): Promise<boolean> {
    const { database, boss, clock, retentionMs } = this.#options;
    const now = clock.now();
    const isStored = await this.#end(
      claim,
      `state = 'done', finished_at = $3, bytes = $4, sha256 = $5, expires_at = $6, progress = 1`,
      [now, bytes, sha256, now + retentionMs],
      (job, transaction) => boss.complete(RENDER_QUEUE, job, null, { db: inBoss(transaction) }),
    );
    if (isStored) return true;
    const stored = await database.query(
      "SELECT FROM spool.video WHERE id = $1 AND attempt = $2 AND state = 'done'",
      [claim.id, claim.attempt],
    );
    return stored.length > 0;
  }

  fail(claim: RenderClaim, reason: string): Promise<boolean> {
    const { boss, clock } = this.#options;
    return this.#end(
      claim,
      `state = 'failed', finished_at = $3, error = $4`,
      [clock.now(), reason],
      (job, transaction) => boss.complete(RENDER_QUEUE, job, null, { db: inBoss(transaction) }),
    );
  }

  putBack(claim: RenderClaim, because: PutBackReason): Promise<boolean> {
    const { boss } = this.#options;
    return this.#end(
      claim,
      `state = 'queued', progress = 0, failures = failures + $3, lost_workers = 0`,
      [because === 'failed' ? 1 : 0],
      // Its job goes back to its old place in line.
      (job, transaction) => boss.fail(RENDER_QUEUE, job, null, { db: inBoss(transaction) }),
    );
  }

  /** Those of a lost worker are handed to the others. */
  interrupted(): Promise<readonly InterruptedVideo[]> {
    return Promise.resolve([]);
  }

  /** This process takes no more videos. */
  async leave(): Promise<void> {
    const { database, worker } = this.#options;
    await database.query('DELETE FROM spool.worker WHERE id = $1', [worker.id]);
  }

  /** @returns 'settled' for a job that had no video to render */
  async #take(
    transaction: Queries,
    share: number,
    admit: (video: WaitingVideo) => void,
  ): Promise<RenderJob | 'settled' | undefined> {
    const { boss } = this.#options;
    const db = inBoss(transaction);
    const [job] = await boss.fetch(RENDER_QUEUE, { groupConcurrency: share, db });
    if (!job) return undefined;
    const { video: id } = jobData.parse(job.data);
    const [found] = await transaction.query(
      'SELECT state, lost_workers FROM spool.video WHERE id = $1 FOR UPDATE',
      [id],
    );
    const before = found && videoRow.parse(found);
    if (!before || (before.state !== 'queued' && before.state !== 'rendering')) {
      await boss.complete(RENDER_QUEUE, job.id, null, { db });
      return 'settled';
    }
    // A job whose video is still being rendered is one whose worker was lost.
    const lost = before.state === 'rendering' ? before.lost_workers + 1 : 0;
    if (lost >= MAX_LOST_WORKERS) {
      await this.#giveUp(transaction, id);
      await boss.complete(RENDER_QUEUE, job.id, null, { db });
      return 'settled';
    }
    const [row] = await transaction.query(
      `UPDATE spool.video
       SET state = 'rendering', attempt = attempt + 1, progress = 0, lost_workers = $2
       WHERE id = $1 RETURNING id, attempt, storyboard, failures`,
      [id, lost],
    );
    const { storyboard, ...claimed } = claimedRow.parse(row);
    const taken = { ...claimed, storyboard: storedStoryboard(storyboard) };
    admit(taken);
    return taken;
  }

  async #giveUp(transaction: Queries, id: string): Promise<void> {
    await transaction.query(
      `UPDATE spool.video SET state = 'failed', attempt = attempt + 1, finished_at = $2, error = $3
       WHERE id = $1`,
      [id, this.#options.clock.now(), 'Rendering was interrupted too often.'],
    );
  }

  /** Ends an attempt, if it is the current one, together with the claim on its job. */
  #end(
    { id, attempt }: RenderClaim,
    changes: string,
    values: readonly unknown[],
    settleJob: (job: string, transaction: Queries) => Promise<unknown>,
  ): Promise<boolean> {
    return this.#options.database.transaction(async (transaction) => {
      const [row] = await transaction.query(
        `UPDATE spool.video SET ${changes}
         WHERE id = $1 AND attempt = $2 AND state = 'rendering' RETURNING job_id`,
        [id, attempt, ...values],
      );
      this.#touchedAt.delete(keyOf({ id, attempt }));
      if (!row) return false;
      await settleJob(jobRow.parse(row).job_id, transaction);
      return true;
    });
  }

  async #signLife(): Promise<void> {
    const { database, clock, worker } = this.#options;
    const now = clock.now();
    if (now - this.#seenAt < HEARTBEAT_MS) return;
    await database.query(
      `INSERT INTO spool.worker (id, slots, seen_at) VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, seen_at = excluded.seen_at`,
      [worker.id, worker.slots],
    );
    // Those of killed workers. One that was only silent adds itself again. Workers that delete the
    // same rows at once do not wait for each other.
    await database.query(
      `DELETE FROM spool.worker WHERE id IN (
         SELECT id FROM spool.worker
         WHERE seen_at <= now() - interval '${WORKER_GONE_SECONDS} s' FOR UPDATE SKIP LOCKED)`,
    );
    this.#seenAt = now;
  }

  /**
   * How many videos of one account may be rendered at once, so that accounts that wait have equal
   * shares of all workers. An account that waits alone has all of them.
   */
  async #shareOfAnAccount(): Promise<number> {
    const { database, clock } = this.#options;
    const now = clock.now();
    if (this.#share && now - this.#share.at < SHARE_AGE_MS) return this.#share.videos;
    const [row] = await database.query(
      `SELECT
         (SELECT coalesce(sum(slots), 0)::int FROM spool.worker
          WHERE seen_at > now() - interval '${WORKER_GONE_SECONDS} s') AS slots,
         (SELECT count(DISTINCT account_id)::int FROM spool.video
          WHERE state = 'queued') AS accounts`,
    );
    const { slots, accounts } = shareRow.parse(row);
    const videos = Math.max(1, Math.ceil(slots / Math.max(1, accounts)));
    this.#share = { videos, at: now };
    return videos;
  }
}

function keyOf({ id, attempt }: RenderClaim): string {
  return `${id}/${attempt}`;
}
