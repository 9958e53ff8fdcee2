import type { FieldText } from '../../contract/field-text.ts';
import type { JobDetails } from '../../contract/job.ts';
import { fieldsOf, requestOf, type RequestField } from './request-fields.ts';

/** In characters; the contract takes no longer title. */
export const MAX_TITLE_LENGTH = 200;

/** What the form of an unsent job would change. */
interface Edit {
  readonly id: string;
  readonly title: string;
  readonly request: ReturnType<typeof requestOf>['request'];
}

/** The form that changes a job before it is sent: its title, and its request field by field. */
export class RequestEditor {
  title = $state('');
  readonly fields: RequestField[];
  /** Of the fields, where they have one. */
  readonly labels: Readonly<Record<string, FieldText>>;

  readonly #id: string;
  /** Faults are shown once somebody tried to save. */
  #submitted = $state(false);
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

  /** What is to be saved; `null` when a field has a fault, which it shows from then on. */
  submit(): Edit | null {
    this.#submitted = true;
    if (!this.#hasTitle || this.#edited.faulty.length > 0) return null;
    return { id: this.#id, title: this.title.trim(), request: this.#edited.request };
  }
}
