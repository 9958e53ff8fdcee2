import { z } from 'zod';
import { pictureReferenceSchema } from './thumbnail.ts';
import { COLLISIONS, DUPLICATES, ROW_KEY } from './batch-choices.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_FILES, MAX_BATCH_ROWS } from './batch-limits.ts';
import { batchIssueSchema } from './batch-issue.ts';
import { failureSchema } from './failure.ts';
import { forecastSchema, instantSchema, waitSchema } from './job.ts';
import { jsonSchema } from './json.ts';
import { JOB_STATES } from './job-states.ts';
import { rowFieldSchema } from './row-field.ts';
import { userMessageSchema } from './message-schema.ts';
import { issueOf, userMessage } from './user-message.ts';
import { readingChoicesSchema, tableReadingSchema } from './table-reading.ts';
import { balanceSchema, costEstimateSchema } from './service-cost.ts';
import { MAX_CELL_TEXT, MAX_NAME_TEMPLATE } from './text-limits.ts';

export const jobCountsSchema = z.record(z.enum(JOB_STATES), z.int().nonnegative());

export type JobCounts = z.infer<typeof jobCountsSchema>;

export const collisionSchema = z.enum(COLLISIONS);

export type Collision = z.infer<typeof collisionSchema>;

/** Eight of ten batches like this one are done between these moments. */
export const endRangeSchema = z.object({ from: instantSchema, to: instantSchema });

export type EndRange = z.infer<typeof endRangeSchema>;

export const batchSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Absolute path of the folder its files go to. */
  folder: z.string(),
  nameTemplate: z.string(),
  onCollision: collisionSchema,
  addedAt: instantSchema,
  counts: jobCountsSchema,
  /** When the last of its videos will be saved; `null` when that is unknown, or none is active. */
  savedBy: instantSchema.nullable(),
  /** How uncertain `savedBy` is; `null` when other things than renders decide it. */
  savedBetween: endRangeSchema.nullable(),
  /**
   * The wait that makes `savedBy` unknown, or until the quota has room for its last video; `null`
   * when there is none.
   */
  wait: waitSchema.nullable(),
  /** The table of its results, and why it could not be written last; `null` without one. */
  results: z
    .object({ file: z.string(), problem: userMessageSchema.nullable() })
    .nullable()
    .default(null),
});

export type Batch = z.infer<typeof batchSchema>;

/** How many videos of a batch have no file for one reason. */
export const notSavedSchema = z.object({
  state: z.enum(JOB_STATES),
  /** `null` where the state says why, as for a video that the user cancelled. */
  code: failureSchema.shape.code.nullable(),
  count: z.int().positive(),
  /** The most frequent failures of this code that differ in their text. */
  texts: z.array(z.object({ count: z.int().positive(), failure: failureSchema })).max(3),
});

export type NotSaved = z.infer<typeof notSavedSchema>;

