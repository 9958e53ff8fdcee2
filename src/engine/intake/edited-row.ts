/** Changes values of a row that is stored, or its template, and checks them as those of a file. */
import type { RowEdit } from '../../contract/job.ts';
import type { Failure } from '../../contract/failure.ts';
import { joinMessages, userMessage } from '../../contract/user-message.ts';
import type { RawCell } from './cell.ts';
import { withEveryColumn } from './every-column.ts';
import { ownTemplate } from './own-template.ts';
import type { Records } from './records.ts';
import { requestTemplateSchema, type RequestTemplate } from './request-template.ts';
import { checkCells, checkLimits, type RowValues, type ValueIssue } from './row-values.ts';

/** A row as it is stored: what it says, and how that becomes a request. */
export interface StoredRow {
  readonly template: RequestTemplate;
  readonly values: RowValues;
}

/** Parses a row of the database. */
export function storedRow({
  template,
  values,
}: {
  readonly template: string;
  readonly values: RowValues;
}): StoredRow {
  return { template: requestTemplateSchema.parse(JSON.parse(template)), values };
}

export type EditReading =
  | ({ readonly kind: 'row' } & StoredRow)
  | { readonly kind: 'invalid'; readonly error: Failure };

/**
 * Changes a row. Values that are not named stay as they are. A column that neither the template nor
 * the row has is an error.
 * @param profile the columns of a template that the user changes, besides those of the row's file
 */
export function editRow(
  row: StoredRow,
  { values = {}, template: body }: RowEdit,
  profile: RequestTemplate,
): EditReading {
  const made = body === undefined ? { template: row.template } : templateOf(row, body, profile);
  if ('error' in made) return { kind: 'invalid', error: made.error };
  const { template } = made;
  const known = new Set([...Object.keys(template.columns), ...row.values.map(([name]) => name)]);
  const unknown = Object.keys(values).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const what = userMessage('field-unknown', { name: unknown });
    return { kind: 'invalid', error: { code: 'value-invalid', ...what, column: unknown } };
  }
  const changed = checkCells(template, Object.entries(values));
  const edited = withValues(row.values, changed.values);
  const errors =
    changed.errors.length > 0
      ? changed.errors
      : checkLimits(template, edited, (name) => labelOf(template, name));
  const [error] = errors;
  return error === undefined
    ? { kind: 'row', template, values: edited }
    : { kind: 'invalid', error: failureOf(template, error) };
}

/** Replaces values in their place; those of other columns come last. */
function withValues(row: RowValues, changed: RowValues): RowValues {
  const left = new Map(changed);
  const kept = row.map(([name, value]) => {
    const change = left.get(name);
    left.delete(name);
    return [name, change ?? value] as const;
  });
  return [...kept, ...left];
}

/** The same as for a file with this row: its columns, and those of the profile. */
function templateOf(
  { template, values }: StoredRow,
  body: NonNullable<RowEdit['template']>,
  profile: RequestTemplate,
): { readonly template: RequestTemplate } | { readonly error: Failure } {
  const records = recordsOf(values);
  const made = ownTemplate({ body, title: template.title }, records, profile);
  const [error] = made.errors;
  return error === undefined ? withEveryColumn(made.template, records) : { error };
}

/** The row as if it were the only one of a file. */
function recordsOf(values: RowValues): Records {
  const cells = values.map(([name, value]): [string, RawCell] => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  return {
    unit: 'Row',
    columns: values.map(([name]) => name),
    repeated: new Map(),
    rows: [{ row: 1, cells: Object.fromEntries(cells) }],
    damaged: [],
    errors: [],
    reading: null,
  };
}

function failureOf(template: RequestTemplate, { column, what }: ValueIssue): Failure {
  const field = userMessage('at-field', { field: labelOf(template, column) });
  return { code: 'value-invalid', ...joinMessages(field, what), column };
}

function labelOf({ columns }: RequestTemplate, name: string): string {
  return (Object.hasOwn(columns, name) ? columns[name]?.label?.en : undefined) ?? name;
}
