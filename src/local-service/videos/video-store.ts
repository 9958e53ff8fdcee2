import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { type Account, cycleAnchorOf, quotaOf } from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import { type ChangeWatch, ReadCache } from '../change-watch.ts';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import { type Storyboard, storyboardSchema } from '../rendering/storyboard.ts';
import { type Video, videoRow } from './video.ts';

/** What an account has used of its quota in the present cycle. */
export interface QuotaStanding {
  /** Videos made, or being made, in this cycle. */
  readonly used: number;
  readonly limit: number;
  /** When the cycle ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'quota-exceeded'; readonly standing: QuotaStanding };

/** A video that a worker has just been given. */
export interface ClaimedVideo {
  readonly id: string;
  readonly storyboard: Storyboard;
  /** How often its rendering has failed before. */
  readonly failures: number;
}

const MOST_VIDEOS_KEPT = 1000;

const countRow = z.object({ count: z.int() });
const claimRow = z.object({ id: z.string(), storyboard: z.string(), failures: z.int() });
const interruptedRow = z.object({ id: z.string(), interruptions: z.int() });

/**
 * The videos on disk: at once the durable queue of the renderer and the ledger of quotas. A video
 * counts against the cycle in which it was accepted unless its rendering failed, so that the count of
 * rows is the quota used, with nothing to keep in step (service-api.md §4.1, §8.3).
 */
export class VideoStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #find: StatementSync;
  readonly #found: ReadCache<Video>;

  constructor(database: DatabaseSync, clock: Clock, watch: ChangeWatch) {
    this.#database = database;
    this.#clock = clock;
    this.#find = database.prepare(
      `SELECT id, account_id, state, duration_seconds, created_at, finished_at, bytes, sha256, error
       FROM video WHERE id = ?`,
    );
    this.#found = new ReadCache(watch, MOST_VIDEOS_KEPT);
  }

  /** Puts a video in line if the account's quota has room: one transaction, so none slips past. */
  accept(account: Account, storyboard: Storyboard, durationSeconds: number): Acceptance {
    return inTransaction(this.#database, (): Acceptance => {
      const standing = this.quotaStanding(account);
      if (standing.used >= standing.limit) return { kind: 'quota-exceeded', standing };
      const id = `vid_${randomBytes(16).toString('base64url')}`;
      this.#database
        .prepare(
          `INSERT INTO video (id, account_id, storyboard, state, duration_seconds, created_at)
           VALUES (?, ?, ?, 'queued', ?, ?)`,
        )
        .run(id, account.id, JSON.stringify(storyboard), durationSeconds, this.#clock.now());
      return { kind: 'accepted', id };
    });
  }

  quotaStanding(account: Account): QuotaStanding {
    const cycle = billingCycleAt(cycleAnchorOf(account), this.#clock.now());
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count FROM video
         WHERE account_id = ? AND created_at >= ? AND created_at < ? AND state <> 'failed'`,
      )
      .get(account.id, cycle.startsAt, cycle.endsAt);
    const { count } = countRow.parse(row);
    return { used: count, limit: quotaOf(account), resetAt: cycle.endsAt };
  }

  /** The account's video; `undefined` alike for unknown identifiers and for other people's. */
  find(account: Account, id: string): Video | undefined {
    const video = this.#read(id);
    return video?.accountId === account.id ? video : undefined;
  }

  /** A finished video, whoever it belongs to: for links that carry their own permission. */
  findFinished(id: string): Extract<Video, { state: 'done' }> | undefined {
    const video = this.#read(id);
    return video?.state === 'done' ? video : undefined;
  }

  /** How many videos are in line up to this one, itself included: 1 is next. */
  positionInLine(id: string): number {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count FROM video
         WHERE state = 'queued' AND seq <= (SELECT seq FROM video WHERE id = ?)`,
      )
      .get(id);
    return countRow.parse(row).count;
  }

  /** Takes the first video in line and writes down that it is being rendered. */
  claimNext(): ClaimedVideo | undefined {
    const row = this.#database
      .prepare(
        `UPDATE video SET state = 'rendering'
         WHERE seq = (SELECT min(seq) FROM video WHERE state = 'queued')
         RETURNING id, storyboard, failures`,
      )
      .get();
    if (!row) return undefined;
    const { id, storyboard, failures } = claimRow.parse(row);
    return { id, failures, storyboard: storyboardSchema.parse(JSON.parse(storyboard)) };
  }

  /** The videos that were being rendered when the service last ended. */
  interrupted(): readonly { readonly id: string; readonly interruptions: number }[] {
    return this.#database
      .prepare("SELECT id, interruptions FROM video WHERE state = 'rendering' ORDER BY seq")
      .all()
      .map((row) => interruptedRow.parse(row));
  }

  /** Puts a video back at its old place in line, and counts why it was not finished. */
  putBack(id: string, because: 'stopped' | 'failed' | 'interrupted'): void {
    this.#database
      .prepare(
        `UPDATE video SET state = 'queued', failures = failures + ?, interruptions = interruptions + ?
         WHERE id = ? AND state = 'rendering'`,
      )
      .run(because === 'failed' ? 1 : 0, because === 'interrupted' ? 1 : 0, id);
  }

  finish(id: string, file: { readonly bytes: number; readonly sha256: string }): void {
    this.#database
      .prepare(
        `UPDATE video SET state = 'done', finished_at = ?, bytes = ?, sha256 = ?
         WHERE id = ? AND state = 'rendering'`,
      )
      .run(this.#clock.now(), file.bytes, file.sha256, id);
  }

  /** Gives up on a video, which gives its quota back. The reason is shown to its owner. */
  fail(id: string, error: string): void {
    this.#database
      .prepare(
        `UPDATE video SET state = 'failed', finished_at = ?, error = ?
         WHERE id = ? AND state = 'rendering'`,
      )
      .run(this.#clock.now(), error, id);
  }

  #read(id: string): Video | undefined {
    return this.#found.get(id, () => {
      const row = this.#find.get(id);
      return row && videoRow.parse(row);
    });
  }
}
