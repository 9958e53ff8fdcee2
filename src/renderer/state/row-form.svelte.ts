/** The form of a row: that of a video that is added, or of one that is changed. */
import { SvelteSet } from 'svelte/reactivity';
import type { BatchSource } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { JobDetails, RowEdit, RowsDetails, RowsEdit } from '../../contract/job.ts';
import { parseTemplate, templateText } from '../../contract/json-text.ts';
import type { UserMessage } from '../../contract/message-schema.ts';
import type { RowField } from '../../contract/row-field.ts';
import { folderOfFiles } from './chosen-files.ts';
import type { PendingEdit } from './edit-preview.svelte.ts';

/** Values by field, in a cell's notation. */
export class RowForm {
  values = $state<Record<string, string>>({});
  /** Fields that were edited: errors of the others are not shown yet. */
  readonly touched = new SvelteSet<string>();
  /** Fields that the user has left: what is written there is complete. */
  readonly left = new SvelteSet<string>();
  /** Fields that had a value when the form opened; those that were empty may be folded. */
  readonly filled: ReadonlySet<string>;

  constructor(filled: ReadonlySet<string>) {
    this.filled = filled;
  }

  /** Fields with different values in the rows, as long as none is written. */
  get various(): readonly string[] {
    return [];
  }

  write(field: string, value: string): void {
    this.values[field] = value;
    this.touched.add(field);
  }
}

/** One video, described field by field instead of by a row of a file. */
export class VideoForm extends RowForm {
  /** Name of the batch that gets the video. */
  readonly batch: string;

  /** @param values to begin with, by field */
  constructor(batch: string, values: Readonly<Record<string, string>> = {}) {
    super(filledIn(values));
    this.batch = batch;
    for (const [field, value] of Object.entries(values)) this.write(field, value);
  }

  /**
   * The same as a batch of one row that has every field, so that each can have its error. Its folder
   * is that of the files, which are absolute paths.
   */
  source(fields: readonly RowField[]): BatchSource {
    const row = Object.fromEntries(fields.map(({ name }) => [name, this.values[name] ?? '']));
    const files = fields
      .filter(({ holds }) => holds !== undefined)
      .flatMap(({ name }) => (row[name] ?? '').split('\n'));
    const folder = folderOfFiles(files);
    return {
      name: `${this.batch}.json`,
      content: JSON.stringify([row]),
      isForm: true,
      ...(folder === undefined ? {} : { folder }),
    };
  }
}

/** The form of rows that are in the queue. */
abstract class EditForm extends RowForm {
  abstract readonly fields: readonly RowField[];
  /** Why the changes so far cannot be saved; `null` while nothing is known against them. */
  planned = $state.raw<Failure | null>(null);
  /** Why the last attempt to save failed, until its field is written or the next attempt. */
  protected failure = $state.raw<Failure | null>(null);

  /** The engine's message about a field, without its name; `null` when there is none. */
  messageOf(field: string): UserMessage | null {
    const shown = [this.failure, this.left.has(field) ? this.planned : null];
    const failure = shown.find((each) => each?.column === field) ?? null;
    return failure === null ? null : withoutField(failure);
  }

  override write(field: string, value: string): void {
    super.write(field, value);
    if (this.failure?.column === field) this.failure = null;
  }

  /** @returns whether the form shows it */
  refuse(failure: Failure): boolean {
    if (!this.fields.some(({ name }) => name === failure.column)) return false;
    this.failure = failure;
    return true;
  }
}

/** The row of a job that has not been sent, or that the service refused. */
export class RowEditor extends EditForm {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly RowField[];
  /** The service refused it: it is queued with the changes. */
  readonly isRefused: boolean;
  /** The fields that the service names, with its words. */
  readonly refused: JobDetails['row']['refused'];
  /** The template of its request, as JSON. */
  template = $state('');
  /** Whether the template is the row's own, so that its fields may not say everything. */
  readonly isOwnTemplate: boolean;
  readonly #before: Readonly<Record<string, string>>;
  readonly #templateBefore: string;
  readonly #edited = $derived.by(() => parsedTemplate(this.template));
  /** An error of the template is shown after the first attempt to save. */
  #submitted = $state(false);

  constructor({ job, row }: Pick<JobDetails, 'job' | 'row'>) {
    super(filledIn(row.values));
    this.id = job.id;
    this.title = job.title;
    this.isRefused = job.state === 'rejected';
    this.fields = row.fields;
    this.refused = row.refused;
    this.isOwnTemplate = row.isOwnTemplate;
    this.values = { ...row.values };
    this.#before = row.values;
    this.#templateBefore = templateText(row.template);
    this.template = this.#templateBefore;
  }

