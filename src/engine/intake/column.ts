import { z } from 'zod';
import { fieldTextSchema } from '../../contract/field-text.ts';
import { SENT_FORMATS } from '../pictures/picture-format.ts';
import { issueOf, userMessage } from '../../contract/user-message.ts';

/** A column's name as a template writes it: between `{{` and `}}`. */
export const columnNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/[{}]/.test(name), issueOf(userMessage('value-with-braces')));

const common = {
  /** Label in forms; the column's name when left out. */
  label: fieldTextSchema.optional(),
  /** What it is for, as a short sentence. */
  description: fieldTextSchema.optional(),
  /** A row without a value is an error, and so is a batch without the column. */
  required: z.boolean().optional(),
  /** Other names that a header may give this column. */
  aliases: z.array(columnNameSchema).max(20).optional(),
};

const textDefault = { default: z.string().optional() };
const scalar = z.union([z.string(), z.number()]);

/** The type of a column, and so of its cells in the request. */
export const columnSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    ...common,
    ...textDefault,
    /** Characters. */
    maxLength: z.int().positive().optional(),
    /** Whether it must be an https address, as of a picture. */
    isAddress: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('number'),
    ...common,
    default: z.number().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    whole: z.boolean().optional(),
    /** The length of a video, or a time in a clip; both may be written as “3s” or “0:04”. */
    unit: z.enum(['seconds', 'time']).optional(),
    /** Keeps its digits: “19.90” is sent as 19.90, and is text in a text. */
    asWritten: z.boolean().optional(),
  }),
  /** `#rgb` or `#rrggbb`; becomes `#rrggbb` in lower case. */
  z.strictObject({ type: z.literal('colour'), ...common, ...textDefault }),
  /** One of a few values, ignoring case. */
  z.strictObject({
    type: z.literal('choice'),
    ...common,
    default: scalar.optional(),
    options: z.array(scalar).min(1).max(100),
    /** Labels of options in forms; the option itself when left out. */
    optionLabels: z.record(z.string(), fieldTextSchema).optional(),
    /** Other spellings of options, each with the option that it stands for. */
    spellings: z.record(z.string(), scalar).optional(),
    /** Whether a cell may have several options: its row makes a video with each. */
    several: z.boolean().optional(),
  }),
  /** Several texts in one cell, separated by `|` or by line breaks. */
  z.strictObject({
    type: z.literal('list'),
    ...common,
    default: z.array(z.string()).optional(),
    maxItems: z.int().positive().optional(),
    /** Characters of each item. */
    maxLength: z.int().positive().optional(),
  }),
  /** A picture or another file beside the table. */
  z.strictObject({
    type: z.literal('picture'),
    ...common,
    ...textDefault,
    /**
     * A sound or a font has no limits but its size. A clip's part may be in columns of its name
     * with “from” and “to”. Captions are a file or their text, and stand in the request
     * themselves. A brand is a row of another table (`brands.ts`), and is not sent. A picture when
     * left out.
     */
    holds: z.enum(['picture', 'clip', 'sound', 'font', 'captions', 'brand']).optional(),
    /**
     * A cell may have several, at most so many, separated by `|` or by line breaks: they are a list in
     * the request. One when left out.
     */
    maxItems: z.int().positive().max(100).optional(),
    /**
     * How a file is sent: in the request as a `data:` URL, as a part of a request that is
     * multipart/form-data, or before it to the profile's `upload`. Without any, only addresses are
     * possible.
     */
    send: z.enum(['data-url', 'part', 'upload']).optional(),
    /** Whether an https address is possible, too, which the service requests itself. */
    isAddressPossible: z.boolean().optional(),
    /** Of captions: how long a video may be. */
    maxSeconds: z.number().positive().optional(),
    /** Of a file, as it is sent; larger pictures are scaled. */
    maxBytes: z.int().positive().optional(),
    formats: z.array(z.enum(SENT_FORMATS)).min(1).optional(),
    /** Pixels of the longer side; larger pictures are scaled. */
    maxSide: z.int().min(64).max(16_384).optional(),
    /** Whether the service takes transparent parts; it does when left out. */
    isAlphaPossible: z.boolean().optional(),
    /** Whether pictures are turned by their metadata, which the service ignores. */
    upright: z.boolean().optional(),
  }),
]);

export type Column = z.infer<typeof columnSchema>;

/** Whether a column's cells name a brand. */
export function isBrandColumn(column: Column | undefined): boolean {
  return column?.type === 'picture' && column.holds === 'brand';
}

/** How many files a column's cells may name; `undefined` if one, or none. */
export function severalIn(column: Column): number | undefined {
  return column.type === 'picture' ? column.maxItems : undefined;
}
