/**
 * Plans that follow what somebody types or chooses: one at a time, and however often one is asked
 * for meanwhile, one more.
 */
export class Planning {
  readonly #plan: () => Promise<void>;
  #isUnderWay = false;
  #isAskedFor = false;

  /** @param plan must not reject */
  constructor(plan: () => Promise<void>) {
    this.#plan = plan;
  }

  /** Whether what is under way is out of date, since it was asked for again. */
  get isAskedFor(): boolean {
    return this.#isAskedFor;
  }

  /** Resolves once nothing is left to do; at once when the plan under way is followed by another. */
  async ask(): Promise<void> {
    this.#isAskedFor = true;
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    while (this.#isAskedFor) {
      this.#isAskedFor = false;
      await this.#plan();
    }
    this.#isUnderWay = false;
  }
}
