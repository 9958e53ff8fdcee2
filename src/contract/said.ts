import { z } from 'zod';

// Apart from `told.ts`, so that a page can say what it was told without a library that checks it.

/** A sentence by its name, and what stands in its gaps. A newer Spool may know names we do not. */
export const saidSchema = z.object({
  sentence: z.string().max(100),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

export type Said = z.infer<typeof saidSchema>;

/** Something told to a person: in English, and as sentences that a page says in its language. */
export const toldSchema = z.object({
  message: z.string(),
  /** The sentences that `message` is made of; left out where no language but English has them. */
  says: z.array(saidSchema).optional(),
});

export type Told = z.infer<typeof toldSchema>;
