import { z } from 'zod';
import { instantSchema } from './job.ts';
import { issueOf, userMessage } from './user-message.ts';

/** One day of a quota cycle. */
export const quotaDaySchema = z.object({
  /** `YYYY-MM-DD` in the requested zone. */
  date: z.iso.date(),
  /** Start of the day or of the cycle, whichever is later. */
  from: instantSchema,
  /** Videos charged for requests of this day, less those returned since. */
  charged: z.int().nonnegative(),
  /** Reserved for requests of this day whose outcome is open. */
  held: z.int().nonnegative(),
});

/** What the present quota cycle was spent on, day by day, for a burn-down chart. */
export const quotaDaysSchema = z.object({
  cycle: z.object({ start: instantSchema, end: instantSchema }),
  limit: z.int().nonnegative(),
  /** From the cycle's first day to today, oldest first, without gaps. */
  days: z.array(quotaDaySchema),
  /** The user's corrections of the used count, oldest first. */
  corrections: z.array(
    z.object({
      at: instantSchema,
      used: z.int().nonnegative(),
      /** The change of the count; negative when less was used than counted. */
      difference: z.int(),
    }),
  ),
  /** When the service reported that nothing is left; `null` if not in this cycle. */
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
    issueOf(userMessage('zone-unknown')),
  );
