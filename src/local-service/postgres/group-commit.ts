import { DatabaseUnavailableError } from '../database-unavailable.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /** Processes all items in one transaction. Resolves to their outcomes, in the same order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** Maximum number of items in one transaction. */
  readonly maxItems: number;
  /** The size of an item, and the maximum total size in one transaction. */
  readonly size?: { readonly of: (item: Item) => number; readonly max: number };
}

/** A transaction that takes longer may have a stalled connection: another one then begins. */
export const SLOW_MS = 1_000;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Processes items in transactions that they share: while one runs, new items wait for the next. A
 * single item begins at once. A slow transaction allows one other beside it, so that a stalled
 * connection does not hold up all items until it times out. Each item has a separate outcome: if a
 * transaction fails for another reason than an outage, each of its items is retried in a separate
 * one, so that one item does not fail the others.
 */
export class GroupCommit<Item, Outcome> {
  readonly #options: GroupCommitOptions<Item, Outcome>;
  #waiting: Waiting<Item, Outcome>[] = [];
  /** Items of a failed group: each is retried in its own transaction, before the waiting items. */
  #retries: Waiting<Item, Outcome>[] = [];
  #isRunning = false;
  /** Whether a slow transaction is running beside the others. */
  #hasSlowTransaction = false;

  constructor(options: GroupCommitOptions<Item, Outcome>) {
    this.#options = options;
  }

  /**
   * @throws {DatabaseUnavailableError} also without a transaction, when the one before failed with an
   *   outage: otherwise hundreds of waiting items would time out one after another
   */
  run(item: Item): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#waiting.push({ item, resolve, reject });
    void this.#runAll();
    return promise;
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#retries.length > 0 || this.#waiting.length > 0) {
      const ended = this.#runGroup(this.#nextGroup());
      if (this.#hasSlowTransaction || (await endsInTime(ended))) await ended;
      else void this.#awaitSlow(ended);
    }
    this.#isRunning = false;
  }

  async #awaitSlow(ended: Promise<void>): Promise<void> {
    this.#hasSlowTransaction = true;
    await ended;
    this.#hasSlowTransaction = false;
    // If it failed, its items are retried.
    await this.#runAll();
  }

  /** The next items for one transaction, at least one. */
  #nextGroup(): readonly Waiting<Item, Outcome>[] {
    const retry = this.#retries.shift();
    if (retry !== undefined) return [retry];
    const { maxItems, size } = this.#options;
    let count = 0;
    let total = 0;
    for (const { item } of this.#waiting) {
      total += size?.of(item) ?? 0;
      if (count === maxItems || (count > 0 && size && total > size.max)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #runGroup(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(group.map(({ item }) => item));
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) {
        for (const { reject } of group) reject(error);
        // The others have committed nothing, so that their outcome is not uncertain.
        const unavailable = new DatabaseUnavailableError(error.cause);
        const others = [...this.#retries.splice(0), ...this.#waiting.splice(0)];
        for (const { reject } of others) reject(unavailable);
      } else if (group.length > 1) {
        this.#retries.push(...group);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}

/** @returns false if the transaction takes longer than `SLOW_MS` */
async function endsInTime(ended: Promise<void>): Promise<boolean> {
  const slow = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => slow.resolve(false), SLOW_MS);
  try {
    return await Promise.race([ended.then(() => true), slow.promise]);
  } finally {
    clearTimeout(timer);
  }
}
