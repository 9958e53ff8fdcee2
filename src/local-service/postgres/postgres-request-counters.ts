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

/** Of so many requests, one removes expired windows. */
const CLEANUP_INTERVAL = 1000;

/**
 * What `consume` in `rate-window.ts` does, as SQL: the row is locked from the first to the last look
 * at it, so that any number of processes share one limit. `$1` subject, `$2` limit, `$3` now, `$4`
 * length of the window in milliseconds, `$5` requests. Times in the future count as now.
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

/** Refusals that are kept in memory, of as many subjects and limits. */
const MAX_REFUSALS = 10_000;

/** What made a request be refused: nothing changes it before a time that is known. */
interface Refusal {
  readonly state: WindowState;
  readonly limit: RateLimit;
  /** Refused from the one moment up to the other, which is the first one that is not. */
  readonly from: number;
  readonly until: number;
}

/**
 * Each request is one statement, and one that is refused none until its window releases a request: a
 * stranger who sends thousands with a key, or with none, makes the database write no row for each.
 */
export class PostgresRequestCounters implements RequestCounters {
  readonly #database: Queries;
  readonly #clock: Clock;
  readonly #window: WindowType;
  readonly #refusals = new Map<string, Refusal>();
  #requests = 0;

  constructor(database: Queries, clock: Clock, window: WindowType) {
    this.#database = database;
    this.#clock = clock;
    this.#window = window;
  }

  async consume(subject: string, name: LimitName, limit: RateLimit): Promise<Charge> {
    const now = this.#clock.now();
    const id = `${name} ${subject}`;
    const refusal = this.#refusals.get(id);
    if (refusal && holds(refusal, limit, now)) {
      return { kind: 'refused', status: this.#statusOf(refusal.state, limit, now) };
    }
    this.#refusals.delete(id);
    const { windowSeconds, requests } = limit;
    const values = [subject, name, now, windowSeconds * 1000, requests];
    const [row] = await this.#database.query(CONSUME[this.#window], values);
    await this.#cleanUp(now);
    const { accepted, ...fields } = stateRow.parse(row);
    const state = this.#stateOf(fields);
    if (!accepted) this.#keep(id, { state, limit, from: now, until: releaseOf(state, limit) });
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

  #keep(id: string, refusal: Refusal): void {
    if (this.#refusals.size >= MAX_REFUSALS) this.#refusals.clear();
    this.#refusals.set(id, refusal);
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

/** Another limit of the account, or a clock that was set back, is a reason to ask again. */
function holds(refusal: Refusal, limit: RateLimit, now: number): boolean {
  const { requests, windowSeconds } = refusal.limit;
  const isSameLimit = requests === limit.requests && windowSeconds === limit.windowSeconds;
  return isSameLimit && refusal.from <= now && now < refusal.until;
}

/** When a full window releases the first request. */
function releaseOf(state: WindowState, { windowSeconds }: RateLimit): number {
  const oldest = state.type === 'fixed' ? state.startedAt : Math.min(...state.charges);
  return oldest + windowSeconds * 1000;
}
