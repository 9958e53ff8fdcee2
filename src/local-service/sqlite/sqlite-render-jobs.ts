import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import type {
  AdmitVideo,
  InterruptedVideo,
  RequeueReason,
  RenderClaim,
  RenderJob,
  RenderJobs,
} from '../videos/render-jobs.ts';
import { storedStoryboard } from '../videos/video.ts';
import type { StoredVideo } from '../videos/video-files.ts';

const waitingRow = z.object({
  id: z.string(),
  storyboard: z.string(),
  failures: z.int(),
  attempt: z.int(),
});
const interruptedRow = z.object({ id: z.string(), attempt: z.int(), interruptions: z.int() });

/** The queued videos are the jobs, first come, first served. Only one process renders. */
export class SqliteRenderJobs implements RenderJobs {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #retentionMs: number;

  /** @param retentionMs how long newly finished videos are kept */
  constructor(database: DatabaseSync, clock: Clock, retentionMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  take(count: number, admit: AdmitVideo): readonly RenderJob[] {
    // Most wakes find an empty queue, which needs no write lock.
    if (this.#next(1).length === 0) return [];
    return inTransaction(this.#database, () => {
      const claim = this.#database.prepare(
        "UPDATE video SET state = 'rendering', attempt = ? WHERE id = ?",
      );
      const jobs: RenderJob[] = [];
      for (const row of this.#next(count)) {
        const { attempt, ...waiting } = waitingRow.parse(row);
        const video = { ...waiting, storyboard: storedStoryboard(waiting.storyboard) };
        try {
          admit(video, jobs);
        } catch (error) {
          if (jobs.length === 0) throw error;
          break;
        }
        claim.run(attempt + 1, video.id);
        jobs.push({ ...video, attempt: attempt + 1 });
      }
      return jobs;
    });
  }

  /** Only one process renders, so an attempt is always the current one. */
  report(): boolean {
    return true;
  }

  finish({ id, attempt }: RenderClaim, { bytes, sha256 }: StoredVideo): boolean {
    const now = this.#clock.now();
    const { changes } = this.#database
      .prepare(
        `UPDATE video SET state = 'done', finished_at = ?, bytes = ?, sha256 = ?, expires_at = ?
         WHERE id = ? AND attempt = ? AND state = 'rendering'`,
      )
      .run(now, bytes, sha256, now + this.#retentionMs, id, attempt);
    if (changes === 1) return true;
    const stored = this.#database
      .prepare("SELECT 1 FROM video WHERE id = ? AND attempt = ? AND state = 'done'")
      .get(id, attempt);
    return stored !== undefined;
  }

  fail({ id, attempt }: RenderClaim, reason: string): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE video SET state = 'failed', finished_at = ?, error = ?
         WHERE id = ? AND attempt = ? AND state = 'rendering'`,
      )
      .run(this.#clock.now(), reason, id, attempt);
    return changes === 1;
  }

  requeue({ id, attempt }: RenderClaim, because: RequeueReason): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE video SET state = 'queued', failures = failures + ?, interruptions = interruptions + ?
         WHERE id = ? AND attempt = ? AND state = 'rendering'`,
      )
      .run(because === 'failed' ? 1 : 0, because === 'interrupted' ? 1 : 0, id, attempt);
    return changes === 1;
  }

  interrupted(): readonly InterruptedVideo[] {
    return this.#database
      .prepare(
        "SELECT id, attempt, interruptions FROM video WHERE state = 'rendering' ORDER BY seq",
      )
      .all()
      .map((row) => interruptedRow.parse(row));
  }

  #next(count: number): readonly unknown[] {
    return this.#database
      .prepare(
        `SELECT id, storyboard, failures, attempt FROM video
         WHERE state = 'queued' ORDER BY seq LIMIT ?`,
      )
      .all(count);
  }
}
