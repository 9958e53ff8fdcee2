/** Options about how a table is read, and what was decided about it, in words. */
import type { PlannedFile } from '../contract/batch.ts';
import type { Failure } from '../contract/failure.ts';
import type { LeftOutReason, ReadingChoices, TableReading } from '../contract/table-reading.ts';
import type { Encoding, Quotes } from '../contract/text-reading.ts';
import { formatCount } from './display/numbers.ts';
import { plainText } from './display/safe-text.ts';
import { SEPARATOR_NAMES } from './options.ts';

export interface ReadingOptions {
  readonly turn?: boolean;
  readonly headerRow?: number;
  readonly skipRows?: number[];
  readonly keepRows?: number[];
  readonly includeTotals?: boolean;
  readonly encoding?: Encoding;
  /** A character, or `none`. */
  readonly separator?: string;
  readonly quotes?: Quotes;
  readonly sheet?: string;
  readonly leaveOutHidden?: boolean;
  readonly numberLanguage?: string;
}

/** @returns `undefined` when nothing was chosen */
export function readingChoices(options: ReadingOptions): ReadingChoices | undefined {
  const { headerRow, skipRows, keepRows, includeTotals, encoding, quotes } = options;
  const { separator, sheet, leaveOutHidden, turn } = options;
  const { numberLanguage: language } = options;
  const given = Object.entries({
    turn,
    headerRow,
    skipRows,
    keepRows,
    includeTotals,
    encoding,
    separator,
    quotes,
    sheet,
    leaveOutHidden,
    language,
  }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The options that answer what a file's reading asks. */
export function readingHints(errors: readonly Failure[]): readonly string[] {
  const named = new Set(errors.flatMap(({ says }) => says.map(({ sentence }) => sentence)));
  const unmatched = errors.filter((error) => saysOneOf(error, ['column-missing', 'columns-alike']));
  const fields = new Set(unmatched.flatMap(({ column }) => column ?? []));
  const totals = rowsWith(errors, ['row-is-total']);
  const others = rowsWith(errors, [
    'row-is-section',
    'row-is-note',
    'row-is-other-table',
    'row-is-divided',
    'column-is-unlikely',
  ]);
  return [
    ...[...fields].map(
      (field) => `Choose a column for “${field}” with --column "${field}=HEADER".`,
    ),
    ...(totals.length === 0
      ? []
      : [
          `Leave totals out with --skip-rows ${rangesOf(totals)}, or make videos of them with --include-totals.`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `Leave these rows out with --skip-rows ${rangesOf([...totals, ...others])}, or make videos of them with --keep-rows ${rangesOf(others)}.`,
        ]),
    ...(named.has('file-encoded-twice')
      ? ['Correct the text with --encoding utf-8-twice, or keep it with --encoding utf-8.']
      : []),
  ];
}

function rowsWith(errors: readonly Failure[], sentences: readonly string[]): number[] {
  return errors.filter((error) => saysOneOf(error, sentences)).flatMap(({ row }) => row ?? []);
}

function saysOneOf({ says }: Failure, sentences: readonly string[]): boolean {
  return says.some(({ sentence }) => sentences.includes(sentence));
}

/** `2,75-80`, as `--skip-rows` takes them. */
function rangesOf(rows: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const row of [...rows].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.last === row - 1) range.last = row;
    else ranges.push({ first: row, last: row });
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join();
}

const REASONS: Readonly<Record<LeftOutReason, string>> = {
  'above-header': 'above the header',
  comment: 'comment',
  units: 'units',
  'repeated-header': 'repeated header',
  unfilled: 'not filled in',
  footer: 'footer',
  hidden: 'hidden',
  chosen: 'skipped',
};

const QUOTES: Readonly<Record<Exclude<Quotes, 'double'>, string>> = {
  single: 'single quotation marks',
  none: 'quotation marks as text',
  backslash: 'backslashes before separators',
};

/** The rows that are named; the others are counted. */
const MAX_NAMED = 5;

/** How a file was read, on one line; `null` when there is nothing that a user would not expect. */
export function readingText({ name, reading }: PlannedFile): string | null {
  if (reading === null) return null;
  const parts = [
    ...opened(reading),
    ...(reading.turn === 'turned' ? ['turned, so that row 2 is column B of the file'] : []),
    ...(reading.headerRow === null || reading.headerRow === 1
      ? []
      : [`header in row ${reading.headerRow}`]),
    ...leftOut(reading),
  ];
  return parts.length === 0 ? null : `${plainText(name)}: ${parts.join(', ')}.`;
}

function opened(reading: TableReading): string[] {
  const { kind, encoding, encodingSample, separator, quotes, sheet, sheets, list, language } =
    reading;
  const parts: string[] = [];
  if (sheet !== null) {
    const others = sheets.length > 1 ? ` of ${sheets.length}` : '';
    parts.push(`sheet “${plainText(sheet)}”${others}`, `numbers as in ${language ?? 'English'}`);
  }
  if (list !== null) parts.push(`list “${plainText(list)}”`);
  if (kind === 'html') parts.push('table of a web page');
  if (encoding !== null && (encoding !== 'utf-8' || encodingSample !== null)) {
    const sample = encodingSample === null ? '' : ` (“${plainText(encodingSample)}”)`;
    parts.push(`${encoding}${sample}`);
  }
  if (kind === 'delimited' && separator !== ',') {
    const [name] = Object.entries(SEPARATOR_NAMES).find(([, each]) => each === separator) ?? [];
    parts.push(separator === null ? 'one column' : `separator ${name ?? `“${separator}”`}`);
  }
  if (kind === 'delimited' && quotes !== 'double') parts.push(QUOTES[quotes]);
  return parts;
}

function leftOut({
  leftOut: rows,
  leftOutCount,
  hiddenRows,
  hiddenColumns,
}: TableReading): string[] {
  const named = rows
    .slice(0, MAX_NAMED)
    .map(({ row, reason, text }) => `row ${row} (${REASONS[reason]}: ${plainText(text)})`);
  const more = leftOutCount - named.length;
  return [
    ...(leftOutCount === 0
      ? []
      : [`left out ${named.join(', ')}${more > 0 ? ` and ${formatCount(more, 'more row')}` : ''}`]),
    ...(hiddenRows === 0 ? [] : [formatCount(hiddenRows, 'hidden row')]),
    ...(hiddenColumns.length === 0
      ? []
      : [`hidden columns ${hiddenColumns.map((header) => plainText(header)).join(', ')}`]),
  ];
}