  /** Why the template cannot be saved; `null` if it can, as far as is known. */
  get templateError(): 'json' | Failure | null {
    if (this.#submitted && this.#edited === null) return 'json';
    return this.failure?.code === 'template-invalid' ? this.failure : null;
  }

  override refuse(failure: Failure): boolean {
    if (failure.code !== 'template-invalid') return super.refuse(failure);
    this.failure = failure;
    return true;
  }

  /** What to save; `null` when the template is not JSON, which is shown from then on. */
  submit(): PendingEdit | null {
    this.#submitted = true;
    this.failure = null;
    return this.pending;
  }

  /** The changes so far; `null` while the template is not JSON. */
  get pending(): PendingEdit | null {
    const template = this.#edited;
    if (template === null) return null;
    const changed = Object.entries(this.values).filter(
      ([name, value]) => value !== (this.#before[name] ?? ''),
    );
    return {
      id: this.id,
      values: Object.fromEntries(changed),
      ...(this.template === this.#templateBefore ? {} : { template }),
    };
  }
}

/** The rows of several jobs: only what is written changes. */
export class RowsEditor extends EditForm {
  readonly ids: readonly string[];
  readonly fields: readonly RowField[];
  /** The column in which a text is replaced; `null` for none. */
  replaceIn = $state<string | null>(null);
  find = $state('');
  replacement = $state('');
  ignoreCase = $state(false);
  readonly #before: RowsDetails;
  /** The place in `ids` of the video that is previewed. */
  #shown = $state(0);

  constructor(ids: readonly string[], details: RowsDetails) {
    super(filledIn(details.values, details.various));
    this.ids = ids;
    this.fields = details.fields;
    this.#before = details;
    this.values = { ...details.values };
  }

  /** The place of the previewed video among all, from 0. */
  get shown(): number {
    return this.#shown;
  }

  /** Previews another one of the videos. */
  step(by: -1 | 1): void {
    this.#shown = Math.min(this.ids.length - 1, Math.max(0, this.#shown + by));
  }

  /** The changes so far, of the previewed video. */
  get pending(): PendingEdit {
    return { id: this.ids[this.#shown] ?? '', values: this.#changed, ...this.#replaced };
  }

  override get various(): readonly string[] {
    return this.#before.various.filter((name) => !this.touched.has(name));
  }

  /** Fields in which a text can be replaced. */
  get replaceable(): readonly RowField[] {
    return this.fields.filter(({ type }) => type === 'text' || type === 'list');
  }

  override write(field: string, value: string): void {
    super.write(field, value);
    // An empty field keeps the different values: nobody means to erase all of them by accident.
    if (value === '' && this.#before.various.includes(field)) this.touched.delete(field);
  }

  /** What to save; `null` when nothing is changed. */
  submit(): RowsEdit | null {
    this.failure = null;
    const values = this.#changed;
    const edit = { ...(Object.keys(values).length > 0 ? { values } : {}), ...this.#replaced };
    return Object.keys(edit).length > 0 ? { ids: [...this.ids], ...edit } : null;
  }

  /** The text that is replaced, if any. */
  get #replaced(): Pick<RowsEdit, 'replace'> {
    const { replaceIn: field, find, replacement, ignoreCase } = this;
    if (field === null || find === '') return {};
    return { replace: { field, find, with: replacement, exact: !ignoreCase } };
  }

  get #changed(): Record<string, string> {
    const changed = Object.entries(this.values).filter(
      ([name, value]) => this.touched.has(name) && value !== (this.#before.values[name] ?? ''),
    );
    return Object.fromEntries(changed);
  }
}

function filledIn(
  values: Readonly<Record<string, string>>,
  various: readonly string[] = [],
): ReadonlySet<string> {
  return new Set([...Object.keys(values).filter((name) => values[name] !== ''), ...various]);
}

function parsedTemplate(text: string): NonNullable<RowEdit['template']> | null {
  try {
    const json = parseTemplate(text) as JobDetails['request'];
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : null;
  } catch {
    return null;
  }
}

/** A message beside a field does not name it. */
function withoutField({ message, says }: Failure): UserMessage {
  const [place] = says;
  // Not by `messageOf`, whose file contains every message: the page loads those with the views.
  if (place?.sentence !== 'at-field') return { message, says };
  return { message: message.slice(`${place.values.field}: `.length), says: says.slice(1) };
}
