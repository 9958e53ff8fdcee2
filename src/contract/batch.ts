import { z } from 'zod';
import { MAX_BATCH_BYTES, MAX_BATCH_FILES } from './batch-limits.ts';
import { failureSchema } from './failure.ts';
import { fieldTextSchema } from './field-text.ts';
import { forecastSchema, instantSchema, waitSchema } from './job.ts';
import { jsonSchema } from './json.ts';
import { JOB_STATES } from './job-states.ts';
import { faultOf, userMessage } from './user-message.ts';

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
  /**
   * When the last of its videos will be saved; `null` when that is unknown, or nothing is under
   * way.
   */
  savedBy: instantSchema.nullable(),
  /** The wait that makes `savedBy` unknown, the longest of several; `null` when there is none. */
  wait: waitSchema.nullable(),
});

export type Batch = z.infer<typeof batchSchema>;

/** A file or pasted text that holds rows of a batch. */
export const batchFileSchema = z.object({
  /** The file's name, for the batch's name and to tell formats apart. */
  name: z.string().min(1).max(255),
  content: z.string().max(MAX_BATCH_BYTES),
});

export type BatchFile = z.infer<typeof batchFileSchema>;

/** The file that holds the rows of a batch, or several. */
export const batchSourceSchema = batchFileSchema
  .extend({
    /**
     * Files whose rows follow, in their order. The limits of a batch hold for all of them together.
     */
    further: z
      .array(batchFileSchema)
      .max(MAX_BATCH_FILES - 1)
      .optional(),
  })
  .refine(
    ({ content, further = [] }) =>
      further.reduce((sum, file) => sum + file.content.length, content.length) <= MAX_BATCH_BYTES,
    faultOf(userMessage('files-too-large')),
  );

export type BatchSource = z.infer<typeof batchSourceSchema>;

/**
 * From the names of `BatchPlan.fields` to columns of the file: those that are named take their
 * values from there, or (`null`) from nowhere. The others are matched by their headers.
 */
export const columnChoiceSchema = z.record(
  z.string().min(1).max(100),
  z.string().max(1000).nullable(),
);

export type ColumnChoice = z.infer<typeof columnChoiceSchema>;

/**
 * A request that the user wrote, in place of the profile's. A string that is `{{column}}`
 * becomes that column's value, `some {{column}} text` becomes text; what a row has no value for is
 * left out.
 */
export const ownTemplateSchema = z.object({
  body: z.record(z.string(), jsonSchema),
  /** The column that names a video to the user; the profile's when left out. */
  title: z.string().min(1).max(100).optional(),
});

export type OwnTemplate = z.infer<typeof ownTemplateSchema>;

/**
 * What becomes of rows that ask for exactly what an earlier job, or an earlier row of the file,
 * asks for. `reuse` fetches what was made, leaves alone what this batch has and makes the rest;
 * `make` makes them all anew, but for those this batch is making already; `leave-out` adds none of
 * them.
 */
export const duplicatesSchema = z.enum(['reuse', 'make', 'leave-out']);

export type Duplicates = z.infer<typeof duplicatesSchema>;

/**
 * The same for single rows, by their numbers, before what holds for the whole batch. A row that is
 * like no other is made whatever stands here.
 */
export const duplicateRowsSchema = z.record(z.string().regex(/^[1-9]\d{0,8}$/), duplicatesSchema);

export type DuplicateRows = z.infer<typeof duplicateRowsSchema>;

export const batchOptionsSchema = z.object({
  /** Absolute path; the engine's default folder when left out. */
  folder: z.string().min(1).optional(),
  nameTemplate: z.string().min(1).max(500).optional(),
  onCollision: collisionSchema.optional(),
  columns: columnChoiceSchema.optional(),
  template: ownTemplateSchema.optional(),
  /** `reuse` when left out. */
  duplicates: duplicatesSchema.optional(),
  duplicateRows: duplicateRowsSchema.optional(),
  /** Adds the rows as drafts, which are not sent until `jobs.resume` confirms them. */
  asDraft: z.boolean().optional(),
});

export type BatchOptions = z.infer<typeof batchOptionsSchema>;

/**
 * What a row's request is byte for byte the same as: an earlier job's, or an earlier row's of the
 * file.
 */
export const likenessSchema = z.discriminatedUnion('of', [
  z.object({ of: z.literal('job'), batch: z.string(), state: z.enum(JOB_STATES) }),
  z.object({ of: z.literal('row'), row: z.int().positive() }),
]);

export type Likeness = z.infer<typeof likenessSchema>;

