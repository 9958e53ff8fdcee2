import type { BatchField } from '../../contract/batch.ts';
import { fieldTextSchema } from '../../contract/field-text.ts';
import type { Failure } from '../../contract/failure.ts';
import type { RowDetails } from '../../contract/job.ts';
import type { RowField } from '../../contract/row-field.ts';
import { cellText, textOf } from './cell.ts';
import type { Column } from './column.ts';
import type { StoredRow } from './edited-row.ts';
import { columnsAt } from './request-body.ts';
import type { RequestTemplate } from './request-template.ts';
import { completeValues } from './row-values.ts';

/**
 * The fields of a row, for forms.
 * @param sources maps names of columns to those of the file that they are taken from
 * @param order names of columns; an object would put names that are whole numbers first
 */
export function describeFields(
  { columns }: RequestTemplate,
  sources: ReadonlyMap<string, string>,
  order: readonly string[],
): BatchField[] {
  const places = new Map(order.map((name, place) => [name, place]));
  const placeOf = ([name]: readonly [string, Column]): number => places.get(name) ?? -1;
  const ordered = Object.entries(columns).sort((a, b) => placeOf(a) - placeOf(b));
  return ordered.map(([name, column]) => ({
    ...describeField(name, column),
    from: sources.get(name) ?? null,
  }));
}

/**
 * The template with the file's headers as labels, so that forms and errors of stored rows name a
 * column as the file does. A header that is the column's technical name, as in the form of a single
 * video, and those of translated columns do not replace the label.
 */
export function withHeaders(
  template: RequestTemplate,
  {
    fields,
    languages,
  }: { readonly fields: readonly BatchField[]; readonly languages: readonly string[] },
): RequestTemplate {
  if (languages.length > 0) return template;
  const headers = new Map(fields.map(({ name, from }) => [name, from]));
  const columns = Object.entries(template.columns).map(([name, column]): [string, Column] => {
    const header = headers.get(name) ?? name;
    const label = header === name ? undefined : fieldTextSchema.safeParse({ en: header }).data;
    return [name, label === undefined ? column : { ...column, label }];
  });
  return { ...template, columns: Object.fromEntries(columns) };
}

/**
 * A stored row as forms show it.
 * @param profile how rows that are added now become requests
 * @param failure the service's refusal, which may name parts of the request
 */
export function describeRow(
  { template, values }: StoredRow,
  profile: RequestTemplate,
  failure: Failure | null,
): RowDetails {
  const texts = values.flatMap(([name, value]) =>
    value === '' || !Object.hasOwn(template.columns, name)
      ? []
      : [[name, cellText(value)] as const],
  );
  const complete = completeValues(template, values);
  const named = (failure?.fields ?? []).flatMap(({ path, detail }) =>
    columnsAt(template.body, complete, path).map((field) => [field, detail] as const),
  );
  return {
    fields: Object.entries(template.columns).map(([name, column]) => describeField(name, column)),
    values: Object.fromEntries(texts),
    template: template.body,
    isOwnTemplate: JSON.stringify(template.body) !== JSON.stringify(profile.body),
    // Of several reasons for one column, the first: a Map keeps the last.
    refused: [...new Map(named.toReversed())]
      .toReversed()
      .map(([field, detail]) => ({ field, detail })),
  };
}

/** A column as forms show it. */
export function describeField(name: string, column: Column): RowField {
  return {
    name,
    ...(column.label === undefined ? {} : { label: column.label }),
    ...(column.description === undefined ? {} : { description: column.description }),
    type: column.type,
    required: column.required ?? false,
    ...(column.default === undefined ? {} : { default: textOf(column.default) }),
    ...limitsOf(column),
  };
}

function limitsOf(column: Column): Partial<RowField> {
  switch (column.type) {
    case 'text':
      return pick({ maxLength: column.maxLength });
    case 'number':
      return pick({ min: column.min, max: column.max });
    case 'colour':
      return {};
    case 'picture': {
      const { holds = 'picture', send, maxItems } = column;
      const isFile = holds === 'captions' || send !== undefined;
      return { ...(holds === 'brand' || !isFile ? {} : { holds }), ...pick({ maxItems }) };
    }
    case 'choice':
      return {
        options: column.options.map(String),
        ...(column.optionLabels === undefined ? {} : { optionLabels: column.optionLabels }),
      };
    case 'list':
      return pick({ maxLength: column.maxLength, maxItems: column.maxItems });
  }
}

/** Leaves out limits that are undefined. */
function pick(limits: Readonly<Record<string, number | undefined>>): Partial<RowField> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
