import type { z } from 'zod';
import { instantSchema } from '../../contract/job.ts';
import { balanceSchema, type Balance } from '../../contract/service-cost.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import { after } from '../clock.ts';
import type { BalanceOutcome } from '../service/outcomes.ts';
import type { FlowControl } from './flow-control.ts';
import type { SessionState } from './session-state.ts';

/** Between two questions at the least, because somebody wants to know it. Milliseconds. */
const MIN_INTERVAL_MS = 300_000;
/** The same, where the one that is known is of before videos that were sent since. */
const MIN_INTERVAL_SPENT_MS = 60_000;

const NOTE = 'balance';

const knownSchema = balanceSchema.extend({
  /** When the key was entered that it was read with: another key may be of another account. */
  keyEnteredAt: instantSchema.nullable(),
});

/**
 * What the account has left, where the profile says how the service is asked: at the start, once all
 * videos of a batch were sent, after a refusal because nothing is left, and before a batch is added.
 *
 * It is for people to look at. Nothing waits for it, and no answer to it is believed about limits,
 * the key or an outage: the key may be allowed everything but this, and all other requests would wait.
 */
export class BalanceTracker {
  readonly #context: SessionState;
  readonly #flow: FlowControl;
  readonly #rule: ServiceApi['cost']['balance'];
  #known: z.infer<typeof knownSchema> | null;
  #isWanted = true;
  /** Whether a video was accepted since it was read. */
  #isSpent = false;
  /** By the monotonic clock. */
  #askedAt: number;
  /** When the key was entered that it was last asked with. */
  #askedWith: number | null;
  #isReading = false;
  /** By the next answer, or what came in its place. */
  #answered = Promise.withResolvers<undefined>();

  constructor(context: SessionState, flow: FlowControl) {
    const { store, api, clock, key } = context;
    this.#context = context;
    this.#flow = flow;
    this.#rule = api.cost.balance;
    this.#known = this.#rule && store.notes.read(NOTE, knownSchema);
    const ageMs = clock.now() - (this.view()?.readAt ?? -Infinity);
    this.#askedAt = ageMs >= 0 ? clock.monotonic() - ageMs : -Infinity;
    this.#askedWith = key.enteredAt;
  }

  /** As it was when the service was last asked; `null` where that is not known of this key's account. */
  view(): Balance | null {
    if (this.#known === null) return null;
    const { keyEnteredAt, ...balance } = this.#known;
    if (keyEnteredAt !== this.#context.key.enteredAt) return null;
    // The profile may be another one than when it was read.
    const isSameUnit =
      balance.unit === this.#rule?.unit && balance.currency === this.#rule.currency;
    return isSameUnit ? balance : null;
  }

  /** The same, after the first answer where one is to come within `ms` milliseconds. */
  async first(ms: number): Promise<Balance | null> {
    const isComing = this.#rule !== null && (this.#isReading || this.#wait() <= ms);
    if (this.view() !== null || !isComing) return this.view();
    const isOver = Promise.withResolvers<undefined>();
    using _timer = after(this.#context.clock, ms, () => isOver.resolve(undefined));
    await Promise.race([this.#answered.promise, isOver.promise]);
    return this.view();
  }

  /** The service accepted a video. */
  spent(): void {
    this.#isSpent = true;
  }

  /** Somebody wants to know it, or it is likely to be another. */
  want(): void {
    if (this.#rule === null) return;
    this.#isWanted = true;
    this.#context.wakeSignal.notify();
  }

  /** Asks when it is time, until `stop` is aborted, which also ends the request under way. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#context.wakeSignal.repeat(async () => {
      const ms = this.#wait();
      if (ms <= 0) await this.#readAndTell(stop);
      return Math.max(0, ms);
    }, stop);
  }

  #wait(): number {
    const { store, limits, clock, key } = this.#context;
    const isOtherKey = key.enteredAt !== this.#askedWith;
    const areAllSent = store.jobs.counts.sum(['queued', 'reserved', 'sending']) === 0;
    const isOutdated = this.#isSpent && areAllSent;
    if (!isOtherKey && !this.#isWanted && !isOutdated) return Infinity;
    const intervalMs = isOutdated ? MIN_INTERVAL_SPENT_MS : MIN_INTERVAL_MS;
    const ms = isOtherKey ? 0 : this.#askedAt + intervalMs - clock.monotonic();
    return Math.max(this.#flow.waitToRead(), limits.wait('status'), ms);
  }

  async #readAndTell(stop: AbortSignal): Promise<void> {
    this.#isReading = true;
    try {
      await this.#read(stop);
    } finally {
      this.#isReading = false;
      this.#answered.resolve(undefined);
      this.#answered = Promise.withResolvers();
    }
  }

  async #read(stop: AbortSignal): Promise<void> {
    const { service, limits, key, clock, feed, trace } = this.#context;
    this.#askedAt = clock.monotonic();
    this.#askedWith = key.enteredAt;
    this.#isWanted = false;
    this.#isSpent = false;
    // No profile says which limit it counts against; one of all requests is among these.
    const settle = limits.beginRead('status');
    const outcome = await service.balance(stop);
    trace?.({ of: 'balance', outcome: outcome.kind }, 'outcome');
    settle({ kind: outcome.kind, answer: null }, () => {
      if (outcome.kind === 'balance') this.#keep(outcome);
    });
    if (outcome.kind === 'unreachable') this.#isWanted = true;
    if (outcome.kind === 'balance') feed.summary();
  }

  /** An answer without an amount ends what was known: the account may be billed in another way. */
  #keep({ amount, answer }: BalanceOutcome & { readonly kind: 'balance' }): void {
    const { notes } = this.#context.store;
    if (amount === null || this.#rule === null) {
      this.#known = null;
      notes.remove(NOTE);
      return;
    }
    const { unit, currency } = this.#rule;
    const { sentAt: readAt } = answer;
    this.#known = { amount, unit, currency, readAt, keyEnteredAt: this.#askedWith };
    notes.write(NOTE, this.#known);
  }
}
