import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { RenderClaim } from '../videos/render-jobs.ts';
import type { StoredVideo } from '../videos/video-files.ts';
import { GroupCommit } from './group-commit.ts';
import type { Queries } from './postgres-database.ts';
import { COMPLETE_JOB } from './render-boss.ts';

interface Result extends RenderClaim, StoredVideo {}

/**
 * Stores the results of attempts that are current, and completes their jobs. Videos are locked in
 * the order of their identifiers, so that processes cannot deadlock.
 */
const STORE = `
  WITH locked AS (
    SELECT id FROM spool.video WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
  ), ended AS (
    UPDATE spool.video SET state = 'done', finished_at = $5, bytes = result.bytes,
      sha256 = result.sha256, expires_at = $6, progress = 1
    FROM locked JOIN unnest($1::text[], $2::int[], $3::bigint[], $4::text[])
      AS result (id, attempt, bytes, sha256) USING (id)
    -- ANY makes the planner use the key even if it assumes a small table.
    WHERE video.id = ANY ($1) AND video.id = locked.id AND video.attempt = result.attempt
    AND state = 'rendering'
    RETURNING video.id, video.attempt, job_id
  ), job AS (${COMPLETE_JOB})
  SELECT id, attempt FROM ended`;

const FIND = `
  SELECT id, attempt FROM spool.video JOIN unnest($1::text[], $2::int[]) AS result (id, attempt)
  USING (id, attempt) WHERE state = 'done'`;

/** Maximum number of results in one statement. */
const MAX_RESULTS = 100;

const attemptRow = z.object({ id: z.string(), attempt: z.int() });

export interface RenderResultsOptions {
  readonly database: Queries;
  readonly clock: Clock;
  /** How long finished videos are kept, in milliseconds. */
  readonly retentionMs: number;
}

/** Stores results; those of several concurrent videos of this process share one statement. */
export class RenderResults {
  readonly #options: RenderResultsOptions;
  readonly #groups = new GroupCommit<Result, boolean>({
    commit: (results) => this.#store(results),
    maxItems: MAX_RESULTS,
  });

  constructor(options: RenderResultsOptions) {
    this.#options = options;
  }

  /** @returns whether this attempt's result is stored, by this call or an earlier one */
  store(claim: RenderClaim, file: StoredVideo): Promise<boolean> {
    return this.#groups.run({ ...claim, ...file });
  }

  async #store(results: readonly Result[]): Promise<readonly boolean[]> {
    const { database, clock, retentionMs } = this.#options;
    const now = clock.now();
    const stored = new Set(
      attemptsOf(
        await database.query(STORE, [
          results.map(({ id }) => id),
          results.map(({ attempt }) => attempt),
          results.map(({ bytes }) => bytes),
          results.map(({ sha256 }) => sha256),
          now,
          now + retentionMs,
        ]),
      ),
    );
    // The other attempts are superseded, or were stored by a call whose response was lost.
    const others = results.filter((result) => !stored.has(keyOf(result)));
    if (others.length > 0) {
      const found = await database.query(FIND, [
        others.map(({ id }) => id),
        others.map(({ attempt }) => attempt),
      ]);
      for (const attempt of attemptsOf(found)) stored.add(attempt);
    }
    return results.map((result) => stored.has(keyOf(result)));
  }
}

function attemptsOf(rows: readonly unknown[]): string[] {
  return rows.map((row) => keyOf(attemptRow.parse(row)));
}

function keyOf({ id, attempt }: RenderClaim): string {
  return `${id}/${attempt}`;
}
