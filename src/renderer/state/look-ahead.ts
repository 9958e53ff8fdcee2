import type { Client } from '../../contract/contract.ts';
import { BatchChoices } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import type { FileList, FileStanding, ListedFile } from './file-list.svelte.ts';
import { standingIn } from './plan-problems.ts';

/** Counts the rows and the errors of the files that wait, one file at a time. */
export class LookAhead {
  readonly #client: Client;
  readonly #memory: BatchMemory;
  readonly #files: FileList;
  readonly #shownFile: () => number | null;
  /** Until every file was looked at that waits; whether the engine answered. */
  #looking: Promise<boolean> | null = null;

  /** @param shownFile the id of the file that is planned by others meanwhile */
  constructor(
    client: Client,
    memory: BatchMemory,
    files: FileList,
    shownFile: () => number | null,
  ) {
    this.#client = client;
    this.#memory = memory;
    this.#files = files;
    this.#shownFile = shownFile;
  }

  /** @returns whether the engine answered */
  async run(): Promise<boolean> {
    while (this.#waiting !== undefined) {
      this.#looking ??= this.#lookAtWaiting().finally(() => (this.#looking = null));
      if (!(await this.#looking)) return false;
    }
    return true;
  }

  get #waiting(): ListedFile | undefined {
    return this.#files.open.find(
      ({ id, standing }) => standing.kind === 'waiting' && id !== this.#shownFile(),
    );
  }

  async #lookAtWaiting(): Promise<boolean> {
    for (;;) {
      const file = this.#waiting;
      if (file === undefined) return true;
      const standing = await this.#standingOf(file);
      if (standing === null) return false;
      // Meanwhile it may be left out, or another one have taken its place.
      if (this.#files.byId(file.id) === file) this.#files.mark(file.id, standing);
    }
  }

  /** Planned as it will be shown: as an earlier file with these columns was read. */
  async #standingOf({ read }: ListedFile): Promise<FileStanding | null> {
    const found = await read();
    if (found.kind === 'problem') return { kind: 'unreadable', problem: found.problem };
    try {
      let plan = await this.#client.batches.plan({ source: found.file });
      const remembered = this.#memory.recallFor(plan);
      if (remembered !== null) {
        const choices = new BatchChoices();
        choices.columns = remembered.columns;
        choices.templateText = remembered.templateText;
        const { options } = choices;
        plan = await this.#client.batches.plan({ source: found.file, options });
      }
      return standingIn(plan);
    } catch {
      return null;
    }
  }
}
