import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import type { Account, Endpoint, RateLimit } from './account.ts';
import {
  type Consumption,
  consume,
  type RateLimitStatus,
  rateLimitStatusAt,
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

/** Milliseconds until a count is on disk: what a killed service may lose. */
const WRITE_DELAY_MS = 20;

/** Number of opened windows after which expired ones are removed. */
const CLEANUP_INTERVAL = 1000;

const windowRow = z.object({
  subject: z.string(),
  limit_name: z.string(),
  state: z.string(),
  idle_at: z.int(),
});

interface OpenWindow {
  readonly subject: string;
  readonly name: string;
  readonly state: WindowState;
  /** When the window has expired completely, in milliseconds since the epoch. */
  readonly idleAt: number;
}

/**
 * Counts requests (service-api.md §8.1). Neither a restart nor a new key resets a count. Only this
 * object uses the database, so it answers from memory and writes changes shortly afterwards, in one
 * transaction.
 */
export class RateLimits {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #options: RateLimitOptions;
  readonly #write: StatementSync;
  readonly #windows = new Map<string, OpenWindow>();
  readonly #unwritten = new Set<string>();
  readonly #onFailure: (error: unknown) => void;
  #opened = 0;
  /** Windows expired by then are still in the database; milliseconds since the epoch. */
  #cleanUpTo: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onFailure called when counters could not be written; the write is retried later. */
  constructor(
    database: DatabaseSync,
    clock: Clock,
    options: RateLimitOptions,
    onFailure: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#options = options;
    this.#onFailure = onFailure;
    this.#write = database.prepare(
      `INSERT INTO rate_window (subject, limit_name, state, idle_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET state = excluded.state, idle_at = excluded.idle_at`,
    );
    for (const row of database.prepare('SELECT * FROM rate_window').all()) {
      const { subject, limit_name: name, state, idle_at: idleAt } = windowRow.parse(row);
      const parsed = windowStateSchema.parse(JSON.parse(state));
      this.#windows.set(keyOf(subject, name), { subject, name, state: parsed, idleAt });
    }
  }

  /** Counts one request of an account on an endpoint, if its limit allows it. */
  chargeAccount(account: Account, endpoint: Endpoint): Consumption {
    const limit = this.limitOf(account, endpoint);
    return this.#charge(`account:${account.id}`, endpoint, limit);
  }

  /** Counts one failed authentication from an address, if its limit allows it. */
  chargeAddress(address: string): Consumption {
    return this.#charge(
      `address:${address}`,
      'authentication',
      this.#options.limits.authentication,
    );
  }

  /** The limit of an account on an endpoint: its own, or the service's. */
  limitOf(account: Account, endpoint: Endpoint): RateLimit {
    return account.customLimits[endpoint] ?? this.#options.limits[endpoint];
  }

  /** An account's limit status on an endpoint; counts nothing. */
  accountStatus(account: Account, endpoint: Endpoint): RateLimitStatus {
    const stored = this.#windows.get(keyOf(`account:${account.id}`, endpoint))?.state;
    const limit = this.limitOf(account, endpoint);
    return rateLimitStatusAt(this.#options.window, stored, limit, this.#clock.now());
  }

  /** How many failed authentications an address has left. */
  addressStatus(address: string): RateLimitStatus {
    const stored = this.#windows.get(keyOf(`address:${address}`, 'authentication'))?.state;
    const limit = this.#options.limits.authentication;
    return rateLimitStatusAt(this.#options.window, stored, limit, this.#clock.now());
  }

  /** Writes all changes. Call it before the database is closed. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten.size === 0) return;
    try {
      inTransaction(this.#database, () => {
        for (const key of this.#unwritten) {
          const open = this.#windows.get(key);
          if (!open) continue;
          this.#write.run(open.subject, open.name, JSON.stringify(open.state), open.idleAt);
        }
        if (this.#cleanUpTo === undefined) return;
        this.#database.prepare('DELETE FROM rate_window WHERE idle_at <= ?').run(this.#cleanUpTo);
      });
      this.#unwritten.clear();
      this.#cleanUpTo = undefined;
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #charge(subject: string, name: LimitName, limit: RateLimit): Consumption {
    const now = this.#clock.now();
    const key = keyOf(subject, name);
    const stored = this.#windows.get(key)?.state;
    const result = consume(this.#options.window, stored, limit, now);
    if (result.state !== stored) {
      if (!stored) this.#countOpened(now);
      const idleAt = now + limit.windowSeconds * 1000;
      this.#windows.set(key, { subject, name, state: result.state, idleAt });
      this.#unwritten.add(key);
      this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
    }
    return result;
  }

  #countOpened(now: number): void {
    this.#opened += 1;
    if (this.#opened % CLEANUP_INTERVAL !== 0) return;
    for (const [key, { idleAt }] of this.#windows) if (idleAt <= now) this.#windows.delete(key);
    this.#cleanUpTo = now;
  }
}

function keyOf(subject: string, name: string): string {
  return `${subject} ${name}`;
}
