/** The distinct values of one column of a batch, with their counts. */
import { z } from 'zod';
import { MAX_ISSUE_CELL } from './batch-limits.ts';

/** The most values that are listed. */
export const MAX_COLUMN_VALUES = 100;

export const columnValueSchema = z.object({
  /** As the file has it, trimmed, cut after {@link MAX_ISSUE_CELL} characters; `''` for no text. */
  text: z.string().max(MAX_ISSUE_CELL),
  /** In how many rows. */
  count: z.int().positive(),
  /** Their numbers in the batch, in order, which `BatchOptions.edits` refers to. */
  rows: z.array(z.int().positive()),
});

export const columnValuesSchema = z.object({
  /** The most frequent ones first, then in the order of the file. */
  values: z.array(columnValueSchema).max(MAX_COLUMN_VALUES),
  /** How many distinct values there are, including those that are not listed. */
  distinct: z.int().nonnegative(),
});

export type ColumnValues = z.infer<typeof columnValuesSchema>;
