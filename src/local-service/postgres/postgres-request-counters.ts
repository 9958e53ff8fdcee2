import { z } from 'zod';
import type { RateLimit } from '../accounts/account.ts';
import {
  type RateLimitStatus,
  rateLimitStatusAt,
  type WindowState,
  type WindowType,
} from '../accounts/rate-window.ts';
import type { Charge, LimitName, RequestCounters } from '../accounts/request-counters.ts';
import type { Clock } from '../clock.ts';
import type { Queries } from './postgres-database.ts';

const stateRow = z.object({
  started_at: z.int(),
  used: z.int(),
  charges: z.array(z.coerce.number()),
  accepted: z.boolean(),
});

/** Number of requests after which expired windows are removed. */
const CLEANUP_INTERVAL = 1000;

/**
 * `consume` of `rate-window.ts` in SQL: the row is locked between reading and writing, so that any
 * number of processes share one limit. `$1` subject, `$2` limit, `$3` now, `$4` length of the
 * window in milliseconds, `$5` requests. Times in the future count as now.
 */
const CONSUME_FIXED = `
  INSERT INTO spool.rate_window AS w
    (subject, limit_name, type, started_at, used, charges, accepted, idle_at)
  VALUES ($1, $2, 'fixed', $3::bigint, 1, '{}', true, $3::bigint + $4::bigint)
  ON CONFLICT (subject, limit_name) DO UPDATE SET
    type = 'fixed', charges = '{}',
    started_at = CASE WHEN w.type = 'fixed' AND w.started_at + $4::bigint > $3::bigint
      THEN least(w.started_at, $3::bigint) ELSE $3::bigint END,
    used = CASE WHEN w.type = 'fixed' AND w.started_at + $4::bigint > $3::bigint
      THEN CASE WHEN w.used < $5::int THEN w.used + 1 ELSE w.used END ELSE 1 END,
    accepted = NOT (w.type = 'fixed' AND w.started_at + $4::bigint > $3::bigint
      AND w.used >= $5::int),
    idle_at = $3::bigint + $4::bigint
  RETURNING started_at, used, charges, accepted`;

const CONSUME_SLIDING = `
  INSERT INTO spool.rate_window AS w
    (subject, limit_name, type, started_at, used, charges, accepted, idle_at)
  VALUES ($1, $2, 'sliding', 0, 0, ARRAY[$3::bigint], true, $3::bigint + $4::bigint)
  ON CONFLICT (subject, limit_name) DO UPDATE SET
    (type, started_at, used, charges, accepted, idle_at) = (
      SELECT 'sliding', 0, 0,
        CASE WHEN cardinality(kept) < $5::int THEN kept || $3::bigint ELSE kept END,
        cardinality(kept) < $5::int, $3::bigint + $4::bigint
      FROM (
        SELECT coalesce(array_agg(least(charge, $3::bigint) ORDER BY n), '{}') AS kept
        FROM unnest(CASE WHEN w.type = 'sliding' THEN w.charges ELSE '{}' END)
          WITH ORDINALITY AS charges (charge, n)
        WHERE least(charge, $3::bigint) + $4::bigint > $3::bigint
      ) AS current
    )
  RETURNING started_at, used, charges, accepted`;

const CONSUME: Readonly<Record<WindowType, string>> = {
  fixed: CONSUME_FIXED,
  sliding: CONSUME_SLIDING,
};

/** Maximum number of full windows in memory. */
const MAX_FULL_WINDOWS = 10_000;

/** A full window: all requests are refused until its first one expires. */
interface FullWindow {
  readonly state: WindowState;
  readonly limit: RateLimit;
  /** When it was found full; milliseconds since the epoch. */
  readonly from: number;
  /** When it accepts requests again; milliseconds since the epoch. */
  readonly until: number;
}

/**
 * An accepted request takes one statement. Refused requests take none until the window releases a
 * request, so that a flood of them, with or without a key, does not write to the database.
 */
export class PostgresRequestCounters implements RequestCounters {
  readonly #database: Queries;
  readonly #clock: Clock;
  readonly #window: WindowType;
  readonly #fullWindows = new Map<string, FullWindow>();
  #requests = 0;

  constructor(database: Queries, clock: Clock, window: WindowType) {
    this.#database = database;
    this.#clock = clock;
    this.#window = window;
  }

  async consume(subject: string, name: LimitName, limit: RateLimit): Promise<Charge> {
    const now = this.#clock.now();
    const id = `${name} ${subject}`;
    const full = this.#fullWindows.get(id);
    if (full && isStillFull(full, limit, now)) {
      return { kind: 'refused', status: this.#statusOf(full.state, limit, now) };
    }
    this.#fullWindows.delete(id);
    const { windowSeconds, requests } = limit;
    const values = [subject, name, now, windowSeconds * 1000, requests];
    const [row] = await this.#database.query(CONSUME[this.#window], values);
    await this.#cleanUp(now);
    const { accepted, ...fields } = stateRow.parse(row);
    const state = this.#stateOf(fields);
    if (!accepted) this.#addFull(id, { state, limit, from: now, until: releaseOf(state, limit) });
    return {
      kind: accepted ? 'accepted' : 'refused',
      status: this.#statusOf(state, limit, now),
    };
  }

  async status(subject: string, name: LimitName, limit: RateLimit): Promise<RateLimitStatus> {
    const [row] = await this.#database.query(
      `SELECT started_at, used, charges, accepted FROM spool.rate_window
       WHERE subject = $1 AND limit_name = $2 AND type = $3`,
      [subject, name, this.#window],
    );
    const state = row && this.#stateOf(stateRow.parse(row));
    return this.#statusOf(state, limit, this.#clock.now());
  }

  #addFull(id: string, full: FullWindow): void {
    if (this.#fullWindows.size >= MAX_FULL_WINDOWS) this.#fullWindows.clear();
    this.#fullWindows.set(id, full);
  }

  #statusOf(state: WindowState | undefined, limit: RateLimit, now: number): RateLimitStatus {
    return rateLimitStatusAt(this.#window, state, limit, now);
  }

  async #cleanUp(now: number): Promise<void> {
    this.#requests += 1;
    if (this.#requests % CLEANUP_INTERVAL !== 0) return;
    await this.#database.query('DELETE FROM spool.rate_window WHERE idle_at <= $1', [now]);
  }

  #stateOf(row: Omit<z.output<typeof stateRow>, 'accepted'>): WindowState {
    return this.#window === 'fixed'
      ? { type: 'fixed', startedAt: row.started_at, used: row.used }
      : { type: 'sliding', charges: row.charges };
  }
}

/** False after a change of the account's limit, or when the clock was set back. */
function isStillFull(full: FullWindow, limit: RateLimit, now: number): boolean {
  const { requests, windowSeconds } = full.limit;
  const isSameLimit = requests === limit.requests && windowSeconds === limit.windowSeconds;
  return isSameLimit && full.from <= now && now < full.until;
}

/** When a full window releases its first request. */
function releaseOf(state: WindowState, { windowSeconds }: RateLimit): number {
  const oldest = state.type === 'fixed' ? state.startedAt : Math.min(...state.charges);
  return oldest + windowSeconds * 1000;
}
