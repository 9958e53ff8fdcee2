/** What details list of a row: its fields with their values, in the order of the profile. */
import type { RowDetails } from '../../contract/job.ts';
import type { RowField } from '../../contract/row-field.ts';

/** Without empty ones, and without defaults that say how to show a file which the row does not have. */
export function rowFacts({ fields, values }: Pick<RowDetails, 'fields' | 'values'>): readonly {
  readonly field: RowField;
  readonly value: string;
}[] {
  const absent = fields.filter(({ name, type }) => type === 'picture' && !values[name]);
  return fields.flatMap((field) => {
    const isOfAbsent = absent.some(({ name }) => field.name.startsWith(`${name} `));
    const value = values[field.name] ?? (isOfAbsent ? '' : (field.default ?? ''));
    return value === '' ? [] : [{ field, value }];
  });
}
