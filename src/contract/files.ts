import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { userMessageSchema } from './message-schema.ts';

/** A saved file that is not, or may not be, as it was saved. */
export const fileFaultSchema = z.object({
  /** The job's. */
  id: z.string(),
  title: z.string(),
  path: z.string(),
  /** `unreadable`: the disk would not say (a drive that is away); its row stays as it was. */
  found: z.enum(['missing', 'damaged', 'unreadable']),
  why: userMessageSchema,
});

export type FileFault = z.infer<typeof fileFaultSchema>;

/** How far a verification is. It has ended well when all files are checked. */
export const verificationSchema = z.object({
  checkedFiles: z.int().nonnegative(),
  totalFiles: z.int().nonnegative(),
  checkedBytes: z.number().nonnegative(),
  totalBytes: z.number().nonnegative(),
  /** What was found since the update before. */
  faults: z.array(fileFaultSchema),
  /** Files, in all, that had been missing or damaged and are whole again. */
  recovered: z.int().nonnegative(),
});

export type Verification = z.infer<typeof verificationSchema>;

/** Which saved files get other names, and of what. */
export const renameSchema = z.object({
  /** Of jobs, in any order: files are named in queue order. */
  ids: z.array(z.string()).min(1).max(100_000),
  /** The same placeholders as in `batchOptionsSchema.nameTemplate`. */
  nameTemplate: z.string().min(1).max(500),
});

export type Rename = z.infer<typeof renameSchema>;

/** What one file would be called. Paths are inside its batch's folder, with `/` between parts. */
export const plannedRenameSchema = z.object({
  /** The job's. */
  id: z.string(),
  title: z.string(),
  /** `null` when there is no file of it. */
  from: z.string().nullable(),
  /** The same as `from` when it stays as it is. */
  to: z.string().nullable(),
  /**
   * `numbered`: what the template makes of it is another file's name, or another chosen one's.
   * `unchanged`: it is called so already. `kept`: it cannot be renamed, and `why` says why.
   */
  outcome: z.enum(['renamed', 'numbered', 'unchanged', 'kept']),
  why: userMessageSchema.nullable(),
});

export type PlannedRename = z.infer<typeof plannedRenameSchema>;

export const renamePlanSchema = z.object({
  /** Those that cannot be renamed first, then the others in queue order; as many as were asked for. */
  files: z.array(plannedRenameSchema),
  /** All of them, by what would become of them. */
  counts: z.record(plannedRenameSchema.shape.outcome, z.int().nonnegative()),
  /** What can stand in braces: columns that any of the files' batches has, and what every one has. */
  placeholders: z.array(z.string()),
  /** What stands in braces in the template and is none of those; it comes to nothing. */
  unknown: z.array(z.string()),
});

export type RenamePlan = z.infer<typeof renamePlanSchema>;

/** What a renaming came to. Files that were called so already are in neither. */
export const renamedSchema = z.object({
  renamed: z.int().nonnegative(),
  /** Those whose name stayed, and why. */
  refused: z.array(z.object({ id: z.string(), title: z.string(), failure: failureSchema })),
});

export type Renamed = z.infer<typeof renamedSchema>;
