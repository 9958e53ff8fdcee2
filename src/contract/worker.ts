import { z } from 'zod';
import { failureSchema } from './failure.ts';

/** Which process runs the queue that a page shows. */
export const workerSchema = z.discriminatedUnion('kind', [
  /** The process that answers the page. */
  z.object({ kind: z.literal('here') }),
  /**
   * Another process, such as a command in a terminal. When it ends, the page's process takes over.
   */
  z.object({
    kind: z.literal('elsewhere'),
    pid: z.int().positive(),
    /**
     * False while it is stopped or hangs: it still holds the queue, and no other process can run it.
     */
    answers: z.boolean(),
  }),
  /** No process: it is starting, or has ended. With a failure, opening is retried repeatedly. */
  z.object({ kind: z.literal('none'), failure: failureSchema.nullable() }),
]);

export type Worker = z.infer<typeof workerSchema>;
