import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { forecastSchema, instantSchema } from './job.ts';
import { JOB_STATES } from './job-states.ts';

export const jobCountsSchema = z.record(z.enum(JOB_STATES), z.int().nonnegative());

export type JobCounts = z.infer<typeof jobCountsSchema>;

/** What to do when the name a video should get is taken by a file that is not its own. */
export const collisionSchema = z.enum(['number', 'skip', 'replace']);

export type Collision = z.infer<typeof collisionSchema>;

export const batchSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Absolute path of the folder its files go to. */
  folder: z.string(),
  nameTemplate: z.string(),
  onCollision: collisionSchema,
  addedAt: instantSchema,
  counts: jobCountsSchema,
  /** When the last of its videos will be saved; `null` when unknown or not in this quota cycle. */
  savedBy: instantSchema.nullable(),
});

export type Batch = z.infer<typeof batchSchema>;

/** A file or pasted text that holds the rows of a batch. At most 16 MiB of text. */
export const batchSourceSchema = z.object({
  /** The file's name, for the batch's name and to tell formats apart. */
  name: z.string().min(1).max(255),
  content: z.string().max(16 * 1024 * 1024),
});

export type BatchSource = z.infer<typeof batchSourceSchema>;

export const batchOptionsSchema = z.object({
  /** Absolute path; the engine's default folder when left out. */
  folder: z.string().min(1).optional(),
  nameTemplate: z.string().min(1).max(500).optional(),
  onCollision: collisionSchema.optional(),
  /** Adds the rows as drafts, which are not sent until `jobs.resume` confirms them. */
  asDraft: z.boolean().optional(),
});

export type BatchOptions = z.infer<typeof batchOptionsSchema>;

/** What would happen with one row if the batch were added now. */
export const plannedRowSchema = z.object({
  row: z.int().positive(),
  title: z.string(),
  /** The file's path inside the batch's folder. */
  fileName: z.string(),
  /**
   * `new` is submitted and costs one unit of quota; `saved` and `under-way` are already in this
   * batch; `fetched-again` was rendered before and costs a download only; `skipped` is not made,
   * because a file of that name is there and the batch says to skip those; `failed-before` is in
   * this batch and failed, and is made again only by `jobs.retry`.
   */
  outcome: z.enum(['new', 'saved', 'under-way', 'fetched-again', 'skipped', 'failed-before']),
  forecast: forecastSchema,
});

export type PlannedRow = z.infer<typeof plannedRowSchema>;

/** A batch read and checked; nothing has been stored, sent or spent. */
export const batchPlanSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.array(plannedRowSchema),
  /** Every fault found. A batch with faults cannot be added. */
  faults: z.array(failureSchema),
  /** When the last video will be saved; `null` when some do not fit this quota cycle. */
  savedBy: instantSchema.nullable(),
  /** How many new videos this quota cycle has no room for. */
  notThisCycle: z.int().nonnegative(),
});

export type BatchPlan = z.infer<typeof batchPlanSchema>;

export const addedBatchSchema = z.object({
  batchId: z.string(),
  /** How many rows of each outcome the batch had. */
  submitted: z.int().nonnegative(),
  fetchedAgain: z.int().nonnegative(),
  alreadyThere: z.int().nonnegative(),
  /** One a row, in the order of the file. */
  jobIds: z.array(z.string()),
});

export type AddedBatch = z.infer<typeof addedBatchSchema>;
