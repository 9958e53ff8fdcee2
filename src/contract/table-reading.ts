/** How a table was read, and what a user can choose about it. */
import { z } from 'zod';
import { MAX_BATCH_ROWS, MAX_ROW } from './batch-limits.ts';
import { ENCODINGS, isSeparator, QUOTES } from './text-reading.ts';

export const tableKindSchema = z.enum([
  'delimited',
  'json',
  'json-lines',
  'xlsx',
  'xls',
  'ods',
  'html',
]);

/** One character that separates cells. */
const separatorSchema = z.string().max(1).refine(isSeparator);

/** As a spreadsheet numbers it: its first row is 1. */
const rowNumber = z.int().positive().max(MAX_ROW);

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** What the user decided about how a file is read. Everything left out is detected. */
export const readingChoicesSchema = z.object({
  encoding: z.enum(ENCODINGS).optional(),
  /** `none` for a table of one column. */
  separator: z.union([separatorSchema, z.literal('none')]).optional(),
  quotes: z.enum(QUOTES).optional(),
  /** The name of a workbook's sheet; its first visible one when left out. */
  sheet: z.string().max(255).optional(),
  /** Whether the columns of the file are the rows of the table; choices about rows are then about them. */
  turn: z.boolean().optional(),
  headerRow: rowNumber.optional(),
  /** Rows that make no video. */
  skipRows: z.array(rowNumber).max(MAX_BATCH_ROWS).optional(),
  /** Rows below the header that make videos although they look like a total, a heading or units. */
  keepRows: z.array(rowNumber).max(MAX_BATCH_ROWS).optional(),
  /** Whether rows that look like totals make videos; until it is known, they are errors. */
  includeTotals: z.boolean().optional(),
  /** Whether hidden rows and columns of a workbook make no video; without it, they are read. */
  leaveOutHidden: z.boolean().optional(),
  /** The language in which a workbook's numbers are shown, such as `de`. */
  language: z.string().max(35).refine(isLanguage).optional(),
});

export type ReadingChoices = z.infer<typeof readingChoicesSchema>;

/** Why a row that is not empty makes no video. */
export const leftOutReasonSchema = z.enum([
  'above-header',
  'comment',
  'units',
  'repeated-header',
  'unfilled',
  'footer',
  'hidden',
  'chosen',
]);

export type LeftOutReason = z.infer<typeof leftOutReasonSchema>;

/**
 * What a row looks like that is probably no video: a total, a heading between videos, a note, or part
 * of a text that is divided in the file.
 */
export const unlikelyKindSchema = z.enum(['total', 'section', 'note', 'other-table', 'divided']);

export type UnlikelyKind = z.infer<typeof unlikelyKindSchema>;

/** Every decision about how a file was read. */
export const tableReadingSchema = z.object({
  kind: tableKindSchema,
  /** `null` for a workbook and for pasted text. */
  encoding: z.enum(ENCODINGS).nullable(),
  /** A text of the file that shows the encoding; `null` when the encoding is certain. */
  encodingSample: z.string().max(200).nullable(),
  /** `null` for one column, and for anything but separated values. */
  separator: separatorSchema.nullable(),
  quotes: z.enum(QUOTES),
  /** The sheet that was read, of these; `null` for other files. */
  sheet: z.string().nullable(),
  sheets: z.array(z.object({ name: z.string(), isHidden: z.boolean() })).readonly(),
  /** The names that lead to the list in a JSON object, as `data.items`; `null` for a plain list. */
  list: z.string().nullable(),
  /** The language of a workbook's numbers; `null` for other files. */
  language: z.string().nullable(),
  /** `proposed` for a table on its side that is not read; in a turned one, row 2 is column B of the file. */
  turn: z.enum(['none', 'proposed', 'turned']),
  /** `null` for JSON. */
  headerRow: z.int().positive().nullable(),
  /** How many rows make videos or have errors. */
  rows: z.int().nonnegative(),
  /** Rows that make no video and are not empty, in the order of the file; the first 1,000. */
  leftOut: z.array(
    z.object({ row: z.int().positive(), reason: leftOutReasonSchema, text: z.string().max(200) }),
  ),
  /** How many there are. */
  leftOutCount: z.int().nonnegative(),
  /**
   * Rows that are probably no videos, about which the user has not decided: from `row` to `end`, with
   * the text of the first one. In the order of the file; the first 1,000.
   */
  undecided: z.array(
    z.object({
      looksLike: unlikelyKindSchema,
      row: z.int().positive(),
      end: z.int().positive(),
      text: z.string().max(200),
    }),
  ),
  /** How many rows of the table are hidden in the workbook, whether they are read or not. */
  hiddenRows: z.int().nonnegative(),
  /** The headers of its hidden columns. */
  hiddenColumns: z.array(z.string()).readonly(),
});

export type TableReading = z.infer<typeof tableReadingSchema>;
