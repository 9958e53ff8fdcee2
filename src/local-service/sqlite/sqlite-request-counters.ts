import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import type { RateLimit } from '../accounts/account.ts';
import {
  consume,
  type RateLimitStatus,
  rateLimitStatusAt,
  type WindowState,
  windowStateSchema,
  type WindowType,
} from '../accounts/rate-window.ts';
import type { Charge, LimitName, RequestCounters } from '../accounts/request-counters.ts';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';

/** Milliseconds until a count is written: a killed service loses the counts of this time. */
const WRITE_DELAY_MS = 20;

/** Number of new windows after which expired ones are removed. */
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
 * Counts in memory, because no other object uses the database, and writes all changes shortly
 * afterwards in one transaction.
 */
export class SqliteRequestCounters implements RequestCounters {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #window: WindowType;
  readonly #write: StatementSync;
  readonly #windows = new Map<string, OpenWindow>();
  readonly #unwritten = new Set<string>();
  readonly #onFailure: (error: unknown) => void;
  #opened = 0;
  /** Windows that expired before this time must be deleted; milliseconds since the epoch. */
  #cleanUpTo: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onFailure called when a write fails; the next one includes its changes */
  constructor(
    database: DatabaseSync,
    clock: Clock,
    window: WindowType,
    onFailure: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#window = window;
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

  consume(subject: string, name: LimitName, limit: RateLimit): Charge {
    const now = this.#clock.now();
    const key = keyOf(subject, name);
    const stored = this.#windows.get(key)?.state;
    const result = consume(this.#window, stored, limit, now);
    if (result.state !== stored) {
      if (!stored) this.#countOpened(now);
      const idleAt = now + limit.windowSeconds * 1000;
      this.#windows.set(key, { subject, name, state: result.state, idleAt });
      this.#unwritten.add(key);
      this.#timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS);
    }
    return result;
  }

  status(subject: string, name: LimitName, limit: RateLimit): RateLimitStatus {
    const stored = this.#windows.get(keyOf(subject, name))?.state;
    return rateLimitStatusAt(this.#window, stored, limit, this.#clock.now());
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
