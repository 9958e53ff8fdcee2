import { z } from 'zod';
import { failureSchema, type Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import type { Store } from '../jobs/store.ts';
import type { Transactions } from '../jobs/transactions.ts';

/** So many refusals in a row that are about no video in particular are about all of them. */
const TELLING_REFUSALS = 3;

const NOTE = 'doubt';

const noteSchema = z.object({
  pauses: z.int().positive(),
  /** Epoch milliseconds by the wall clock. */
  endsAt: z.number(),
  failure: failureSchema,
});

interface Pause {
  /** How many there were without a clear outcome between them, with this one. */
  readonly pauses: number;
  /** By the monotonic clock. */
  readonly endsAt: number;
  readonly failure: Failure;
}

/**
 * What became of the last requests may be the service's state, and then the next one would fare
 * alike: one of unknown outcome costs a unit of quota until the user has decided, and a service
 * that refuses whatever it is asked for, as a wrong address does, would use up row after row.
 *
 * A pause after an unknown outcome outlives a restart, or else every start would put one more video
 * at risk. One after refusals does not: they cost nothing, and the user may have restarted
 * because the cause is gone.
 */
export class SubmissionCircuitBreaker {
  readonly #transactions: Pick<Transactions, 'afterCommit'>;
  readonly #notes: KeyValueStore;
  readonly #clock: Clock;
  #pause: Pause | null;
  #refusals = 0;

  constructor({ transactions, notes }: Pick<Store, 'transactions' | 'notes'>, clock: Clock) {
    this.#transactions = transactions;
    this.#notes = notes;
    this.#clock = clock;
    this.#pause = this.#restored();
  }

  /** Why the next request waits, and until when; `null` when it does not. */
  get failure(): Failure | null {
    const wait = this.wait();
    if (this.#pause === null || wait === 0) return null;
    return { ...this.#pause.failure, retryAt: this.#clock.now() + wait };
  }

  /** Milliseconds until the next request; 0 is now. */
  wait(): number {
    return Math.max(0, (this.#pause?.endsAt ?? 0) - this.#clock.monotonic());
  }

  /** The outcome of a request is unknown. Joins the caller's transaction. */
  unknown(failure: Failure): void {
    const pauses = this.#pauses();
    const endsAt = this.#clock.now() + backoff('sending', pauses);
    this.#notes.write(NOTE, { pauses, endsAt, failure });
    this.#begin(pauses, failure);
  }

  /**
   * A request was refused by an answer that is about no video in particular. Joins the caller's
   * transaction.
   * @param status of that answer
   */
  refused(status: number, { detail }: Failure): void {
    const count = this.#refusals + 1;
    this.#transactions.afterCommit(() => (this.#refusals = count));
    if (count < TELLING_REFUSALS) return;
    this.#begin(this.#pauses(), {
      code: 'service-refuses-all',
      ...userMessage('refuses-all', { count, status }),
      ...(detail === undefined ? {} : { detail }),
    });
  }

  /**
   * A request had an outcome that says that the service is well. Joins the caller's transaction.
   */
  clear(): void {
    if (this.#pause !== null) this.#notes.remove(NOTE);
    this.#transactions.afterCommit(() => {
      this.#pause = null;
      this.#refusals = 0;
    });
  }

  /**
   * The user wants one request to be tried now. If it fares no better, the pauses go on growing.
   */
  tryNow(): void {
    if (this.#pause === null) return;
    this.#notes.remove(NOTE);
    this.#pause = { ...this.#pause, endsAt: this.#clock.monotonic() };
  }

  #pauses(): number {
    return (this.#pause?.pauses ?? 0) + 1;
  }

  #begin(pauses: number, failure: Failure): void {
    const endsAt = this.#clock.monotonic() + backoff('sending', pauses);
    this.#transactions.afterCommit(() => (this.#pause = { pauses, endsAt, failure }));
  }

  /** A clock that was set meanwhile makes a pause end at once, or last no longer than it was. */
  #restored(): Pause | null {
    const note = this.#notes.read(NOTE, noteSchema);
    if (note === null) return null;
    const left = Math.min(
      Math.max(0, note.endsAt - this.#clock.now()),
      backoff('sending', note.pauses),
    );
    return { pauses: note.pauses, failure: note.failure, endsAt: this.#clock.monotonic() + left };
  }
}
