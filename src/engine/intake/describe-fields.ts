import type { BatchField } from '../../contract/batch.ts';
import { textOf } from './cell.ts';
import type { Column } from './column.ts';
import type { RequestTemplate } from './request-template.ts';

/**
 * What a row can say, for whoever fills one in.
 * @param sources from names of columns to those of the file that they are taken from
 */
export function describeFields(
  { columns }: RequestTemplate,
  sources: ReadonlyMap<string, string>,
): BatchField[] {
  return Object.entries(columns).map(([name, column]) => ({
    name,
    type: column.type,
    required: column.required ?? false,
    ...(column.default === undefined ? {} : { default: textOf(column.default) }),
    ...limitsOf(column),
    from: sources.get(name) ?? null,
  }));
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
      return { options: column.options.map(String) };
    case 'list':
      return pick({ maxLength: column.maxLength, maxItems: column.maxItems });
  }
}

/** A limit that a column does not have is not there, rather than undefined. */
function pick(limits: Readonly<Record<string, number | undefined>>): Partial<BatchField> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