/** A `Blob` or a `File`. Every runtime has them, but the types that they share do not declare them. */
export interface FileBytes {
  /** In bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

declare const Blob: new () => FileBytes;

/** A file or pasted text with rows of a batch. */
export const batchFileSchema = z.object({
  /** The file's name, which names the batch. Its format and encoding are found in its content. */
  name: z.string().min(1).max(255),
  /** A file's bytes as they are, or text that was pasted. */
  content: z.union([
    z.string().max(MAX_BATCH_BYTES),
    z.instanceof(Blob).refine(({ size }) => size <= MAX_BATCH_BYTES),
  ]),
  /** Absolute path of the folder of the file, which the pictures that it names are in. */
  folder: z.string().min(1).max(4096).optional(),
  /** How this file is read; takes precedence over `BatchOptions.reading`. */
  reading: readingChoicesSchema.optional(),
});

export type BatchFile = z.infer<typeof batchFileSchema>;

/** Bytes of a file, or UTF-16 code units of a text. */
export function sizeOf({ content }: BatchFile): number {
  return typeof content === 'string' ? content.length : content.size;
}

/** The file with the rows of a batch, or several files. */
export const batchSourceSchema = batchFileSchema
  .extend({
    /** Files whose rows follow, in order. The limits of a batch apply to all of them together. */
    further: z
      .array(batchFileSchema)
      .max(MAX_BATCH_FILES - 1)
      .optional(),
    /** Whether it is the form of one video: its folder has files of the row, and no table of brands. */
    isForm: z.boolean().optional(),
  })
  .refine(
    ({ further = [], ...first }) =>
      [first, ...further].reduce((sum, file) => sum + sizeOf(file), 0) <= MAX_BATCH_BYTES,
    issueOf(userMessage('files-too-large')),
  );

export type BatchSource = z.infer<typeof batchSourceSchema>;

/**
 * Maps names of `BatchPlan.fields` to columns of the file, or to `null` for no value. Fields left
 * out are matched by their headers.
 */
export const columnChoiceSchema = z.record(
  z.string().min(1).max(100),
  z.string().max(1000).nullable(),
);

export type ColumnChoice = z.infer<typeof columnChoiceSchema>;

/**
 * A request that the user wrote, instead of the profile's. A string that is exactly `{{column}}`
 * becomes that column's value, `some {{column}} text` becomes text; properties without a value in
 * the row are left out.
 */
export const ownTemplateSchema = z.object({
  body: z.record(z.string(), jsonSchema),
  /** The column that names a video to the user; the profile's when left out. */
  title: z.string().min(1).max(100).optional(),
});

export type OwnTemplate = z.infer<typeof ownTemplateSchema>;

export const duplicatesSchema = z.enum(DUPLICATES);

export type Duplicates = z.infer<typeof duplicatesSchema>;

const rowKeySchema = z.string().regex(ROW_KEY);

/**
 * The same for single rows, by row number; takes precedence over the batch's choice. A choice that
 * is not among the row's `choices` is an error.
 */
export const duplicateRowsSchema = z.record(rowKeySchema, duplicatesSchema);

export type DuplicateRows = z.infer<typeof duplicateRowsSchema>;

/**
 * Cells that the user corrected, by row number and the file's name of the column: text as typed,
 * `''` for an empty cell. The file itself stays as it is.
 */
export const cellEditsSchema = z.record(
  rowKeySchema,
  z.record(z.string().min(1).max(1000), z.string().max(MAX_CELL_TEXT)),
);

export type CellEdits = z.infer<typeof cellEditsSchema>;

export const batchOptionsSchema = z.object({
  /** Absolute path; the engine's default folder when left out. */
  folder: z.string().min(1).optional(),
  nameTemplate: z.string().min(1).max(MAX_NAME_TEMPLATE).optional(),
  onCollision: collisionSchema.optional(),
  columns: columnChoiceSchema.optional(),
  template: ownTemplateSchema.optional(),
  /** `reuse` when left out. */
  duplicates: duplicatesSchema.optional(),
  duplicateRows: duplicateRowsSchema.optional(),
  edits: cellEditsSchema.optional(),
  /** Numbers of rows that are not added, whether they have errors or not. */
  leaveOut: z.array(z.int().positive()).max(MAX_BATCH_ROWS).optional(),
  /** How the files are read; what is left out is detected. */
  reading: readingChoicesSchema.optional(),
  /** Whether a table of its results is kept up to date; decided by the settings when left out. */
  results: z.boolean().optional(),
});

export type BatchOptions = z.infer<typeof batchOptionsSchema>;

/** The choices that the next file of a kind probably needs again. */
export const usedBeforeSchema = z.object({
  /** `filePattern` of both files' names. */
  pattern: z.string(),
  /** The name of the file that was added with them. */
  file: z.string(),
  /** Of the service that it was added for. */
  origin: z.string(),
  options: batchOptionsSchema
    .pick({
      folder: true,
      nameTemplate: true,
      onCollision: true,
      columns: true,
      template: true,
      duplicates: true,
    })
    // Rows that made no video in one file, or made one, are other rows in the next.
    .extend({ reading: readingChoicesSchema.omit({ skipRows: true, keepRows: true }).optional() }),
});

export type UsedBefore = z.infer<typeof usedBeforeSchema>;

/** The earlier job, or earlier row of the file, whose request is byte for byte the same. */
export const duplicateMatchSchema = z.discriminatedUnion('of', [
  z.object({ of: z.literal('job'), batch: z.string(), state: z.enum(JOB_STATES) }),
  z.object({ of: z.literal('row'), row: z.int().positive() }),
]);

export type DuplicateMatch = z.infer<typeof duplicateMatchSchema>;

/**
 * What happens with a row. `new` is submitted and costs one unit of quota; `saved` and `already-queued`
 * are already in this batch; `downloaded-again` was rendered before and costs a download only;
 * `in-other-batch` is not added, because another batch has the same request and its video is not
 * finished, or the outcome is unknown; `skipped` is not rendered, because its file name exists and the batch skips those;
 * `failed-before` is in this batch and failed, and is rendered again only by `jobs.retry`;
 * `duplicate-skipped` is a duplicate that the user chose to skip, or the repetition of a row of the
 * file.
 */
export const rowOutcomeSchema = z.enum([
  'new',
  'saved',
  'already-queued',
  'downloaded-again',
  'in-other-batch',
  'skipped',
  'failed-before',
  'duplicate-skipped',
]);

export type RowOutcome = z.infer<typeof rowOutcomeSchema>;

/** The outcome of a choice for a row. */
export const rowChoiceSchema = z.object({
  duplicates: duplicatesSchema,
  outcome: rowOutcomeSchema,
});

export type RowChoice = z.infer<typeof rowChoiceSchema>;

/** What would happen with one row if the batch were added now. */
export const plannedRowSchema = z.object({
  row: z.int().positive(),
  /** What distinguishes it from other videos of its row: `9:16 · de`; left out for the only one. */
  variant: z.string().optional(),
  /** Its first picture, for a thumbnail; left out for a row without one. */
  picture: pictureReferenceSchema.optional(),
  title: z.string(),
  /** The file's path inside the batch's folder. */
  fileName: z.string(),
  outcome: rowOutcomeSchema,
  like: duplicateMatchSchema.nullable(),
  /**
   * The choices for a row that is a duplicate or whose file exists, and their outcomes; none for any
   * other row.
   */
  choices: z.array(rowChoiceSchema),
  forecast: forecastSchema,
  /** What a row that would be sent would wait for; `null` for any other row. */
  wait: waitSchema.nullable(),
});

export type PlannedRow = z.infer<typeof plannedRowSchema>;

/** A row with errors, and what identifies it to the user. */
export const invalidRowSchema = z.object({
  row: z.int().positive(),
  /** Its title or, without one, its first cell with text; shortened. */
  name: z.string(),
});

export type InvalidRow = z.infer<typeof invalidRowSchema>;

/** A row that `BatchOptions.leaveOut` names, and its errors. */
export const leftOutRowSchema = invalidRowSchema.extend({ issues: z.array(batchIssueSchema) });

export type LeftOutRow = z.infer<typeof leftOutRowSchema>;

/** A field of the batch's rows. */
export const batchFieldSchema = rowFieldSchema.extend({
  /** The file's column that fills it; `null` for none. */
  from: z.string().nullable(),
});

export type BatchField = z.infer<typeof batchFieldSchema>;

/** One of the first rows, the first one with errors, or a requested one, as a preview. */
export const sampleRowSchema = z.object({
  row: z.int().positive(),
  /** By the file's columns. */
  cells: z.record(z.string(), z.string()),
  /** The request that would be sent; `null` when the row, or the batch, has errors. */
  request: jsonSchema.nullable(),
  /** The requests of a row that makes several videos; the first is `request`. */
  videos: z.array(z.object({ variant: z.string(), request: jsonSchema })).optional(),
});

export type SampleRow = z.infer<typeof sampleRowSchema>;

/** A file of a batch, and the range of its rows. */
export const plannedFileSchema = z.object({
  name: z.string(),
  /** If several files form a batch, a row's number is this plus its number in the file. */
  rowsBefore: z.int().nonnegative(),
  /** How it was read; `null` if it could not be. */
  reading: tableReadingSchema.nullable(),
});

export type PlannedFile = z.infer<typeof plannedFileSchema>;

/** How the files of a batch would be named. */
export const plannedNamingSchema = z.object({
  folder: z.string(),
  nameTemplate: z.string(),
  onCollision: collisionSchema,
  /** Names that can be used in braces: the batch's columns, and those that every row has. */
  placeholders: z.array(z.string()),
  /** Names in braces in `nameTemplate` that do not exist; they are left empty. */
  unknown: z.array(z.string()),
});

/** A batch read and checked; nothing has been stored, sent or spent. */
export const batchPlanSchema = z.object({
  /** Of the service that it is planned for. */
  origin: z.string(),
  /** Identifies the service profile of the plan; left out by earlier versions. */
  profile: z.string().optional(),
  name: z.string(),
  /** In the order of their rows. */
  files: z.array(plannedFileSchema).min(1),
  /** The file's columns in order, renamed to `fields` where they match one. */
  columns: z.array(z.string()),
  /** The same with the file's own names, which `BatchOptions.columns` refers to. */
  fileColumns: z.array(z.string()),
  fields: z.array(batchFieldSchema),
  /** The file's columns that the user's request, or one with every column, has as numbers. */
  sentAsNumbers: z.array(z.string()),
  samples: z.array(sampleRowSchema),
  /** The template of requests: the profile's, or the user's. */
  template: ownTemplateSchema,
  naming: plannedNamingSchema,
  rows: z.array(plannedRowSchema),
  /** Everything found, in the order of the file; what concerns no row comes first. */
  issues: z.array(batchIssueSchema),
  /** One for each non-empty row with errors, in the order of the file. */
  invalidRows: z.array(invalidRowSchema),
  /** In the order of the file; their errors are not among `issues`. */
  leftOut: z.array(leftOutRowSchema),
  /** When the last video will be saved; `null` when that is unknown for one of them. */
  savedBy: instantSchema.nullable(),
  /** See `Batch.savedBetween`. */
  savedBetween: endRangeSchema.nullable(),
  /** What the new videos cost, by the service profile; `null` if the profile does not say. */
  cost: costEstimateSchema.nullable(),
  /** The account's balance when the service last reported it; `null` if unknown. */
  balance: balanceSchema.nullable().default(null),
  /** Whether the service can report its balance; left out by earlier versions. */
  tellsBalance: z.boolean().optional(),
  /** How many new videos do not fit in this quota cycle. */
  notThisCycle: z.int().nonnegative(),
});

export type BatchPlan = z.infer<typeof batchPlanSchema>;

export const addedBatchSchema = z.object({
  batchId: z.string(),
  /** How many rows of each outcome the batch had. */
  submitted: z.int().nonnegative(),
  downloadedAgain: z.int().nonnegative(),
  alreadyThere: z.int().nonnegative(),
  /** Jobs of other batches: one per row that was not added because such a job has its request. */
  inOtherBatches: z.array(z.string()),
  /** One per row that is in the batch now, in the order of the file. */
  jobIds: z.array(z.string()),
});

export type AddedBatch = z.infer<typeof addedBatchSchema>;
