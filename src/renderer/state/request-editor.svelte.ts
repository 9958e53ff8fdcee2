import type { Failure } from '../../contract/failure.ts';
import type { FieldText } from '../../contract/field-text.ts';
import type { JobDetails } from '../../contract/job.ts';
import type { UserMessage } from '../../contract/message-schema.ts';
import { fieldsOf, requestOf, type RequestField } from './request-fields.ts';

/** In characters: the contract's limit. */
export const MAX_TITLE_LENGTH = 200;

/** A job's changes, as `jobs.edit` takes them. */
interface Edit {
  readonly id: string;
  readonly title: string;
  readonly request: ReturnType<typeof requestOf>['request'];
}

/** The form that changes a job before it is sent, or after it was refused: its title, and its request field by field. */
export class RequestEditor {
  title = $state('');
  readonly fields: RequestField[];
  /** Labels of the fields that have one, by name. */
  readonly labels: Readonly<Record<string, FieldText>>;

  /** The service refused it: it is queued with the changes. */
  readonly isRefused: boolean;

  readonly #id: string;
  /** Errors are shown after the first attempt to save. */
  #submitted = $state(false);
  #refusal = $state.raw<Failure | null>(null);
  readonly #edited = $derived.by(() => requestOf(this.fields));
  readonly #hasTitle = $derived(
    this.title.trim() !== '' && this.title.trim().length <= MAX_TITLE_LENGTH,
  );

  constructor(
    { job, request }: Pick<JobDetails, 'job' | 'request'>,
    labels: Readonly<Record<string, FieldText>> = {},
  ) {
    this.labels = labels;
    this.#id = job.id;
    this.isRefused = job.state === 'rejected';
    this.title = job.title;
    const fields = $state(fieldsOf(request));
    this.fields = fields;
  }

  get showsTitleFault(): boolean {
    return this.#submitted && !this.#hasTitle;
  }

  showsFaultOf(field: RequestField): boolean {
    return this.#submitted && this.#edited.faulty.includes(field.name);
  }

  /** The engine's message about a field's value; `null` when it has none. */
  refusalOf({ name, kind }: RequestField): UserMessage | null {
    const refusal = this.#refusal;
    if (refusal?.column !== name) return null;
    const [place] = refusal.says;
    // A nested value is named in the message, because the field contains others.
    if (kind === 'json' || place?.sentence !== 'at-field') {
      // Not by `messageOf`, whose file contains every message: the page loads those with the views.
      return { message: refusal.message, says: refusal.says };
    }
    const { message, says } = refusal;
    return { message: message.slice(`${place.values.field}: `.length), says: says.slice(1) };
  }

  /** @returns whether it is about a field, which shows it until the next attempt to save */
  refuse(failure: Failure): boolean {
    if (!this.fields.some(({ name }) => name === failure.column)) return false;
    this.#refusal = failure;
    return true;
  }

  /** The changes to save; `null` when a field has an error, which is shown from then on. */
  submit(): Edit | null {
    this.#submitted = true;
    this.#refusal = null;
    if (!this.#hasTitle || this.#edited.faulty.length > 0) return null;
    return { id: this.#id, title: this.title.trim(), request: this.#edited.request };
  }
}
