import type {
  BatchOptions,
  BatchPlan,
  Collision,
  ColumnChoice,
  DuplicateRows,
  Duplicates,
  OwnTemplate,
  BatchFile,
  BatchSource,
  UsedBefore,
} from '../../contract/batch.ts';
import type { ChoicesToMove, MovedChoices } from '../../contract/moved-choices.ts';
import type { ReadingChoices } from '../../contract/table-reading.ts';
import { parseTemplate } from '../../contract/json-text.ts';
import { RowRepairs } from './row-repairs.svelte.ts';

/** Position of the error in a text that is not a JSON object; `null` when unknown. */
export interface TemplateIssue {
  readonly line: number | null;
  readonly column: number | null;
}

export type ReadingChange = {
  readonly [Key in keyof ReadingChoices]: ReadingChoices[Key] | undefined;
};

/** The user's choices for a batch. The engine decides those that are `null`. */
export class BatchChoices {
  folder = $state<string | null>(null);
  nameTemplate = $state<string | null>(null);
  onCollision = $state<Collision | null>(null);
  duplicates = $state<Duplicates>('reuse');
  /** Only what differs from `duplicates`. */
  duplicateRows = $state.raw<DuplicateRows>({});
  columns = $state.raw<ColumnChoice>({});
  /** A custom request, as typed. */
  templateText = $state<string | null>(null);

  /** How each file is read, by its place in the batch; what is left out is detected. */
  readings = $state.raw<readonly (ReadingChoices | undefined)[]>([]);

  readonly repairs = new RowRepairs();
  /** Whether they name rows as the next plan will: those of the shown one may have other numbers. */
  areAhead = false;
  /** The files whose rows and columns the choices name, and how they were read then. */
  #madeFor: { readonly source: BatchSource; readonly readings: BatchChoices['readings'] } | null =
    null;

  readonly #template = $derived(readTemplate(this.templateText));

  /** The error in the custom request; `null` when it has none. */
  get templateError(): TemplateIssue | null {
    return this.#template.kind === 'invalid' ? this.#template.error : null;
  }

  readingOf(file: number): ReadingChoices {
    return this.readings[file] ?? {};
  }

  /** Adds choices about reading a file to those made before; `undefined` takes one back. */
  setReading(file: number, change: ReadingChange): void {
    const changed = Object.entries({ ...this.readingOf(file), ...change });
    const kept = changed.filter(([, value]) => value !== undefined);
    const readings = [...this.readings];
    readings[file] = kept.length === 0 ? undefined : Object.fromEntries(kept);
    this.readings = readings;
  }

  /** Lets a file be read as if nothing had been chosen. */
  resetReading(file: number): void {
    this.readings = this.readings.map((reading, at) => (at === file ? undefined : reading));
  }

  /** The files with the choices about reading them. */
  sourceOf(source: BatchSource, readings = this.readings): BatchSource {
    const { further, ...first } = source;
    const withReading = <File extends BatchFile>(file: File, at: number): File => {
      const reading = readings[at];
      return reading === undefined ? file : { ...file, reading };
    };
    return {
      ...withReading(first, 0),
      ...(further === undefined
        ? {}
        : { further: further.map((file, at) => withReading(file, at + 1)) }),
    };
  }

  /** What is done with a row that duplicates another. */
  duplicatesFor(row: number): Duplicates {
    return this.duplicateRows[String(row)] ?? this.duplicates;
  }

  /** For this row alone. */
  setDuplicatesFor(row: number, choice: Duplicates): void {
    if (this.areAhead) return;
    const others = Object.entries(this.duplicateRows).filter(([other]) => other !== String(row));
    const own: typeof others = choice === this.duplicates ? [] : [[String(row), choice]];
    this.duplicateRows = Object.fromEntries([...others, ...own]);
  }

  /**
   * Drops choices that a plan no longer offers, for example because the other job was cancelled.
   * @returns whether there were any
   */
  dropOutdated(rows: BatchPlan['rows']): boolean {
    const chosen = Object.entries(this.duplicateRows);
    const kept = chosen.filter(([row, choice]) =>
      rows
        .find((planned) => planned.row === Number(row))
        ?.choices.some(({ duplicates }) => duplicates === choice),
    );
    if (kept.length === chosen.length) return false;
    this.duplicateRows = Object.fromEntries(kept);
    return true;
  }

  /** The last files whose rows were named; `null` if nothing was chosen about any. */
  get earlierSource(): BatchSource | null {
    return this.#madeFor === null || this.#namesNothing ? null : this.#madeFor.source;
  }

