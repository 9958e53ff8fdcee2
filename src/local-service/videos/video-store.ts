import { randomBytes } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { type Account, cycleAnchorOf, quotaOf } from '../accounts/account.ts';
import { billingCycleAt } from '../accounts/billing-cycle.ts';
import { type DatabaseVersion, ReadCache } from '../database-version.ts';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import type { DiskSpace } from '../disk-space.ts';
import { type Storyboard, storyboardSchema } from '../rendering/storyboard.ts';
import { DEFAULT_RETENTION_DAYS, retentionOf } from './retention-time.ts';
import { type FinishedVideo, type Video, videoRow } from './video.ts';

/** What an account has used of its quota in the present cycle. */
export interface QuotaStatus {
  /** Videos made, or being made, in this cycle. */
  readonly used: number;
  readonly limit: number;
  /** When the cycle ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'quota-exceeded'; readonly rateLimitStatus: QuotaStatus }
  | { readonly kind: 'disk-full' };

/** A video that is to be rendered. */
export interface WaitingVideo {
  readonly id: string;
  /** Undefined when what is stored cannot be read, such as after another version has written it. */
  readonly storyboard: Storyboard | undefined;
  /** How often its rendering has failed before. */
  readonly failures: number;
}

const MAX_VIDEOS_KEPT = 1000;

const countRow = z.object({ count: z.int() });
const waitingRow = z.object({ id: z.string(), storyboard: z.string(), failures: z.int() });
const idRow = z.object({ id: z.string() });
const interruptedRow = z.object({ id: z.string(), interruptions: z.int() });

/**
 * The videos on disk: at once the durable queue of the renderer and the record of quota use. A video
 * counts against the cycle in which it was accepted unless its rendering failed, so that the count
 * of rows is the quota used, with nothing to keep in step (service-api.md §4.1, §8.3).
 */
export class VideoStore {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #disk: Pick<DiskSpace, 'isShort'> | null;
  readonly #find: StatementSync;
  readonly #found: ReadCache<Video>;

  /**
   * @param retentionMs how long videos are kept that are finished from now on
   * @param disk that must have space for a video to be accepted
   */
  constructor(
    database: DatabaseSync,
    clock: Clock,
    watch: DatabaseVersion,
    retentionMs = retentionOf(DEFAULT_RETENTION_DAYS),
    disk: Pick<DiskSpace, 'isShort'> | null = null,
  ) {
    this.#disk = disk;
    this.#database = database;
    this.#clock = clock;
    this.#retentionMs = retentionMs;
    this.#find = database.prepare(
      `SELECT id, account_id, state, duration_seconds, created_at, finished_at, bytes, sha256,
              expires_at, files_removed, error
       FROM video WHERE id = ?`,
    );
    this.#found = new ReadCache(watch, MAX_VIDEOS_KEPT);
  }

  /** Puts a video in line if the account's quota has room: one transaction, so none slips past. */
  accept(account: Account, storyboard: Storyboard, durationSeconds: number): Acceptance {
    if (this.#disk?.isShort) return { kind: 'disk-full' };
    return inTransaction(this.#database, (): Acceptance => {
      const rateLimitStatus = this.quotaStanding(account);
      if (rateLimitStatus.used >= rateLimitStatus.limit)
        return { kind: 'quota-exceeded', rateLimitStatus };
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

  quotaStanding(account: Account): QuotaStatus {
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

  /** A finished video of any account: for links that carry their own permission. */
  findFinished(id: string): FinishedVideo | undefined {
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

  /** The first video in line. */
  nextInLine(): WaitingVideo | undefined {
    const row = this.#database
      .prepare(
        `SELECT id, storyboard, failures FROM video WHERE state = 'queued' ORDER BY seq LIMIT 1`,
      )
      .get();
    if (!row) return undefined;
    const { id, storyboard, failures } = waitingRow.parse(row);
    return { id, failures, storyboard: parseStoryboard(storyboard) };
  }

  /** Writes down that a video in line is being rendered. */
  start(id: string): void {
    this.#database
      .prepare("UPDATE video SET state = 'rendering' WHERE id = ? AND state = 'queued'")
      .run(id);
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

  /** Writes down that a video is rendered. Its retention time begins. */
  finish(id: string, file: { readonly bytes: number; readonly sha256: string }): void {
    const now = this.#clock.now();
    this.#database
      .prepare(
        `UPDATE video SET state = 'done', finished_at = ?, bytes = ?, sha256 = ?, expires_at = ?
         WHERE id = ? AND state = 'rendering'`,
      )
      .run(now, file.bytes, file.sha256, now + this.#retentionMs, id);
  }

  /** Gives finished videos without a retention time one that begins now. */
  setMissingExpiry(): void {
    this.#database
      .prepare("UPDATE video SET expires_at = ? WHERE state = 'done' AND expires_at IS NULL")
      .run(this.#clock.now() + this.#retentionMs);
  }

  /** Whether a video is kept no longer. Once its files are deleted, no clock brings it back. */
  hasExpired({ expiresAt, filesRemoved }: FinishedVideo): boolean {
    return filesRemoved || this.#clock.now() >= expiresAt;
  }

  /** Expired videos whose files may still exist. */
  expired(): readonly string[] {
    return this.#database
      .prepare(
        `SELECT id FROM video WHERE state = 'done' AND files_removed = 0 AND expires_at <= ?
         ORDER BY expires_at`,
      )
      .all(this.#clock.now())
      .map((row) => idRow.parse(row).id);
  }

  /** Call this only after the files were deleted durably: no sweep looks for them afterwards. */
  markFilesRemoved(ids: readonly string[]): void {
    const mark = this.#database.prepare(
      "UPDATE video SET files_removed = 1 WHERE id = ? AND state = 'done'",
    );
    inTransaction(this.#database, () => {
      for (const id of ids) mark.run(id);
    });
  }

  /** Gives up on a video, which gives its quota back. The reason is shown to the user. */
  fail(id: string, error: string): void {
    this.#database
      .prepare(
        `UPDATE video SET state = 'failed', finished_at = ?, error = ?
         WHERE id = ? AND state IN ('queued', 'rendering')`,
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

function parseStoryboard(json: string): Storyboard | undefined {
  try {
    return storyboardSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