/**
 * What becomes of a row. `new` is submitted and costs one unit of quota; `saved` and `under-way`
 * are already in this batch; `fetched-again` was rendered before and costs a download only;
 * `skipped` is not made, because a file of that name is there and the batch says to skip those;
 * `failed-before` is in this batch and failed, and is made again only by `jobs.retry`; `left-out`
 * is like another, and the user says to leave it out.
 */
export const rowOutcomeSchema = z.enum([
  'new',
  'saved',
  'under-way',
  'fetched-again',
  'skipped',
  'failed-before',
  'left-out',
]);

export type RowOutcome = z.infer<typeof rowOutcomeSchema>;

/** What a choice for a row that is like another comes to. */
export const rowWaySchema = z.object({ duplicates: duplicatesSchema, outcome: rowOutcomeSchema });

export type RowWay = z.infer<typeof rowWaySchema>;

/** What would happen with one row if the batch were added now. */
export const plannedRowSchema = z.object({
  row: z.int().positive(),
  title: z.string(),
  /** The file's path inside the batch's folder. */
  fileName: z.string(),
  outcome: rowOutcomeSchema,
  like: likenessSchema.nullable(),
  /** For a row that is like another: what each choice comes to, before file names are settled. */
  ways: z.array(rowWaySchema),
  forecast: forecastSchema,
  /** What a row that would be sent would wait for; `null` for any other row. */
  wait: waitSchema.nullable(),
});

export type PlannedRow = z.infer<typeof plannedRowSchema>;

/** A row that has faults, by what it is found again in the file. */
export const faultyRowSchema = z.object({
  row: z.int().positive(),
  /** Its title or, where it has none, the first of its cells that says something; shortened. */
  name: z.string(),
});

export type FaultyRow = z.infer<typeof faultyRowSchema>;

/** Something that a row can say: a title, a duration. */
export const batchFieldSchema = z.object({
  name: z.string(),
  label: fieldTextSchema.optional(),
  description: fieldTextSchema.optional(),
  type: z.enum(['text', 'number', 'colour', 'choice', 'list']),
  required: z.boolean(),
  /** What is sent for an empty cell, as a cell would say it; nothing when left out. */
  default: z.string().optional(),
  /** Of a choice. */
  options: z.array(z.string()).optional(),
  /** Of a number. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** Characters, of a text or of each item of a list. */
  maxLength: z.int().positive().optional(),
  maxItems: z.int().positive().optional(),
  /** The file's column that it is taken from; `null` when from none. */
  from: z.string().nullable(),
});

export type BatchField = z.infer<typeof batchFieldSchema>;

/** One of the first rows, or one that was asked for, to see what becomes of it. */
export const sampleRowSchema = z.object({
  row: z.int().positive(),
  /** By the file's columns. */
  cells: z.record(z.string(), z.string()),
  /** What would be sent; `null` when the row, or the batch, has faults. */
  request: jsonSchema.nullable(),
});

export type SampleRow = z.infer<typeof sampleRowSchema>;

/** A file that a batch is read from, and which rows are its own. */
export const plannedFileSchema = z.object({
  name: z.string(),
  /** Where several files make a batch, a row's number is this and its number in the file. */
  rowsBefore: z.int().nonnegative(),
});

export type PlannedFile = z.infer<typeof plannedFileSchema>;

/** How the files of a batch would be named. */
export const plannedNamingSchema = z.object({
  folder: z.string(),
  nameTemplate: z.string(),
  onCollision: collisionSchema,
  /** What can stand in braces: the batch's columns, and what every row has. */
  placeholders: z.array(z.string()),
  /** What stands in braces in `nameTemplate` and is none of those; it comes to nothing. */
  unknown: z.array(z.string()),
});

/** A batch read and checked; nothing has been stored, sent or spent. */
export const batchPlanSchema = z.object({
  name: z.string(),
  /** In the order of their rows. */
  files: z.array(plannedFileSchema).min(1),
  /**
   * The file's columns in its order, under the names of `fields` where they are for one of those.
   */
  columns: z.array(z.string()),
  /** The same under the file's own names, which `BatchOptions.columns` chooses from. */
  fileColumns: z.array(z.string()),
  fields: z.array(batchFieldSchema),
  samples: z.array(sampleRowSchema),
  /** What requests are made of: the profile's, or the user's. */
  template: ownTemplateSchema,
  naming: plannedNamingSchema,
  rows: z.array(plannedRowSchema),
  /** Every fault found. A batch with faults cannot be added. */
  faults: z.array(failureSchema),
  /** One for each row that `faults` names and that says anything, in the order of the file. */
  faultyRows: z.array(faultyRowSchema),
  /** When the last video will be saved; `null` when that is unknown for one of them. */
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
  /** One a row that was not left out, in the order of the file. */
  jobIds: z.array(z.string()),
});

export type AddedBatch = z.infer<typeof addedBatchSchema>;
