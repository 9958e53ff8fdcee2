/** Receives the keys that were held back. */
export interface KeyTarget {
  /** False for keys that belong to the browser, such as its shortcuts. */
  canWait(key: KeyboardEvent): boolean;
  /** Has the same effect as pressing the key now. */
  replay(key: KeyboardEvent): void;
  isDialogOpen(): boolean;
  /** Resolves when the page shows the effects of a key. */
  settled(): Promise<unknown>;
}

/**
 * Holds back keys that are pressed while something that takes the keyboard is loading (the script
 * of a dialog, a video's request, a selection), and replays them in order. Otherwise a name that is
 * typed too early would be read as shortcuts. If loading fails, the keys are dropped.
 */
export class KeyQueue {
  readonly #target: KeyTarget;
  /** Functions that end a wait without its result. */
  readonly #waits = new Set<() => void>();
  #keys: KeyboardEvent[] = [];
  /** The keys are for a dialog: if none opens, they are dropped. */
  #isForDialog = false;
  #isReplaying = false;

  constructor(target: KeyTarget) {
    this.#target = target;
  }

  /**
   * Waits for a dialog until the returned function is called.
   *
   * @param abandon cancels its opening
   */
  awaitDialog(abandon: () => void): () => void {
    this.#isForDialog = true;
    return this.#wait(abandon);
  }

  /** Holds keys until `answer`, which must not reject, resolves; drops them if that is `null`. */
  async holdUntil<Answer>(answer: Promise<Answer | null>): Promise<Answer | null> {
    const { promise: abandoned, resolve } = Promise.withResolvers<null>();
    const end = this.#wait(() => {
      resolve(null);
    });
    const result = await Promise.race([answer, abandoned]);
    if (result === null) this.drop();
    end();
    return result;
  }

  drop(): void {
    this.#keys = [];
  }

  /** Ends all waits and drops the keys, when the user does something else. */
  abandon(): void {
    const waits = [...this.#waits];
    this.#waits.clear();
    this.drop();
    for (const abandon of waits) abandon();
  }

  /** Holds a key back if it has to wait. Escape ends the waits. @returns whether it did either */
  holdBack(key: KeyboardEvent): boolean {
    // Replayed keys arrive here too, and pass. Keys typed meanwhile are queued after them.
    if (this.#isReplaying ? !key.isTrusted : this.#waits.size === 0) return false;
    if (!this.#target.canWait(key)) return false;
    // Without a wait to end, Escape is queued after the keys that were pressed before it.
    if (key.key === 'Escape' && this.#waits.size > 0) this.abandon();
    else this.#keys.push(key);
    return true;
  }

  #wait(abandon: () => void): () => void {
    this.#waits.add(abandon);
    return () => {
      this.#waits.delete(abandon);
      if (this.#waits.size === 0) void this.#replay();
    };
  }

  async #replay(): Promise<void> {
    if (this.#isReplaying) return;
    this.#isReplaying = true;
    // Each key must find the effects of the keys before it.
    await this.#target.settled();
    while (this.#waits.size === 0) {
      if (this.#isForDialog && !this.#target.isDialogOpen()) this.drop();
      this.#isForDialog = false;
      const key = this.#keys.shift();
      if (key === undefined) break;
      this.#target.replay(key);
      await this.#target.settled();
    }
    this.#isReplaying = false;
  }
}
