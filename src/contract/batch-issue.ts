/** What is wrong, or likely wrong, with a batch that was read. */
import { z } from 'zod';
import { MAX_ISSUE_CELL } from './batch-limits.ts';
import { failureSchema } from './failure.ts';

/** Issues with the same `kind`, `column` and `cell` can be shown, and fixed, as one. */
export const batchIssueSchema = failureSchema.extend({
  /** A batch with errors is not added, unless their rows are left out. */
  severity: z.enum(['error', 'warning']),
  /** The name of the message, without its place: `cell-not-number`. */
  kind: z.string().max(100),
  /** The cell's text, cut after {@link MAX_ISSUE_CELL} characters. */
  cell: z.string().max(MAX_ISSUE_CELL).optional(),
  /** What the cell should probably contain instead; the row has no such issue then. */
  fix: z.object({ value: z.string() }).optional(),
});

export type BatchIssue = z.infer<typeof batchIssueSchema>;
