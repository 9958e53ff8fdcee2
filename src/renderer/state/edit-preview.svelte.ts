import type { SampleRow } from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import type { RowEdit, RowsEdit } from '../../contract/job.ts';
import { failureOf } from '../connection/failure-of.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import { FramePreview } from './frame-preview.svelte.ts';

/** A row, and how it is being changed. */
export type PendingEdit = RowEdit & Pick<RowsEdit, 'replace'> & { readonly id: string };

/** A form whose changes are checked. */
interface EditedForm {
  readonly pending: PendingEdit | null;
  planned: Failure | null;
}

/** Checks an edit that is not saved, and shows what its video would look like. */
export class EditPreview {
  /** `null` where the service draws no frames. */
  readonly frame: FramePreview | null;
  /** What the row with its last valid edit requests; `null` until that is known. */
  request = $state.raw<SampleRow['request']>(null);
  readonly #client: Pick<Client, 'jobs'>;
  readonly #planning = new CoalescingRunner(() => this.#plan());
  readonly #form: EditedForm;

  /** @param draws whether the service draws frames */
  constructor(form: EditedForm, client: Pick<Client, 'jobs' | 'preview'>, draws: boolean) {
    this.#form = form;
    this.#client = client;
    this.frame = draws ? new FramePreview(client) : null;
  }

  /** Call it after each change of the form. */
  update(): void {
    void this.#planning.request();
  }

  async #plan(): Promise<void> {
    const { pending } = this.#form;
    if (pending === null) return;
    try {
      const { request, title } = await this.#client.jobs.planEdit(pending);
      if (this.#planning.isRequested) return;
      this.#form.planned = null;
      this.request = request;
      if (request !== null) this.frame?.show(request, title);
    } catch (error) {
      // The last frame stays.
      this.#form.planned = failureOf(error);
    }
  }
}
