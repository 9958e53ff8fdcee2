import { z } from 'zod';
import { instantSchema, jobStateSchema } from './job.ts';

/** What can happen, in the words that a list is filtered by. */
export const ACTIVITY_KINDS = [
  /** A video came into the queue. */
  'added',
  /** It was set aside, put back or queued again. */
  'arranged',
  /** It was withdrawn, or let go after it had been sent. */
  'withdrawn',
  /** The service accepted it, which costs one unit of quota. */
  'sent',
  /** The service is at work on it, or has finished it. */
  'rendering',
  'saved',
  /** Its file was found to be gone or damaged. */
  'missing',
  'failed',
  /** Nobody knows whether the service accepted it. */
  'uncertain',
  /** The user corrected how many videos of the cycle are used. */
  'quota-corrected',
  /** The service said that the quota is used up. */
  'quota-refused',
] as const;

export const activityKindSchema = z.enum(ACTIVITY_KINDS);

export type ActivityKind = z.infer<typeof activityKindSchema>;

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
    })
    .nullable(),
  /** Why, in a creator's words. */
  note: z.string().nullable(),
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

export const activityExportSchema = activityFilterSchema.extend({
  /** `events`: everything that happened. `quota`: one line a unit of quota, and what it bought. */
  what: z.enum(['events', 'quota']).default('events'),
  /** CSV is safe to open in a spreadsheet: no cell of it is a formula. */
  format: z.enum(['csv', 'json']).default('csv'),
});

export type ActivityExport = z.infer<typeof activityExportSchema>;

/** A piece of an exported file; the pieces in their order are the file. */
export const exportPieceSchema = z.object({ text: z.string() });

export type ExportPiece = z.infer<typeof exportPieceSchema>;
