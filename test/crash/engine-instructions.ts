import { z } from 'zod';
import { serviceTraitsSchema } from '../rigs/remembering-service.ts';

/** The instructions for an engine in a separate process (`engine-process.ts`). */
export const engineInstructionsSchema = z.object({
  folder: z.string(),
  /** The folder of the witness of requests. */
  state: z.string(),
  videos: z.string(),
  url: z.string(),
  ca: z.string(),
  /** When its first run began, in milliseconds since 1970. */
  began: z.number(),
  epoch: z.number(),
  speed: z.number(),
  seed: z.number(),
  /** How the service can report about requests; `null` for the documented service. */
  traits: serviceTraitsSchema.nullable(),
  /** How the pictures of rows are sent; `null`: rows have none. */
  pictures: z.enum(['upload', 'part', 'data-url']).nullable(),
  batches: z.array(
    z.object({ name: z.string(), content: z.string(), folder: z.string().optional() }),
  ),
  /**
   * The new names of all files that are saved once the batches are added; `null`: none is renamed.
   */
  nameTemplate: z.string().nullable(),
  /** The change to its disk at which it ends; `null`: it is not ended. */
  endAt: z
    .object({
      /** Counted from 1. */
      nth: z.int(),
      /** `change`: also changes of files. */
      of: z.enum(['commit', 'sync', 'change']),
      when: z.enum(['before', 'after']),
      /** `stop`: it is stopped at this point, and killed later. */
      how: z.enum(['kill', 'stop']),
    })
    .nullable(),
});

export type EngineInstructions = z.infer<typeof engineInstructionsSchema>;

/** An event that the engine's user sees. */
export const engineEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('added'), batch: z.string() }),
  z.object({ kind: z.literal('saved'), title: z.string(), path: z.string() }),
  z.object({ kind: z.literal('renamed'), nameTemplate: z.string(), titles: z.array(z.string()) }),
  z.object({ kind: z.literal('stopped') }),
  /** It sends nothing until the user has checked the queue. */
  z.object({ kind: z.literal('blocked'), message: z.string() }),
]);

export type EngineEvent = z.infer<typeof engineEventSchema>;
