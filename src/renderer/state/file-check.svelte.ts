import type { Client } from '../../contract/contract.ts';
import type { FileIssue, Verification } from '../../contract/files.ts';
import type { Texts } from '../texts/en.ts';
import type { Commands } from './commands.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

/** Verifies saved files, and reports the result at the end. */
export class FileCheck {
  /** Progress of the running check; `null` when none runs. */
  progress = $state.raw<Verification | null>(null);

  readonly #commands: Commands;
  readonly #toasts: Toasts;
  readonly #texts: () => Texts;
  #stop: AbortController | undefined;

  constructor(commands: Commands, toasts: Toasts, texts: () => Texts) {
    this.#commands = commands;
    this.#toasts = toasts;
    this.#texts = texts;
  }

  /** @param ids of jobs; every saved file when left out */
  async run(ids?: readonly string[]): Promise<void> {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    const errors: FileIssue[] = [];
    const last = await this.#commands.run((client) => this.#follow(client, ids, stop, errors));
    if (this.#stop !== stop) return;
    this.progress = null;
    if (last !== null && !stop.signal.aborted) this.#report(last, errors);
  }

  stop(): void {
    this.#stop?.abort();
    this.progress = null;
  }

  async #follow(
    client: Client,
    ids: readonly string[] | undefined,
    stop: AbortController,
    errors: FileIssue[],
  ): Promise<Verification | null> {
    const input = ids === undefined ? {} : { ids: [...ids] };
    let last: Verification | null = null;
    try {
      for await (const update of await client.files.verify(input, { signal: stop.signal })) {
        errors.push(...update.errors);
        last = update;
        if (this.#stop === stop && !stop.signal.aborted) this.progress = update;
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
    return last;
  }

  #report({ checkedFiles, recovered }: Verification, errors: readonly FileIssue[]): void {
    const { saved } = this.#texts();
    const [first] = errors;
    if (first !== undefined) {
      this.#toasts.bad(
        saved.invalid(errors.length, checkedFiles),
        saved.found[first.found](first.title),
      );
    } else this.#toasts.good(saved.whole(checkedFiles, recovered));
  }
}
