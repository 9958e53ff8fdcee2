import type { BatchField } from '../../contract/batch.ts';
import type { FieldText } from '../../contract/field-text.ts';
import { textOf } from './cell.ts';
import type { Column } from './column.ts';
import type { RequestTemplate } from './request-template.ts';

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
    name,
    ...(column.label === undefined ? {} : { label: column.label }),
    ...(column.description === undefined ? {} : { description: column.description }),
    type: column.type,
    required: column.required ?? false,
    ...(column.default === undefined ? {} : { default: textOf(column.default) }),
    ...limitsOf(column),
    from: sources.get(name) ?? null,
  }));
}

/** A value that is one placeholder and nothing else. */
const WHOLE = /^\{\{([^{}]+)\}\}$/;

/** Labels of a request's properties: the template's, or the column's if the value is one column. */
export function requestLabels({
  body,
  columns,
  labels = {},
}: RequestTemplate): Record<string, FieldText> {
  const ofColumns = Object.entries(body).flatMap(([property, value]) => {
    const name = typeof value === 'string' ? WHOLE.exec(value.trim())?.[1] : undefined;
    const label = columns[name?.trim() ?? '']?.label;
    return label === undefined ? [] : [[property, label] as const];
  });
  return { ...Object.fromEntries(ofColumns), ...labels };
}

function limitsOf(column: Column): Partial<BatchField> {
  switch (column.type) {
    case 'text':
      return pick({ maxLength: column.maxLength });
    case 'number':
      return pick({ min: column.min, max: column.max });
    case 'colour':
      return {};
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
function pick(limits: Readonly<Record<string, number | undefined>>): Partial<BatchField> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
