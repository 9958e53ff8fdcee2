import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import type {
  InterruptedVideo,
  PutBackReason,
  RenderClaim,
  RenderJob,
  RenderJobs,
  WaitingVideo,
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

/** The videos in line are the jobs: first come, first served. One process renders. */
export class SqliteRenderJobs implements RenderJobs {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #retentionMs: number;

  /** @param retentionMs how long videos are kept that are finished from now on */
  constructor(database: DatabaseSync, clock: Clock, retentionMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  take(admit: (video: WaitingVideo) => void): RenderJob | undefined {
    // An empty line is found without a write lock: most wakes find one.
    if (!this.#next()) return undefined;
    return inTransaction(this.#database, () => {
      const row = this.#next();
      if (!row) return undefined;
      const { id, attempt: attempts, failures, storyboard } = waitingRow.parse(row);
      const video: WaitingVideo = { id, failures, storyboard: storedStoryboard(storyboard) };
      admit(video);
      const attempt = attempts + 1;
      this.#database
        .prepare("UPDATE video SET state = 'rendering', attempt = ? WHERE id = ?")
        .run(attempt, id);
      return { ...video, attempt };
    });
  }

  /** One process renders, so that no other one can have taken the video over. */
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

  putBack({ id, attempt }: RenderClaim, because: PutBackReason): boolean {
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

  #next(): unknown {
    return this.#database
      .prepare(
        `SELECT id, storyboard, failures, attempt FROM video
         WHERE state = 'queued' ORDER BY seq LIMIT 1`,
      )
      .get();
  }
}