  /**
   * What has to be moved before the choices are about this version of the files, read as chosen;
   * `null` for nothing.
   */
  toMove(source: BatchSource): ChoicesToMove | null {
    const made = this.#madeFor;
    if (made === null || this.#namesNothing) return null;
    if (made.source === source && made.readings === this.readings) return null;
    const from = this.sourceOf(made.source, made.readings);
    const readings = made.source === source ? this.readings : this.#readingsIn(source, made.source);
    return { from, to: this.sourceOf(source, readings), options: this.options };
  }

  /** The choices about reading each file, which has another place once files join or are left out. */
  #readingsIn(source: BatchSource, before: BatchSource): BatchChoices['readings'] {
    const earlier = [before, ...(before.further ?? [])].map((file, at) => ({ ...file, at }));
    return [source, ...(source.further ?? [])].map(({ name, folder }) => {
      const place = earlier.findIndex((file) => file.name === name && file.folder === folder);
      const [found] = place === -1 ? [] : earlier.splice(place, 1);
      return found === undefined ? undefined : this.readings[found.at];
    });
  }

  /** From now on, rows and columns are named as in this version of the files. */
  moveTo(source: BatchSource, moved: MovedChoices | null): void {
    if (moved?.kind === 'moved') {
      this.areAhead = true;
      this.columns = moved.options.columns ?? {};
      this.duplicateRows = moved.options.duplicateRows ?? {};
      this.readings = moved.readings.map((each) =>
        Object.values(each).every((choice) => choice === undefined) ? undefined : each,
      );
      this.repairs.move(moved.options);
    }
    this.#madeFor = { source, readings: this.readings };
  }

  get #namesNothing(): boolean {
    return this.isEmpty && !this.repairs.canUndo;
  }

  /** Forgets what was chosen for the fields and the queue of another service. */
  forgetService(): void {
    this.columns = {};
    this.templateText = null;
    this.setDuplicatesForAll('reuse');
  }

  /** Whether anything would be lost with these choices. */
  get isEmpty(): boolean {
    const hasOther =
      this.duplicates !== 'reuse' ||
      this.templateText !== null ||
      Object.keys(this.duplicateRows).length > 0 ||
      Object.keys(this.columns).length > 0 ||
      this.readings.some((each) => each !== undefined);
    return !hasOther && this.repairs.isEmpty;
  }

  /** For every row. Clears the choices for single rows. */
  setDuplicatesForAll(choice: Duplicates): void {
    this.duplicates = choice;
    this.duplicateRows = {};
  }

  /** The choices that are remembered of a batch with one file, in the form of `UsedBefore`. */
  get reusable(): UsedBefore['options'] {
    // Rows that make no video in one file, or make one, are other rows in the next.
    const { skipRows: _skipped, keepRows: _kept, ...reading } = this.readingOf(0);
    return { ...this.options, ...(Object.keys(reading).length === 0 ? {} : { reading }) };
  }

  /** Makes the choices of an earlier file; those that it does not have stay. */
  reuse({ folder, nameTemplate, onCollision, ...used }: UsedBefore['options']): void {
    this.folder = folder ?? this.folder;
    this.nameTemplate = nameTemplate ?? this.nameTemplate;
    this.onCollision = onCollision ?? this.onCollision;
    this.duplicates = used.duplicates ?? this.duplicates;
    this.columns = used.columns ?? this.columns;
    if (used.template) this.templateText = JSON.stringify(used.template.body, null, 2);
    if (used.reading) this.setReading(0, used.reading);
  }

  get options(): BatchOptions {
    const folder = this.folder?.trim() ?? '';
    const nameTemplate = this.nameTemplate?.trim() ?? '';
    return {
      ...(folder === '' ? {} : { folder }),
      ...(nameTemplate === '' ? {} : { nameTemplate }),
      ...(this.onCollision === null ? {} : { onCollision: this.onCollision }),
      ...(this.duplicates === 'reuse' ? {} : { duplicates: this.duplicates }),
      ...(Object.keys(this.duplicateRows).length === 0
        ? {}
        : { duplicateRows: { ...this.duplicateRows } }),
      ...(Object.keys(this.columns).length === 0 ? {} : { columns: { ...this.columns } }),
      ...this.repairs.options,
      ...(this.#template.kind === 'own' ? { template: { body: this.#template.body } } : {}),
    };
  }
}

type ReadTemplate =
  | { readonly kind: 'none' }
  | { readonly kind: 'own'; readonly body: OwnTemplate['body'] }
  | { readonly kind: 'invalid'; readonly error: TemplateIssue };

function readTemplate(text: string | null): ReadTemplate {
  if (text === null) return { kind: 'none' };
  try {
    const body = parseTemplate(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return { kind: 'own', body: body as OwnTemplate['body'] };
    }
    return { kind: 'invalid', error: { line: null, column: null } };
  } catch (error) {
    return { kind: 'invalid', error: positionOf(error, text) };
  }
}

/** Where the parser stopped. Browsers name a line and a column, or a position in characters. */
function positionOf(error: unknown, text: string): TemplateIssue {
  const message = error instanceof Error ? error.message : '';
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) {
    return { line: Number(line), column: Number(column) };
  }
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const read = position === undefined ? text.trimEnd() : text.slice(0, Number(position));
  const lines = read.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
