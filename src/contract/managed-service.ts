import { z } from 'zod';
import { jobCountsSchema } from './batch.ts';
import { keyLabelSchema } from './key-label.ts';
import { userMessageSchema } from './message-schema.ts';

/** A service of the queue, as it is listed. */
export const listedServiceSchema = z.object({
  origin: z.string(),
  isLocal: z.boolean(),
  /** The user's name for it; else its profile's, or its host. */
  name: z.string(),
  isShown: z.boolean(),
  /** Its videos that are not archived. */
  counts: jobCountsSchema,
});

export type ListedService = z.infer<typeof listedServiceSchema>;

/** The user's name for a service: like a key's label, it is shown, so it must not be a key. */
export const serviceNameSchema = keyLabelSchema;

/** What happens to the videos of a service that is removed; their files stay. */
export const removedRowsSchema = z.enum(['archive', 'remove']);

export type RemovedRows = z.infer<typeof removedRowsSchema>;

export const serviceRemovedSchema = z.object({
  /** Why the key may still be in the keychain; `null` if it is not. */
  keyTrouble: userMessageSchema.nullable(),
});

export type ServiceRemoved = z.infer<typeof serviceRemovedSchema>;
