import { z } from 'zod';
import { ACTIVITY_KINDS } from './activity-kinds.ts';
import { COST_GROUPS } from './cost-groups.ts';
import { instantSchema, jobEventSchema, jobFilterSchema, jobStateSchema } from './job.ts';
import { userMessageSchema } from './message-schema.ts';
import { zoneSchema } from './quota-days.ts';

export type { ActivityKind } from './activity-kinds.ts';

export const activityKindSchema = z.enum(ACTIVITY_KINDS);

/** Filters for past events. A filter left out does not narrow the result. */
export const activityFilterSchema = jobFilterSchema.pick({ batchId: true, search: true }).extend({
  kinds: z.array(activityKindSchema).max(ACTIVITY_KINDS.length).optional(),
  /** Start of the period, inclusive. */
  from: instantSchema.optional(),
  /** End of the period, exclusive. */
  to: instantSchema.optional(),
});

export type ActivityFilter = z.infer<typeof activityFilterSchema>;

/** One event. */
export const activityEntrySchema = z.object({
  /** An opaque identifier; the same entry always has the same one. */
  id: z.string(),
  at: instantSchema,
  kind: activityKindSchema,
  /** `null` for events of the quota. */
  job: z
    .object({
      id: z.string(),
      title: z.string(),
      batchId: z.string(),
      batchName: z.string(),
      /** `null` for a video that was added. */
      from: jobStateSchema.nullable(),
      to: jobStateSchema,
      event: jobEventSchema,
    })
    .nullable(),
  /** Why, in a creator's words. */
  note: userMessageSchema.nullable(),
  /** Units of quota charged by this event; negative when units were returned. */
  units: z.int(),
  /** With `quota-corrected`: the number of videos used in the cycle, as the user entered it. */
  used: z.int().nonnegative().nullable(),
});

export type ActivityEntry = z.infer<typeof activityEntrySchema>;

/** Newest first. */
export const activityPageSchema = z.object({
  entries: z.array(activityEntrySchema),
  /** Cursor for the next page; `null` when there are no more entries. */
  next: z.string().nullable(),
});

/** Filters for units of quota. A filter left out does not narrow the result. */
export const unitFilterSchema = activityFilterSchema.omit({ kinds: true });

export type UnitFilter = z.infer<typeof unitFilterSchema>;

/** One unit of quota that was charged, and the video it paid for. */
export const quotaUnitSchema = z.object({
  id: z.string(),
  /** When it was reserved for a request. */
  at: instantSchema,
  /** `refunded`: returned, since only successful generations count (service-api.md §4.1). */
  quota: z.enum(['held', 'charged', 'refunded']),
  job: z.object({ id: z.string(), title: z.string(), batchName: z.string() }),
  /**
   * The video's present state; `null` when the job has since been rendered again for another unit.
   */
  bought: z
    .object({
      state: jobStateSchema,
      bytes: z.int().nonnegative().nullable(),
      seconds: z.number().nonnegative().nullable(),
      savedAt: instantSchema.nullable(),
    })
    .nullable(),
});

export type QuotaUnit = z.infer<typeof quotaUnitSchema>;

/** Newest first. */
export const unitPageSchema = z.object({
  units: z.array(quotaUnitSchema),
  /** Cursor for the next page; `null` when there are no more units. */
  next: z.string().nullable(),
});

export type UnitPage = z.infer<typeof unitPageSchema>;

export const activityExportSchema = activityFilterSchema.extend({
  /**
   * `events`: all events. `quota`: one line per unit of quota, with the video it paid for. `costs`:
   * what videos have cost, summed by `by`; of the filters, the period alone applies.
   */
  what: z.enum(['events', 'quota', 'costs']).default('events'),
  /** By month when left out. */
  by: z.enum(COST_GROUPS).optional(),
  /** Of weeks and months; UTC when left out. */
  zone: zoneSchema.optional(),
  /** CSV is safe to open in a spreadsheet: no cell of it is a formula. */
  format: z.enum(['csv', 'json']).default('csv'),
});

export type ActivityExport = z.infer<typeof activityExportSchema>;

/** A chunk of an exported file; the chunks in order form the file. */
export const exportPieceSchema = z.object({ text: z.string() });
