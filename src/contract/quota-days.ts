import { z } from 'zod';
import { instantSchema } from './job.ts';
import { faultOf, userMessage } from './user-message.ts';

/** One day of a quota cycle. */
export const quotaDaySchema = z.object({
  /** `YYYY-MM-DD` in the zone that was asked for. */
  date: z.iso.date(),
  /** When it begins, or the cycle does, whichever is later. */
  from: instantSchema,
  /** Videos that were charged for requests of this day, less those given back since. */
  charged: z.int().nonnegative(),
  /** Set aside for requests of this day whose outcome is open. */
  held: z.int().nonnegative(),
});

/** What the present quota cycle was spent on, day by day, for a burn-down chart. */
export const quotaDaysSchema = z.object({
  cycle: z.object({ start: instantSchema, end: instantSchema }),
  limit: z.int().nonnegative(),
  /** From the cycle's first day to today, oldest first, without gaps. */
  days: z.array(quotaDaySchema),
  /** The user's word on what was used, here and elsewhere, oldest first. */
  corrections: z.array(
    z.object({
      at: instantSchema,
      used: z.int().nonnegative(),
      /** By how much it changed the count; negative when less was used than was counted. */
      difference: z.int(),
    }),
  ),
  /** When the service said that nothing is left; `null` when it has not, in this cycle. */
  refusedAt: instantSchema.nullable(),
});

export type QuotaDays = z.infer<typeof quotaDaysSchema>;

/** An IANA name of a time zone that this computer knows, such as `Europe/Berlin`. */
export const zoneSchema = z
  .string()
  .max(100)
  .refine(
    (zone) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
      } catch {
        return false;
      }
    },
    faultOf(userMessage('zone-unknown')),
  );
