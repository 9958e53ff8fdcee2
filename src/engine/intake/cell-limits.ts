/** Limits of a column that depend on a row's other values, such as the sizes of a model. */
import { z } from 'zod';
import { cellConditionSchema, type CellCondition } from '../../contract/service-profile.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { CellValue } from './cell.ts';
import { columnNameSchema } from './column.ts';

/**
 * In rows that fulfil all conditions, `column` has one of the `options`, or a number of at most
 * `max`, or no value; if it is `required`, it has a value.
 */
export const cellLimitSchema = z.strictObject({
  when: z.array(cellConditionSchema).min(1).max(10),
  column: columnNameSchema,
  options: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(100)
    .optional(),
  max: z.number().optional(),
  required: z.boolean().optional(),
});

export type CellLimit = z.infer<typeof cellLimitSchema>;

/** Whether a value fulfils a condition; `null` or `undefined` for none. */
export function fulfils(condition: CellCondition, value: CellValue | null | undefined): boolean {
  const isEmpty = value === undefined || value === null;
  if ('isEmpty' in condition) return condition.isEmpty === isEmpty;
  return !isEmpty && condition.is.some((each) => String(each) === String(value));
}

/**
 * The column that exceeds this limit, and how; `null` if none does.
 * @param headerOf the file's name for a column
 */
export function limitIssue(
  { when, column, options, max = Infinity, required = false }: CellLimit,
  values: ReadonlyMap<string, CellValue>,
  headerOf: (column: string) => string,
): UserMessage | null {
  if (!when.every((condition) => fulfils(condition, values.get(condition.column)))) return null;
  const value = values.get(column);
  const given = when
    .flatMap((condition) => {
      const of = values.get(condition.column);
      return of === undefined ? [] : [`${headerOf(condition.column)} ${String(of)}`];
    })
    .join(', ');
  const missing = when
    .flatMap((condition) => (values.has(condition.column) ? [] : [headerOf(condition.column)]))
    .join(', ');
  if (value === undefined) {
    if (!required) return null;
    return given === ''
      ? userMessage('cell-needed-without', { missing })
      : userMessage('cell-needed-with', { given });
  }
  if (typeof value === 'number' && value > max)
    return userMessage('cell-above-with', { text: String(value), given, max });
  if (options === undefined || options.some((each) => String(each) === String(value))) return null;
  const what = { text: String(value), given, options: options.join(', ') };
  return missing === ''
    ? userMessage('cell-not-with', what)
    : userMessage('cell-not-with-without', { ...what, missing });
}
