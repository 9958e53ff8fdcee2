import { DatabaseUnavailableError } from '../database-unavailable.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /** Carries out all items in one transaction. Answers with their outcomes, in their order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** Items of one transaction at most. */
  readonly maxItems: number;
  /** What an item counts, and what the items of one transaction count together at most. */
  readonly size?: { readonly of: (item: Item) => number; readonly max: number };
}

/** A transaction that takes longer may be stuck on its connection: another one then begins. */
export const SLOW_MS = 1_000;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs in one transaction what is asked for while the transaction before it runs. A request that
 * comes alone begins at once. Beside a slow transaction one other runs, so that a stalled connection
 * does not hold up all items until its time limit. Each item has a separate outcome: if a
 * transaction fails for another reason than an outage, each of its items is tried in a separate
 * one, so that one item does not fail the others.
 */
export class GroupCommit<Item, Outcome> {
  readonly #options: GroupCommitOptions<Item, Outcome>;
  #waiting: Waiting<Item, Outcome>[] = [];
  /** Of a group that failed: each is tried by itself, before those that wait. */
  #alone: Waiting<Item, Outcome>[] = [];
  #isRunning = false;
  /** Whether a slow transaction runs that the others do not wait for. */
  #isOneSlow = false;

  constructor(options: GroupCommitOptions<Item, Outcome>) {
    this.#options = options;
  }

  /**
   * @throws {DatabaseUnavailableError} also without having begun, when what came before found an
   *   outage: hundreds that wait must not find out one after the other
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
    while (this.#alone.length > 0 || this.#waiting.length > 0) {
      const ended = this.#runGroup(this.#nextGroup());
      if (this.#isOneSlow || (await endsInTime(ended))) await ended;
      else void this.#followSlow(ended);
    }
    this.#isRunning = false;
  }

  async #followSlow(ended: Promise<void>): Promise<void> {
    this.#isOneSlow = true;
    await ended;
    this.#isOneSlow = false;
    // Its items are tried one by one if it failed.
    await this.#runAll();
  }

  /** The first that wait, one at least. */
  #nextGroup(): readonly Waiting<Item, Outcome>[] {
    const alone = this.#alone.shift();
    if (alone !== undefined) return [alone];
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
        // Of these, nothing can have been committed.
        const unavailable = new DatabaseUnavailableError(error.cause);
        const others = [...this.#alone.splice(0), ...this.#waiting.splice(0)];
        for (const { reject } of others) reject(unavailable);
      } else if (group.length > 1) {
        this.#alone.push(...group);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}

/** @returns whether it ended before it was slow */
async function endsInTime(ended: Promise<void>): Promise<boolean> {
  const slow = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => slow.resolve(false), SLOW_MS);
  try {
    return await Promise.race([ended.then(() => true), slow.promise]);
  } finally {
    clearTimeout(timer);
  }
}
