/** What can be undone: the steps of a service, and the result of undoing one. */
import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { UNDO_COMMANDS } from './undo-words.ts';

/** One command of the user, on one or many jobs. */
export const undoStepSchema = z.object({
  id: z.string(),
  command: z.enum(UNDO_COMMANDS),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  /** How many jobs it changed. */
  jobs: z.int().nonnegative(),
  /** `null` while it can be undone. */
  undoneAt: z.number().nullable(),
});

export type UndoStep = Readonly<z.infer<typeof undoStepSchema>>;

export const undoneSchema = z.object({
  command: z.enum(UNDO_COMMANDS),
  /** How many jobs are again as they were. */
  changed: z.int().nonnegative(),
  /** The other jobs of the step, each with the reason. */
  refused: z.array(z.object({ id: z.string(), failure: failureSchema })),
});

export type Undone = Readonly<z.infer<typeof undoneSchema>>;
