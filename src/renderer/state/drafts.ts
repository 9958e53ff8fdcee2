/** What the user chose about batches that are not shown now, to go on later. */
import type { BatchChoices } from './batch-choices.svelte.ts';

export interface Draft {
  readonly choices: BatchChoices;
  /** See `PlannedBatch.recalled` and `recalledTemplate`. */
  readonly recalled: boolean;
  readonly recalledTemplate: boolean;
}

export class Drafts {
  readonly #kept = new Map<string, Draft>();

  /** @param key of a file, or of files that form one batch */
  keep(key: string | null, draft: Draft): void {
    if (key !== null) this.#kept.set(key, draft);
  }

  take(key: string | null): Draft | null {
    const draft = key === null ? undefined : this.#kept.get(key);
    if (key !== null) this.#kept.delete(key);
    return draft ?? null;
  }

  /** Forgets choices that were made for the fields and the queue of another service. */
  forgetService(): void {
    for (const { choices } of this.#kept.values()) choices.forgetService();
  }

  clear(): void {
    this.#kept.clear();
  }
}
