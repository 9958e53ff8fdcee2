import { z } from 'zod';
import { ACTIVITY_KINDS } from './activity-kinds.ts';
import { instantSchema, jobEventSchema, jobStateSchema } from './job.ts';
import { userMessageSchema } from './message-schema.ts';

export type { ActivityKind } from './activity-kinds.ts';

export const activityKindSchema = z.enum(ACTIVITY_KINDS);

/** Which part of the past is asked for. What is left out does not narrow it. */
export const activityFilterSchema = z.object({
  kinds: z.array(activityKindSchema).max(ACTIVITY_KINDS.length).optional(),
  batchId: z.string().optional(),
  /** Looked for in titles, without regard to case. */
  search: z.string().max(200).optional(),
  /** The first moment that counts. */
  from: instantSchema.optional(),
  /** The first moment that does not count any more. */
  to: instantSchema.optional(),
});

export type ActivityFilter = z.infer<typeof activityFilterSchema>;

/** One thing that happened. */
export const activityEntrySchema = z.object({
  /** The same for the same entry, always; of no further meaning. */
  id: z.string(),
  at: instantSchema,
  kind: activityKindSchema,
  /** `null` for what happened to the quota. */
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
  /** Units of quota that this took; negative when it gave some back. */
  units: z.int(),
  /** With `quota-corrected`: how many videos of the cycle were used, as the user said. */
  used: z.int().nonnegative().nullable(),
});

export type ActivityEntry = z.infer<typeof activityEntrySchema>;

/** Newest first. */
export const activityPageSchema = z.object({
  entries: z.array(activityEntrySchema),
  /** To ask for the entries after these; `null` when there are none. */
  next: z.string().nullable(),
});

export type ActivityPage = z.infer<typeof activityPageSchema>;

/** Which units of quota are asked for. What is left out does not narrow it. */
export const unitFilterSchema = activityFilterSchema.omit({ kinds: true });

/** One unit of quota that was taken, and what it bought. */
export const quotaUnitSchema = z.object({
  id: z.string(),
  /** When it was set aside for a request. */
  at: instantSchema,
  /** `refunded`: given back, since only successful generations count (service-api.md §4.1). */
  quota: z.enum(['held', 'charged', 'refunded']),
  job: z.object({ id: z.string(), title: z.string(), batchName: z.string() }),
  /** The video as it is now; `null` when the job was made once more since, for another unit. */
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
  /** To ask for the units after these; `null` when there are none. */
  next: z.string().nullable(),
});

export type UnitPage = z.infer<typeof unitPageSchema>;

export const activityExportSchema = activityFilterSchema.extend({
  /** `events`: everything that happened. `quota`: one line a unit of quota, and what it bought. */
  what: z.enum(['events', 'quota']).default('events'),
  /** CSV is safe to open in a spreadsheet: no cell of it is a formula. */
  format: z.enum(['csv', 'json']).default('csv'),
});

export type ActivityExport = z.infer<typeof activityExportSchema>;

/** A piece of an exported file; the pieces in their order are the file. */
export const exportPieceSchema = z.object({ text: z.string() });
