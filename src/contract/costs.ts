import { z } from 'zod';
import { amountSchema } from './amount.ts';
import { COST_GROUPS } from './cost-groups.ts';
import { instantSchema } from './job.ts';
import { zoneSchema } from './quota-days.ts';

/** What videos cost. Videos whose render failed cost nothing and are not counted. */
export const spentSchema = z.object({
  /** Units of quota: videos that the service accepted, and did not return. */
  videos: z.int().nonnegative(),
  /**
   * By unit: what the service said, else what the profile's rule says (`estimated`). Empty where
   * the quota counts videos, and for videos whose cost is not known.
   */
  amounts: z.array(amountSchema.extend({ estimated: z.boolean() })),
});

export type SpentSum = z.infer<typeof spentSchema>;

export const costSumSchema = spentSchema.extend({
  /**
   * The first day of a week (a Monday) or month as `YYYY-MM-DD`, a batch's id, or a service's
   * origin.
   */
  key: z.string(),
  /** Of a batch; `null` otherwise. */
  name: z.string().nullable(),
});

export type CostSum = z.infer<typeof costSumSchema>;

export const costQuerySchema = z.object({
  by: z.enum(COST_GROUPS),
  /** Start of the period, inclusive; everything when left out. */
  from: instantSchema.optional(),
  /** End of the period, exclusive. */
  to: instantSchema.optional(),
  /** Of weeks and months; UTC when left out. */
  zone: zoneSchema.optional(),
});

/** The outcome of a batch. */
export const batchResultSchema = z.object({
  saved: z.int().nonnegative(),
  /** When its first request was accepted; `null` before that. */
  firstSentAt: instantSchema.nullable(),
  /** `null` before a video is saved. */
  lastSavedAt: instantSchema.nullable(),
  /** Of its files. */
  bytes: z.int().nonnegative(),
  cost: spentSchema,
});

export type BatchResult = z.infer<typeof batchResultSchema>;
