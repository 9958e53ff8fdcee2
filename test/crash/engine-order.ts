import { z } from 'zod';
import { serviceTraitsSchema } from '../rigs/remembering-service.ts';

/** The instructions for an engine in a separate process (`engine-process.ts`). */
export const engineOrderSchema = z.object({
  folder: z.string(),
  videos: z.string(),
  url: z.string(),
  ca: z.string(),
  /** When its first run began, in milliseconds since 1970. */
  began: z.number(),
  epoch: z.number(),
  speed: z.number(),
  seed: z.number(),
  /** What the service can report about requests; `null` for the documented service. */
  traits: serviceTraitsSchema.nullable(),
  batches: z.array(z.object({ name: z.string(), content: z.string() })),
  /** For all files that are saved once the batches are added; `null` for no renaming. */
  nameTemplate: z.string().nullable(),
  /** At which change of its disk it ends; `null` for none. */
  endAt: z
    .object({
      /** Counted from 1. */
      nth: z.int(),
      /** `change`: includes changes of names. */
      of: z.enum(['commit', 'change']),
      when: z.enum(['before', 'after']),
      /** `stop`: it is stopped at this point, and killed later. */
      how: z.enum(['kill', 'stop']),
    })
    .nullable(),
});

export type EngineOrder = z.infer<typeof engineOrderSchema>;

/** What the user of that engine sees. */
export const engineEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('added'), batch: z.string() }),
  z.object({ kind: z.literal('saved'), title: z.string(), path: z.string() }),
  z.object({ kind: z.literal('renamed'), nameTemplate: z.string(), titles: z.array(z.string()) }),
  z.object({ kind: z.literal('stopped') }),
]);

export type EngineEvent = z.infer<typeof engineEventSchema>;
