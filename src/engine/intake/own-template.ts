import type { ColumnChoice, OwnTemplate } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessageOf } from '../../contract/message-schema.ts';
import { userMessage, joinMessages } from '../../contract/user-message.ts';
import { textOf } from './cell.ts';
import { columnNameSchema, type Column } from './column.ts';
import { foldHeader, spellings } from './match-columns.ts';
import type { Records } from './records.ts';
import {
  placeholdersIn,
  requestTemplateSchema,
  wholeValuesIn,
  type RequestTemplate,
} from './request-template.ts';

/** The template of a batch, and the columns that it was made for. */
export interface MadeTemplate {
  readonly template: RequestTemplate;
  readonly choice: ColumnChoice;
  /** Errors in the user's request; the template is the profile's then. */
  readonly errors: readonly Failure[];
}

/**
 * A template over a file's own columns, for a request that the user wrote. Columns of the profile
 * keep its settings, except that none is required: this request may do without them.
 */
export function ownTemplate(
  { body, title }: OwnTemplate,
  records: Records,
  profile: RequestTemplate,
): MadeTemplate {
  const columns = new Map<string, Column>();
  for (const [name, column] of Object.entries(profile.columns)) {
    columns.set(name, { ...column, required: false });
  }
  const known = spellings(profile.columns);
  const whole = new Set(wholeValuesIn(body));
  const choice = new Map<string, string>();
  for (const given of records.columns) {
    if (!columnNameSchema.safeParse(given).success) continue;
    const name = known.get(foldHeader(given));
    const column = name === undefined ? undefined : columns.get(name);
    if (name === undefined || column === undefined) {
      const isNumber = whole.has(given) && isNumeric(records, given);
      columns.set(given, isNumber ? { type: 'number' } : { type: 'text' });
    } else if (name !== given) {
      // The request may use the file's name or the profile's.
      columns.set(given, { ...column, aliases: [] });
      choice.set(name, given).set(given, given);
    }
  }
  for (const name of placeholdersIn(body)) {
    const [, base = '', type] = /^(.+):(text|number)$/.exec(name) ?? [];
    if (columns.has(name) || (!columns.has(base) && !records.columns.includes(base))) continue;
    columns.set(name, type === 'text' ? { type: 'text' } : { type: 'number', asWritten: true });
    const column = choice.get(base) ?? givenFor(base, records, known);
    if (column === undefined) continue;
    choice.set(name, column);
    // A column that is chosen for one field is not matched to others by its header.
    if (columns.has(base)) choice.set(base, column);
  }
  const made = requestTemplateSchema.safeParse({
    columns: Object.fromEntries(columns),
    title: title ?? profile.title,
    body,
    preset: profile.preset,
  });
  if (made.success) {
    return { template: made.data, choice: Object.fromEntries(choice), errors: [] };
  }
  const errors = made.error.issues.map((issue): Failure => ({
    code: 'template-invalid',
    ...joinMessages(
      userMessage('template-unfillable'),
      userMessageOf(issue) ?? userMessage('value-unfit'),
    ),
  }));
  return { template: profile, choice: {}, errors };
}

/** The file's column that fills a column of the template. */
function givenFor(
  name: string,
  records: Records,
  known: ReadonlyMap<string, string>,
): string | undefined {
  return (
    records.columns.find((given) => given === name) ??
    records.columns.find((given) => known.get(foldHeader(given)) === name)
  );
}

/**
 * Whether requests have a column's values as numbers: only if each is a number whose text is the
 * same when it is written again. So 19.90, 01067 and 1E5 stay texts, with all rows of their column.
 */
export function isNumeric({ rows }: Records, name: string): boolean {
  const texts = rows.map(({ cells }) => textOf(cells[name] ?? '').trim());
  const given = texts.filter((text) => text !== '');
  return given.length > 0 && given.every(isPlainNumber);
}

function isPlainNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text;
}
