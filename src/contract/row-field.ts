/** The fields of a row, as forms show them. */
import { z } from 'zod';
import { fieldTextSchema } from './field-text.ts';
import { FILE_KINDS } from './file-kinds.ts';

/** A field of a request that rows can fill: a title, a duration. */
export const rowFieldSchema = z.object({
  name: z.string(),
  label: fieldTextSchema.optional(),
  description: fieldTextSchema.optional(),
  type: z.enum(['text', 'number', 'colour', 'choice', 'list', 'picture']),
  /** For a picture: the kind of file that it may be; none if it can only be an address. */
  holds: z.enum(FILE_KINDS).optional(),
  required: z.boolean(),
  /** The value sent for an empty cell, in a cell's notation; none when left out. */
  default: z.string().optional(),
  /** For a choice. */
  options: z.array(z.string()).optional(),
  /** By option; one without a label is shown as it is. */
  optionLabels: z.record(z.string(), fieldTextSchema).optional(),
  /** For a number. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** Characters, for a text or for each item of a list. */
  maxLength: z.int().positive().optional(),
  /** For a list, or files of which there may be several. */
  maxItems: z.int().positive().optional(),
});

export type RowField = z.infer<typeof rowFieldSchema>;
