import type { Client } from '../../contract/contract.ts';
import type { JobDetails } from '../../contract/job.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';

/** The job whose details are open. */
export class DetailsState {
  id = $state<string | null>(null);
  details = $state.raw<JobDetails | null>(null);
  unreadable = $state(false);

  readonly #client: Client;
  readonly #pointerReleased: PointerReleased;
  #reads = 0;
  /** The number of the read whose answer is shown: answers to earlier ones are outdated. */
  #shownRead = 0;

  constructor(client: Client, pointerReleased: PointerReleased) {
    this.#client = client;
    this.#pointerReleased = pointerReleased;
  }

  open(id: string): void {
    if (this.id === id) return;
    this.id = id;
    this.details = null;
    this.unreadable = false;
    void this.#read(id);
  }

  close(): void {
    this.id = null;
    this.details = null;
  }

  reload(): void {
    if (this.id !== null) void this.#read(this.id);
  }

  apply(update: Update): void {
    const job = update.jobs.find((changed) => changed.id === this.id);
    if (job === undefined && !update.relist) return;
    const shown = this.details;
    // Details that only `show` has change with the state or the file's path, not with progress.
    const isSame =
      shown !== null && shown.job.state === job?.state && shown.job.file?.path === job.file?.path;
    if (isSame) this.details = { ...shown, job };
    else this.reload();
  }

  async #read(id: string): Promise<void> {
    const read = (this.#reads += 1);
    try {
      const details = await this.#client.jobs.show({ id });
      // Another state has other buttons, which must not replace a pressed one.
      if (this.details !== null) await this.#pointerReleased();
      if (id !== this.id || read < this.#shownRead) return;
      this.#shownRead = read;
      this.details = details;
      this.unreadable = false;
    } catch {
      if (id === this.id && read > this.#shownRead) this.unreadable = true;
    }
  }
}
