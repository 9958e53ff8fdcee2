import type { Client } from '../../contract/contract.ts';
import { BatchChoices } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import type { FileList, FileStatus, ListedFile } from './file-list.svelte.ts';
import { fileStatusOf } from './plan-problems.ts';

/** Counts rows and errors of the waiting files in the background, one file at a time. */
export class LookAhead {
  readonly #client: Client;
  readonly #memory: BatchMemory;
  readonly #files: FileList;
  readonly #shownFile: () => number | null;
  /** The current pass over the waiting files. Resolves to whether the engine answered. */
  #pass: Promise<boolean> | null = null;

  /** @param shownFile the id of the file that `AddState` plans itself */
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
      this.#pass ??= this.#checkWaiting().finally(() => (this.#pass = null));
      if (!(await this.#pass)) return false;
    }
    return true;
  }

  get #waiting(): ListedFile | undefined {
    return this.#files.open.find(
      ({ id, status }) => status.kind === 'waiting' && id !== this.#shownFile(),
    );
  }

  async #checkWaiting(): Promise<boolean> {
    for (;;) {
      const file = this.#waiting;
      if (file === undefined) return true;
      const status = await this.#statusOf(file);
      if (status === null) return false;
      // The file may have been left out or replaced meanwhile.
      if (this.#files.byId(file.id) === file) this.#files.mark(file.id, status);
    }
  }

  /** Plans with the choices for an earlier file with these columns, as when the file is shown. */
  async #statusOf({ read }: ListedFile): Promise<FileStatus | null> {
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
      return fileStatusOf(plan);
    } catch {
      return null;
    }
  }
}
