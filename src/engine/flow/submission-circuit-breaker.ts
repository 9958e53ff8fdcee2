import { z } from 'zod';
import { failureSchema, type Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import { backoff } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import type { Store } from '../jobs/store.ts';
import type { Transactions } from '../jobs/transactions.ts';

/** When this many refusals in a row are about no video in particular, they are about all videos. */
const MIN_REFUSALS = 3;

const NOTE = 'doubt';

const noteSchema = z.object({
  pauses: z.int().positive(),
  /** Epoch milliseconds by the wall clock. */
  endsAt: z.number(),
  failure: failureSchema,
});

interface Pause {
  /** Consecutive pauses without a clear outcome between them, including this one. */
  readonly pauses: number;
  /** By the monotonic clock. */
  readonly endsAt: number;
  readonly failure: Failure;
}

/**
 * Pauses sending after outcomes that are probably caused by the service's state: the next request
 * would probably end in the same way. Each request of unknown outcome costs a unit of quota until
 * the user has decided, and a service that refuses every request, as behind a wrong address, would
 * fail row after row.
 *
 * A pause after an unknown outcome is stored, so that restarts cannot put one more video at risk
 * each. One after refusals is not: they cost nothing, and the user may have restarted because the
 * cause is gone.
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
   * A request was refused by a response that is about no video in particular. Joins the caller's
   * transaction.
   * @param status of that response
   */
  refused(status: number, { detail }: Failure): void {
    const count = this.#refusals + 1;
    this.#transactions.afterCommit(() => (this.#refusals = count));
    if (count < MIN_REFUSALS) return;
    this.#begin(this.#pauses(), {
      code: 'service-refuses-all',
      ...userMessage('refuses-all', { count, status }),
      ...(detail === undefined ? {} : { detail }),
    });
  }

  /** A request had an outcome that shows that the service works. Joins the caller's transaction. */
  clear(): void {
    if (this.#pause !== null) this.#notes.remove(NOTE);
    this.#transactions.afterCommit(() => {
      this.#pause = null;
      this.#refusals = 0;
    });
  }

  /** The user wants one request to be tried now. If it fails too, the pauses go on growing. */
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

  /** If the clock was set meanwhile, a pause ends at once, or lasts no longer than before. */
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
