import { limitAt } from '../../contract/limit-at.ts';
import type { Limit } from '../../contract/summary.ts';
import type { Clock } from '../clock.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import type { Store } from '../jobs/store.ts';
import type { Transactions } from '../jobs/transactions.ts';
import { parseRateHeaders } from '../pacing/rate-headers.ts';
import {
  DOCUMENTED_LIMITS,
  RateWindow,
  rateWindowStateSchema,
  type Charge,
  type Endpoint,
  type RateAnswer,
} from '../pacing/rate-window.ts';
import { parseAnswer } from '../service/json-answer.ts';
import type { Answer, KeyCheckOutcome, LinkOutcome, StatusOutcome } from '../service/outcomes.ts';

type ReadOutcome = StatusOutcome | LinkOutcome | KeyCheckOutcome;

/** Wall and monotonic clocks that part by more than this mean: the clock was set, or we slept. */
const DIVERGENCE_MS = 5000;

const ENDPOINTS = ['generate', 'status', 'download'] as const satisfies readonly Endpoint[];

/**
 * The account's three rate windows (service-api.md §8.1), on disk after every change. Reserving and
 * settling join the caller's transaction.
 */
export class RateLimits {
  readonly generate: RateWindow;
  readonly status: RateWindow;
  readonly download: RateWindow;
  readonly #transactions: Transactions;
  readonly #notes: KeyValueStore;
  readonly #clock: Clock;
  #ahead: number;
  #isTimeKnown = false;

  constructor({ transactions, notes }: Pick<Store, 'transactions' | 'notes'>, clock: Clock) {
    this.#transactions = transactions;
    this.#notes = notes;
    this.#clock = clock;
    this.generate = restore('generate', notes);
    this.status = restore('status', notes);
    this.download = restore('download', notes);
    this.#ahead = clock.now() - clock.monotonic();
  }

  /** Milliseconds until a request may leave; 0 is now. */
  wait(endpoint: Endpoint): number {
    this.#watchClock();
    return this[endpoint].wait(this.#clock.now());
  }

  /** Writes down a request that is about to leave; none leaves when the transaction fails. */
  reserve(endpoint: Endpoint): Charge {
    const charge = this[endpoint].reserve(this.#clock.now());
    this.#transactions.afterRollback(() => this[endpoint].release(charge));
    this.#persist(endpoint);
    return charge;
  }

  /** The request provably never left. */
  release(endpoint: Endpoint, charge: Charge): void {
    this[endpoint].release(charge);
    this.#persist(endpoint);
  }

  /** Settles a read. One of which no byte left does not count. */
  settleRead(endpoint: 'status' | 'download', charge: Charge, outcome: ReadOutcome): void {
    if (outcome.kind === 'unreachable') this.release(endpoint, charge);
    else this.settle(endpoint, charge, outcome.answer);
  }

  /** What the answer says about the limit; without an answer the request counts as made. */
  settle(endpoint: Endpoint, charge: Charge, answer: Answer | null): void {
    if (answer) {
      this.#isTimeKnown = true;
      this[endpoint].answered(charge, rateAnswer(answer));
      for (const other of ENDPOINTS) {
        if (other !== endpoint) this[other].learnTime(rateAnswer(answer));
      }
    } else {
      this[endpoint].unanswered(charge, this.#clock.now());
    }
    this.#persist(endpoint);
  }

  /** By how much the service's clock is ahead of the local one, at the least; 0 until it is known. */
  get serviceAheadMs(): number {
    return this.generate.clockOffset?.low ?? 0;
  }

  /**
   * The same, likely: a local clock that went ahead of the timers is taken for that of a computer
   * that slept, as by forecasts, until the service answers.
   */
  get likelyAheadMs(): number {
    const { low, high } = this.generate.clockOffset ?? { low: 0, high: 0 };
    return this.isTimeKnown ? low : high;
  }

  /**
   * Whether the service has answered in this run, and since the local clock was set or the computer
   * slept. What is known of its clock from before may be wrong by as much.
   */
  get isTimeKnown(): boolean {
    this.#watchClock();
    return this.#isTimeKnown;
  }

  view(endpoint: Endpoint): Limit {
    const now = this.#clock.now();
    const { limit, remaining, resetAt, nextAt } = this[endpoint].view(now);
    const said = {
      limit,
      remaining: Math.min(remaining ?? limit, limit),
      windowSeconds: DOCUMENTED_LIMITS[endpoint].windowMs / 1000,
      resetAt,
      nextAt,
    };
    return limitAt(said, now);
  }

  #watchClock(): void {
    const ahead = this.#clock.now() - this.#clock.monotonic();
    const by = ahead - this.#ahead;
    if (Math.abs(by) <= DIVERGENCE_MS) return;
    this.#ahead = ahead;
    this.#isTimeKnown = false;
    for (const endpoint of ENDPOINTS) this[endpoint].clockDiverged(by);
  }

  #persist(endpoint: Endpoint): void {
    this.#notes.write(noteName(endpoint), this[endpoint].state);
  }
}

function noteName(endpoint: Endpoint): string {
  return `window.${endpoint}`;
}

function restore(endpoint: Endpoint, notes: KeyValueStore): RateWindow {
  const state = notes.read(noteName(endpoint), rateWindowStateSchema);
  return new RateWindow(DOCUMENTED_LIMITS[endpoint], state ?? undefined);
}

function rateAnswer({ status, headers, body, sentAt, receivedAt }: Answer): RateAnswer {
  const json = status === 429 ? parseAnswer(body) : undefined;
  return {
    status,
    headers: parseRateHeaders((name) => headers[name], json),
    sentAt,
    receivedAt,
  };
}
