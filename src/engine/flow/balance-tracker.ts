import type { z } from 'zod';
import { instantSchema } from '../../contract/job.ts';
import { balanceSchema, type Balance } from '../../contract/service-cost.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import { after } from '../clock.ts';
import type { Trace } from '../logger.ts';
import type { BalanceOutcome, Service } from '../service/outcomes.ts';
import type { FlowControl } from './flow-control.ts';
import { beginRead, type RequestTargets } from './requests.ts';
import type { WakeSignal } from './wake-signal.ts';

/** The least time between two requests that the user causes, in milliseconds. */
const MIN_INTERVAL_MS = 300_000;
/** The same, if videos were sent since the last response. */
const MIN_INTERVAL_SPENT_MS = 60_000;

const NOTE = 'balance';

const knownSchema = balanceSchema.extend({
  /** When the key of that request was entered: another key may belong to another account. */
  keyEnteredAt: instantSchema.nullable(),
});

/** What it takes of a session. */
interface BalanceContext extends Omit<RequestTargets, 'balance'> {
  readonly api: ServiceApi;
  readonly service: Pick<Service, 'balance'>;
  readonly feed: { summary(): void };
  readonly trace: Trace | undefined;
  readonly wakeSignal: WakeSignal;
}

/**
 * The account's balance, if the profile says how to request it: at the start, once all videos of a
 * batch were sent, after a refusal because nothing is left, and before a batch is added.
 *
 * It is only displayed. Nothing waits for it, and a response says nothing about limits, the key or
 * an outage: the key may lack permission for just this request, and all other requests would be
 * stopped.
 */
export class BalanceTracker {
  readonly #context: BalanceContext;
  readonly #flow: FlowControl;
  readonly #rule: ServiceApi['cost']['balance'];
  #known: z.infer<typeof knownSchema> | null;
  #isWanted = true;
  /** Whether a video was accepted since the balance was read. */
  #isSpent = false;
  /** By the monotonic clock. */
  #askedAt: number;
  /** When the key of the last request was entered. */
  #askedWith: number | null;
  #isReading = false;
  /** Resolves with the next response, or its failure. */
  #nextResponse = Promise.withResolvers<undefined>();

  constructor(context: BalanceContext, flow: FlowControl) {
    const { store, api, clock, key } = context;
    this.#context = context;
    this.#flow = flow;
    this.#rule = api.cost.balance;
    this.#known = this.#rule && store.notes.read(NOTE, knownSchema);
    const ageMs = clock.now() - (this.view()?.readAt ?? -Infinity);
    this.#askedAt = ageMs >= 0 ? clock.monotonic() - ageMs : -Infinity;
    this.#askedWith = key.enteredAt;
  }

  /** As of the last response; `null` if this key's account has none. */
  view(): Balance | null {
    if (this.#known === null) return null;
    const { keyEnteredAt, ...balance } = this.#known;
    if (keyEnteredAt !== this.#context.key.enteredAt) return null;
    // The profile may have changed since it was read.
    const isSameUnit =
      balance.unit === this.#rule?.unit && balance.currency === this.#rule.currency;
    return isSameUnit ? balance : null;
  }

  /** The same, but waits up to `ms` milliseconds for the first response if one is due. */
  async first(ms: number): Promise<Balance | null> {
    const isComing = this.#rule !== null && (this.#isReading || this.#wait() <= ms);
    if (this.view() !== null || !isComing) return this.view();
    const isOver = Promise.withResolvers<undefined>();
    using _timer = after(this.#context.clock, ms, () => isOver.resolve(undefined));
    await Promise.race([this.#nextResponse.promise, isOver.promise]);
    return this.view();
  }

  /** The service accepted a video. */
  spent(): void {
    this.#isSpent = true;
  }

  /** The user wants to see it, or it has probably changed. */
  want(): void {
    if (this.#rule === null) return;
    this.#isWanted = true;
    this.#context.wakeSignal.notify();
  }

  /** Requests it when it is due, until `stop` is aborted, which also aborts a running request. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#context.wakeSignal.repeat(async () => {
      const ms = this.#wait();
      if (ms <= 0) await this.#readAndNotify(stop);
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

  async #readAndNotify(stop: AbortSignal): Promise<void> {
    this.#isReading = true;
    try {
      await this.#read(stop);
    } finally {
      this.#isReading = false;
      this.#nextResponse.resolve(undefined);
      this.#nextResponse = Promise.withResolvers();
    }
  }

  async #read(stop: AbortSignal): Promise<void> {
    const { service, key, clock, feed, trace } = this.#context;
    this.#askedAt = clock.monotonic();
    this.#askedWith = key.enteredAt;
    this.#isWanted = false;
    this.#isSpent = false;
    // No profile says which limit this counts against; a limit of all requests is among those of
    // `status`.
    const settle = beginRead({ ...this.#context, balance: this }, { limit: 'status' });
    const outcome = await service.balance(stop);
    trace?.({ of: 'balance', outcome: outcome.kind }, 'outcome');
    settle({ to: 'balance', outcome }, undefined, () => {
      if (outcome.kind === 'balance') this.#keep(outcome);
    });
    if (outcome.kind === 'unreachable') this.#isWanted = true;
    if (outcome.kind === 'balance') feed.summary();
  }

  /** A response without an amount clears the balance: the account may be billed in another way. */
  #keep({ amount, response }: BalanceOutcome & { readonly kind: 'balance' }): void {
    const { notes } = this.#context.store;
    if (amount === null || this.#rule === null) {
      this.#known = null;
      notes.remove(NOTE);
      return;
    }
    const { unit, currency } = this.#rule;
    const { sentAt: readAt } = response;
    this.#known = { amount, unit, currency, readAt, keyEnteredAt: this.#askedWith };
    notes.write(NOTE, this.#known);
  }
}
