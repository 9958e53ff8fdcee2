import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Account, Endpoint, RateLimit } from './account.ts';
import {
  type Charge,
  charge,
  type RateStanding,
  standingAt,
  type WindowState,
  windowStateSchema,
  type WindowType,
} from './rate-window.ts';

/** Endpoints are limited by account, failed authentication by address. */
export type LimitName = Endpoint | 'authentication';

/** service-api.md §8.1; how many failed authentications an address may make is our own choice. */
export const defaultLimits: Readonly<Record<LimitName, RateLimit>> = {
  generate: { requests: 10, windowSeconds: 3600 },
  status: { requests: 60, windowSeconds: 60 },
  download: { requests: 30, windowSeconds: 3600 },
  authentication: { requests: 30, windowSeconds: 60 },
};

export interface RateLimitOptions {
  readonly window: WindowType;
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
}

/** How many writes lie between two removals of windows that have run out. */
const WRITES_BETWEEN_CLEANINGS = 1000;

const stateRow = z.object({ state: z.string() });

/**
 * Counts requests (service-api.md §8.1), in the database, so that neither a restart nor a new key
 * resets anything.
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #options: RateLimitOptions;
  readonly #read: StatementSync;
  readonly #write: StatementSync;
  readonly #clean: StatementSync;
  #writes = 0;

  constructor(database: DatabaseSync, clock: Clock, options: RateLimitOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#read = database.prepare(
      'SELECT state FROM rate_window WHERE subject = ? AND limit_name = ?',
    );
    this.#write = database.prepare(
      `INSERT INTO rate_window (subject, limit_name, state, idle_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, idle_at = excluded.idle_at`,
    );
    this.#clean = database.prepare('DELETE FROM rate_window WHERE idle_at <= ?');
  }

  /** Counts one request of an account on an endpoint, if its limit allows it. */
  chargeAccount(account: Account, endpoint: Endpoint): Charge {
    const limit = account.customLimits[endpoint] ?? this.#options.limits[endpoint];
    return this.#charge(`account:${account.id}`, endpoint, limit);
  }

  /** Counts one failed authentication from an address. */
  chargeAddress(address: string): Charge {
    return this.#charge(
      `address:${address}`,
      'authentication',
      this.#options.limits.authentication,
    );
  }

  /** How many failed authentications an address has left. */
  standingOfAddress(address: string): RateStanding {
    const stored = this.#stored(`address:${address}`, 'authentication');
    const limit = this.#options.limits.authentication;
    return standingAt(this.#options.window, stored, limit, this.#clock.now());
  }

  #charge(subject: string, name: LimitName, limit: RateLimit): Charge {
    const now = this.#clock.now();
    const stored = this.#stored(subject, name);
    const result = charge(this.#options.window, stored, limit, now);
    if (result.state !== stored) {
      const idleAt = now + limit.windowSeconds * 1000;
      this.#write.run(subject, name, JSON.stringify(result.state), idleAt);
      this.#writes += 1;
      if (this.#writes % WRITES_BETWEEN_CLEANINGS === 0) this.#clean.run(now);
    }
    return result;
  }

  #stored(subject: string, name: LimitName): WindowState | undefined {
    const row = this.#read.get(subject, name);
    return row && windowStateSchema.parse(JSON.parse(stateRow.parse(row).state));
  }
}
