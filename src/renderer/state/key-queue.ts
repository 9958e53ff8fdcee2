/** What takes the keys that waited. */
export interface KeyTarget {
  /** Not so for what belongs to the browser, as its own shortcuts. */
  canWait(key: KeyboardEvent): boolean;
  /** Does what the key would have done, were it pressed now. */
  replay(key: KeyboardEvent): void;
  isDialogOpen(): boolean;
  /** Resolves when the page shows what a key has changed. */
  settled(): Promise<unknown>;
}

/**
 * Holds back keys that are pressed while something that takes the keyboard is loading (the script
 * of a dialog, a video's request, a selection), and replays them in order. Otherwise a name that is
 * typed too early would be read as shortcuts. If loading fails, the keys are dropped.
 */
export class KeyQueue {
  readonly #target: KeyTarget;
  /** What gives each wait up. */
  readonly #waits = new Set<() => void>();
  #keys: KeyboardEvent[] = [];
  /** What was typed is for a dialog, and for nothing else if none opens. */
  #isForDialog = false;
  #isReplaying = false;

  constructor(target: KeyTarget) {
    this.#target = target;
  }

  /**
   * Waits for a dialog until the returned function is called.
   *
   * @param abandon gives up opening it
   */
  awaitDialog(abandon: () => void): () => void {
    this.#isForDialog = true;
    return this.#wait(abandon);
  }

  /** Waits for an answer, and passes it on; `null` if it did not come, or was given up. */
  async until<Answer>(answer: Promise<Answer | null>): Promise<Answer | null> {
    const { promise: abandoned, resolve } = Promise.withResolvers<null>();
    const end = this.#wait(() => {
      resolve(null);
    });
    const come = await Promise.race([answer, abandoned]);
    if (come === null) this.drop();
    end();
    return come;
  }

  drop(): void {
    this.#keys = [];
  }

  /** Drops the keys: the user turned to something else. */
  abandon(): void {
    const waits = [...this.#waits];
    this.#waits.clear();
    this.drop();
    for (const abandon of waits) abandon();
  }

  /** Takes a key if it has to wait, and Escape to give up what is waited for. */
  take(key: KeyboardEvent): boolean {
    // The keys that are replayed come by here too; what is typed meanwhile comes after them.
    if (this.#isReplaying ? !key.isTrusted : this.#waits.size === 0) return false;
    if (!this.#target.canWait(key)) return false;
    // With nothing left to give up, Escape has its turn after the keys that were pressed before it.
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
    // Each key finds on the page what the ones before it did.
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
