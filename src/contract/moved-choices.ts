/** Choices about rows of a batch's files, after these were saved again or are read in another way. */
import { z } from 'zod';
import { batchOptionsSchema, batchSourceSchema } from './batch.ts';
import { failureSchema } from './failure.ts';
import { readingChoicesSchema } from './table-reading.ts';

/** The options that name rows or columns of the files. */
const movedOptionsSchema = batchOptionsSchema.pick({
  columns: true,
  duplicateRows: true,
  edits: true,
  leaveOut: true,
});

export const choicesToMoveSchema = z.object({
  /** The files that the choices were made for, and how they were read. */
  from: batchSourceSchema,
  /** As they are now and are to be read now; files of other names are other files. */
  to: batchSourceSchema,
  /** Name rows and columns of `from`. */
  options: batchOptionsSchema,
});

export type ChoicesToMove = z.infer<typeof choicesToMoveSchema>;

/** A choice about a row or column that is not found again, or is equal to others. */
export const lostChoiceSchema = z.object({
  choice: z.enum(['edit', 'left-out', 'duplicate', 'header', 'skipped', 'kept', 'column']),
  /** The file, if there are several. */
  file: z.string().nullable(),
  /** The row's number in the earlier version of its file; `null` for `column`. */
  row: z.int().positive().nullable(),
  /** The first text of the row; of `column`, the field that it was chosen for. */
  name: z.string(),
  /** The file's name of the column; only of `edit` and `column`. */
  column: z.string().optional(),
  /** What the user had typed; only of `edit`. */
  text: z.string().optional(),
});

export type LostChoice = z.infer<typeof lostChoiceSchema>;

export const movedChoicesSchema = z.discriminatedUnion('kind', [
  /** Every row and column is where it was, so that the choices are right as they are. */
  z.object({ kind: z.literal('same') }),
  z.object({
    kind: z.literal('moved'),
    options: movedOptionsSchema,
    /** Of each file of `to`, in order. */
    readings: z.array(readingChoicesSchema),
    lost: z.array(lostChoiceSchema),
  }),
  /** A file of `to` has no rows now, so that none is found again. */
  z.object({ kind: z.literal('unreadable'), failure: failureSchema }),
]);

export type MovedChoices = z.infer<typeof movedChoicesSchema>;
