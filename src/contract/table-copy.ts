/** Copies of a batch's table that the user saves. */
import { z } from 'zod';
import { batchOptionsSchema, batchSourceSchema } from './batch.ts';
import { userMessageSchema } from './message-schema.ts';

export const tableCopyWantedSchema = z.object({
  source: batchSourceSchema,
  options: batchOptionsSchema.default({}),
  /**
   * `corrected`: one file with the user's corrections. `left-out`: the rows that `options` leaves
   * out, of all files, with their errors.
   */
  what: z.enum(['corrected', 'left-out']),
  /** Of `corrected`: the file's place in the batch, from 0. */
  file: z.int().nonnegative().default(0),
  /** Of the reasons. */
  language: z.enum(['en', 'de']).default('en'),
});

export type TableCopyWanted = z.infer<typeof tableCopyWantedSchema>;

export const tableCopySchema = z.object({
  /** A name for the file, such as `videos.corrected.csv`. */
  name: z.string(),
  /** Its media type. */
  type: z.string(),
  base64: z.base64(),
  /** What differs from the file that was read; `null` for nothing but the corrections. */
  note: userMessageSchema.nullable(),
});

export type TableCopy = z.infer<typeof tableCopySchema>;

/** A table to start from, for the shown service. */
export const tableTemplateWantedSchema = z.object({
  format: z.enum(['csv', 'xlsx']),
  language: z.enum(['en', 'de']).default('en'),
});
