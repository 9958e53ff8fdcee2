import { z } from 'zod';

/** What a service charges in. */
export const unitSchema = z.enum(['video', 'second', 'credit', 'money']);

/** An amount of it. */
export const amountSchema = z.object({
  amount: z.number().nonnegative(),
  unit: unitSchema,
  /** ISO 4217; only with `money`. */
  currency: z.string().nullable(),
});

export type Amount = z.infer<typeof amountSchema>;
