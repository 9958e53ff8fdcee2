import { z } from 'zod';
import { failureSchema } from './failure.ts';

/** Which process works the queue that a page shows. */
export const workerSchema = z.discriminatedUnion('kind', [
  /** The one that answers the page. */
  z.object({ kind: z.literal('here') }),
  /** Another one, such as a command in a terminal. When it ends, the one that answers goes on. */
  z.object({
    kind: z.literal('elsewhere'),
    pid: z.int().positive(),
    /** Not while it is stopped or hangs: it has the queue, and nobody else can do anything. */
    answers: z.boolean(),
  }),
  /** None that answers: it just begins, or has ended. With a failure it is tried again and again. */
  z.object({ kind: z.literal('none'), failure: failureSchema.nullable() }),
]);

export type Worker = z.infer<typeof workerSchema>;
