import type { SampleRow } from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { RowEdit, RowsEdit } from '../../contract/job.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import { FramePreview } from './frame-preview.svelte.ts';

/** A row, and how it is being changed. */
export type PendingEdit = RowEdit & Pick<RowsEdit, 'replace'> & { readonly id: string };

/** What the video of a row would look like after an edit that is not saved. */
export class EditPreview {
  readonly frame: FramePreview;
  /** What the row with its last valid edit requests; `null` until that is known. */
  request = $state.raw<SampleRow['request']>(null);
  readonly #client: Pick<Client, 'jobs'>;
  readonly #planning = new CoalescingRunner(() => this.#plan());
  #edit: PendingEdit | null = null;

  constructor(client: Pick<Client, 'jobs' | 'preview'>) {
    this.#client = client;
    this.frame = new FramePreview(client);
  }

  show(edit: PendingEdit): void {
    this.#edit = edit;
    void this.#planning.request();
  }

  async #plan(): Promise<void> {
    const edit = this.#edit;
    if (edit === null) return;
    try {
      const { request, title } = await this.#client.jobs.planEdit(edit);
      if (edit !== this.#edit) return;
      this.request = request;
      if (request !== null) this.frame.show(request, title);
    } catch {
      // A value that is not allowed, which saving reports: the last frame stays.
    }
  }
}
