/** The computer's power supply, as it was when it was last checked. */
export class PowerSupply {
  readonly #read: () => boolean;
  readonly #listeners = new Set<() => void>();
  #isOnBattery: boolean;

  /** @param read whether the computer runs on battery now */
  constructor(read: () => boolean = () => false) {
    this.#read = read;
    this.#isOnBattery = read();
  }

  get isOnBattery(): boolean {
    return this.#isOnBattery;
  }

  /** Checks it. */
  update(): void {
    const isOnBattery = this.#read();
    if (isOnBattery === this.#isOnBattery) return;
    this.#isOnBattery = isOnBattery;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after every change. Returns the function that unsubscribes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
