import { z } from 'zod';

/** The queue's videos for a service other than the one it is open for. */
export const otherServiceSchema = z.object({
  origin: z.string(),
  videos: z.int().nonnegative(),
  /** Those that continue automatically once the queue is open for that service. */
  active: z.int().nonnegative(),
});

export type OtherService = z.infer<typeof otherServiceSchema>;
