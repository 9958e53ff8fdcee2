import { limitAt } from '../../contract/limit-at.ts';
import type { Limit } from '../../contract/summary.ts';
import type { Clock } from '../clock.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import type { Store } from '../jobs/store.ts';
import type { Transactions } from '../jobs/transactions.ts';
import {
  EndpointWindows,
  timeResponse,
  type Charges,
  type EndpointWindow,
  type LimitResponse,
} from '../pacing/endpoint-windows.ts';
import { RateWindow } from '../pacing/rate-window.ts';
import { rateWindowStateSchema, type Endpoint } from '../pacing/rate-window-state.ts';
import {
  headersOf,
  isDocumented,
  windowsOf,
  type ServiceLimits,
  type ServiceWindow,
} from '../pacing/service-limits.ts';
import { parseForeignJson } from '../../contract/json-text.ts';
import type { HttpResponse } from '../service/outcomes.ts';
import type { LimitEffect } from './effects.ts';

/** If wall and monotonic clocks diverge by more, the clock was set or the computer slept. */
const DIVERGENCE_MS = 5000;

/**
 * A window as short as this is over when Spool has started again. Each write waits for the disk,
 * which such a window would demand many times a second.
 */
const MAX_UNSTORED_MS = 1000;

/**
 * The account's rate windows, three unless the service profile has others (service-api.md §8.1),
 * stored after every change unless they are short. Reserving and settling join the caller's transaction.
 */
export class RateLimits {
  readonly generate: EndpointWindows;
  readonly status: EndpointWindows;
  readonly download: EndpointWindows;
  /** Each window once, by its name in the key-value store. */
  readonly #windows = new Map<string, RateWindow>();
  readonly #transactions: Transactions;
  readonly #notes: KeyValueStore;
  readonly #clock: Clock;
  #ahead: number;
  #isTimeKnown = false;

  constructor(
    { transactions, notes }: Pick<Store, 'transactions' | 'notes'>,
    clock: Clock,
    limits: ServiceLimits,
  ) {
    this.#transactions = transactions;
    this.#notes = notes;
    this.#clock = clock;
    this.generate = this.#restore('generate', limits);
    this.status = this.#restore('status', limits);
    this.download = this.#restore('download', limits);
    this.#ahead = clock.now() - clock.monotonic();
  }

  /** Milliseconds until a request may leave; 0 is now. */
  wait(endpoint: Endpoint): number {
    this.#watchClock();
    return this[endpoint].wait(this.#clock.now());
  }

  /** Stores a request that is about to leave; none leaves when the transaction fails. */
  reserve(endpoint: Endpoint): Charges {
    const charges = this[endpoint].reserve(this.#clock.now());
    this.#transactions.afterRollback(() => this[endpoint].release(charges));
    this.#persist(endpoint);
    return charges;
  }

  /** The request has its outcome. */
  settle(
    endpoint: Endpoint,
    charges: Charges,
    effect: LimitEffect,
    response: HttpResponse | null,
  ): void {
    if (effect === 'not-counted') {
      this[endpoint].release(charges);
    } else if (effect === 'counted' || response === null) {
      this[endpoint].unanswered(charges, this.#clock.now());
    } else {
      const isRefusal = effect === 'answered' && response.status === 429;
      this.#isTimeKnown = true;
      this[endpoint].answered(charges, limitResponse(response, isRefusal), isRefusal);
      const counting = this[endpoint].windows.map(({ window }) => window);
      for (const window of this.#windows.values()) {
        if (!counting.includes(window)) window.learnTime(timeResponse(limitResponse(response)));
      }
    }
    this.#persist(endpoint);
  }

  /**
   * By how much the service's clock is ahead of the local one, at the least; 0 until it is known.
   */
  get serviceAheadMs(): number {
    return this.generate.clockOffset?.low ?? 0;
  }

  /**
   * The same, at the likeliest: if the local clock went ahead of the timers, this assumes that the
   * computer slept, as forecasts do, until the service answers.
   */
  get likelyAheadMs(): number {
    const { low, high } = this.generate.clockOffset ?? { low: 0, high: 0 };
    return this.isTimeKnown ? low : high;
  }

  /**
   * Whether the service has answered in this run, and since the local clock was set or the computer
   * slept. Older knowledge of its clock may be wrong by as much.
   */
  get isTimeKnown(): boolean {
    this.#watchClock();
    return this.#isTimeKnown;
  }

  view(endpoint: Endpoint): Limit {
    const now = this.#clock.now();
    const { limit, remaining, resetAt, nextAt, othersPerHour, windowMs } = this[endpoint].view(now);
    const said = {
      limit,
      remaining: Math.min(remaining ?? limit, limit),
      windowSeconds: windowMs / 1000,
      resetAt,
      nextAt,
      // Rounded, so that watchers are not notified of every change.
      othersPerHour: Math.round(othersPerHour),
    };
    return limitAt(said, now);
  }

  #watchClock(): void {
    const ahead = this.#clock.now() - this.#clock.monotonic();
    const by = ahead - this.#ahead;
    if (Math.abs(by) <= DIVERGENCE_MS) return;
    this.#ahead = ahead;
    this.#isTimeKnown = false;
    for (const window of this.#windows.values()) window.clockDiverged(by);
  }

  #restore(endpoint: Endpoint, limits: ServiceLimits): EndpointWindows {
    const [first, ...others] = windowsOf(limits, endpoint).map((window, index): EndpointWindow => {
      const name = noteName(window);
      const isFirst = index === 0;
      return {
        name,
        window: this.#restoreWindow(name, window),
        headers: headersOf(limits, window, isFirst),
      };
    });
    if (first === undefined) throw new Error('An endpoint has at least one window.');
    return new EndpointWindows([first, ...others]);
  }

  #restoreWindow(name: string, { count, perMs }: ServiceWindow): RateWindow {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const state = this.#notes.read(name, rateWindowStateSchema);
    const window = new RateWindow({ limit: count, windowMs: perMs }, state ?? undefined);
    this.#windows.set(name, window);
    return window;
  }

  #persist(endpoint: Endpoint): void {
    for (const { name, window } of this[endpoint].windows) {
      if (window.windowMs > MAX_UNSTORED_MS) this.#notes.write(name, window.state);
    }
  }
}

/** A changed window has another name: what was learned of the old one does not apply. */
function noteName(window: ServiceWindow): string {
  const { endpoint, count, perMs } = window;
  const name = `window.${endpoint}`;
  return isDocumented(window) ? name : `${name}.${count}/${perMs}`;
}

/** @param isRefusal whether its body may say when the next request is allowed */
function limitResponse(
  { status, headers, body, sentAt, receivedAt }: HttpResponse,
  isRefusal = false,
): LimitResponse {
  const json = isRefusal ? parseForeignJson(body) : undefined;
  return { status, header: (name) => headers[name], body: json, sentAt, receivedAt };
}
