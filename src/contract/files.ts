import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { userMessageSchema } from './message-schema.ts';
import { MAX_NAME_TEMPLATE } from './text-limits.ts';

/** A saved file that is, or may be, missing or damaged. */
export const fileIssueSchema = z.object({
  /** The job's id. */
  id: z.string(),
  title: z.string(),
  path: z.string(),
  /** `unreadable`: the disk did not answer (for example, a removed drive); its row is unchanged. */
  found: z.enum(['missing', 'damaged', 'unreadable']),
  why: userMessageSchema,
});

export type FileIssue = z.infer<typeof fileIssueSchema>;

/** Progress of a verification. It is complete when all files are checked. */
export const verificationSchema = z.object({
  checkedFiles: z.int().nonnegative(),
  totalFiles: z.int().nonnegative(),
  checkedBytes: z.number().nonnegative(),
  totalBytes: z.number().nonnegative(),
  /** Problems found since the previous update. */
  errors: z.array(fileIssueSchema),
  /** Total of files that had been missing or damaged and are intact again. */
  recovered: z.int().nonnegative(),
});

export type Verification = z.infer<typeof verificationSchema>;

/** Which saved files to rename, and the template of their names. */
export const renameSchema = z.object({
  /** Ids of jobs, in any order: files are named in queue order. */
  ids: z.array(z.string()).min(1).max(100_000),
  /** The same placeholders as in `batchOptionsSchema.nameTemplate`. */
  nameTemplate: z.string().min(1).max(MAX_NAME_TEMPLATE),
});

export type Rename = z.infer<typeof renameSchema>;

/** One file's new name. Paths are relative to its batch's folder, with `/` as the separator. */
export const plannedRenameSchema = z.object({
  /** The job's id. */
  id: z.string(),
  title: z.string(),
  /** `null` when the job has no file. */
  from: z.string().nullable(),
  /** Equal to `from` when the name is unchanged. */
  to: z.string().nullable(),
  /**
   * `numbered`: the template's result is the name of another file, or of another selected one.
   * `unchanged`: the name already matches. `kept`: it cannot be renamed, for the reason `why`.
   */
  outcome: z.enum(['renamed', 'numbered', 'unchanged', 'kept']),
  why: userMessageSchema.nullable(),
});

export type PlannedRename = z.infer<typeof plannedRenameSchema>;

export const renamePlanSchema = z.object({
  /**
   * Files that cannot be renamed first, then the others in queue order; at most the requested
   * number.
   */
  files: z.array(plannedRenameSchema),
  /** Counts of all files, by outcome. */
  counts: z.record(plannedRenameSchema.shape.outcome, z.int().nonnegative()),
  /**
   * Names that can be used in braces: columns of the files' batches, and those that every file has.
   */
  placeholders: z.array(z.string()),
  /** Names in braces in the template that do not exist; they are left empty. */
  unknown: z.array(z.string()),
});

export type RenamePlan = z.infer<typeof renamePlanSchema>;

/** The result of a rename. Files with unchanged names are in neither list. */
export const renamedSchema = z.object({
  renamed: z.int().nonnegative(),
  /** Files that kept their name, and why. */
  refused: z.array(z.object({ id: z.string(), title: z.string(), failure: failureSchema })),
  /** As in `changedSchema`. */
  step: z.string().nullable(),
});

export type Renamed = z.infer<typeof renamedSchema>;
