/** What is possible and probably not meant: warnings about a batch that has no such errors. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { LanguageColumns } from './languages.ts';
import type { MatchedColumns } from './match-columns.ts';
import { cellError, isSpreadsheet, type Records, type SourceRow } from './records.ts';
import { placeholdersIn, type RequestTemplate } from './request-template.ts';
import { quotable } from './quotable.ts';
import { textOf } from './cell.ts';
import { warningOf } from './issues.ts';
import { isBrandColumn } from './column.ts';
import { errorValueIn, findArtefact, spreadsheetText } from './spreadsheet-cell.ts';

/** The shortest header that is compared with the names of columns. */
const MIN_HEADER = 4;

/**
 * Columns of the file that nothing uses, with the one that was probably meant.
 * @param nameTemplate of the videos' files, which may use any column
 */
export function unusedColumns(
  { columns: given, repeated }: Pick<Records, 'columns' | 'repeated'>,
  template: RequestTemplate,
  { byName, sources }: Pick<MatchedColumns, 'byName' | 'sources'>,
  nameTemplate: string,
): BatchIssue[] {
  const used = new Set([
    ...placeholdersIn(template.body),
    template.title,
    ...Object.keys(template.columns).filter((name) => isBrandColumn(template.columns[name])),
    ...template.preset.map(({ column }) => column),
    ...(template.limits ?? []).flatMap(({ column, when }) => [
      column,
      ...when.map((condition) => condition.column),
    ]),
  ]);
  const inNames = new Set(
    [...nameTemplate.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name.trim().toLowerCase()),
  );
  const free = new Map<string, string>();
  for (const [name, column] of Object.entries(template.columns)) {
    if (sources.has(name) || !used.has(name)) continue;
    for (const spelling of [name, ...(column.aliases ?? [])])
      free.set(spelling.toLowerCase(), name);
  }
  return given.flatMap((column) => {
    const names = [column, ...(byName.get(column) ?? [])];
    if (names.some((name) => used.has(name) || inNames.has(name.toLowerCase()))) return [];
    const header = (repeated.get(column) ?? column).trim();
    if (header === '') return [];
    const near =
      header.length < MIN_HEADER ? null : nearestName(header.toLowerCase(), [...free.keys()]);
    const name = quotable(header);
    const likely = near === null ? undefined : free.get(near);
    const message =
      likely === undefined
        ? userMessage('column-unused', { name })
        : userMessage('column-misspelt', { name, likely });
    return [
      warningOf(
        { code: 'column-missing', ...message, ...(likely === undefined ? {} : { column: likely }) },
        { text: header },
      ),
    ];
  });
}

/** Columns that are used, and are probably those of another table beside the one with the videos. */
export function columnsBeside(
  { beside = [] }: Pick<Records, 'beside'>,
  { sources }: Pick<MatchedColumns, 'sources'>,
): BatchIssue[] {
  return [...sources]
    .filter(([, given]) => beside.includes(given))
    .map(([column, given]) => {
      const message = userMessage('column-beside-table', { name: quotable(given), column });
      return warningOf({ code: 'column-missing', ...message, column }, { text: given });
    });
}

/** Texts of a row that a program damaged before: “M?nchen”, “Total: #REF!”, “1.2E+11”, “NULL”, “N/A”, “&amp;”. */
export function damagedTexts(
  { cells, row }: SourceRow,
  unit: Records['unit'],
  { columns }: RequestTemplate,
  { columns: { sources }, translated }: Pick<LanguageColumns, 'columns' | 'translated'>,
): BatchIssue[] {
  const issues: BatchIssue[] = [];
  for (const [name, given] of sources) {
    const type = Object.hasOwn(columns, name) ? columns[name]?.type : undefined;
    const cell = Object.hasOwn(cells, given) ? cells[given] : undefined;
    if (cell === undefined || (type !== 'text' && type !== 'list')) continue;
    const text = textOf(cell).trim();
    const shown = isSpreadsheet(unit) ? spreadsheetText(text) : text;
    const what = findArtefact(text) === null ? damageOf(shown) : null;
    if (what === null) continue;
    const place = { name: translated.get(name)?.name ?? name, header: given };
    issues.push(warningOf(cellError(unit, row, place, what), { text }));
  }
  return issues;
}

function damageOf(text: string): UserMessage | null {
  if (NULL_WORD.test(text)) return userMessage('cell-is-null-word', { text: quotable(text) });
  const error = errorValueIn(text);
  if (error !== null) return userMessage('cell-has-error-value', { text: quotable(text), error });
  if (hasLostLetters(text)) return userMessage('cell-has-question-marks', { text: quotable(text) });
  const code = codeIn(text);
  if (code !== null) return userMessage('cell-has-code', { text: quotable(text), code });
  const [control] = CONTROL_CHARACTER.exec(text) ?? [];
  if (control !== undefined)
    return userMessage('cell-has-control-character', {
      text: quotable(text),
      code: `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    });
  return SHORTENED.test(text) ? userMessage('cell-is-shortened', { text: quotable(text) }) : null;
}

/**
 * Values of databases and programs, what Google Sheets shows until it has a value, what people write,
 * and lines and points alone.
 */
const NULL_WORD =
  /^(?:NULL|null|None|undefined|NaN|\\N|<null>|\(null\)|Loading\.\.\.|Wird geladen(?: ?…|\.\.\.)|n\/?a|N\/?A|k\. ?A\.|tbd|TBD|tba|TBA|\?{1,2}|[-–—_./…]+)$/;

/** How spreadsheets show a number of many digits: `1.23457E+11`. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d{2}$/;

/** Programs write a question mark for each letter that their encoding lacks. */
function hasLostLetters(text: string): boolean {
  if (!text.includes('?')) return false;
  return (
    /^[\s?]*\?{3,}[\s?]*$/.test(text) || /\p{L}\?\p{Ll}/u.test(text.replace(/https?:\S+/g, ''))
  );
}

/**
 * All control characters except tabs, line breaks and those before letters of ISO-2022, which is an
 * error of the whole file.
 */
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\r](?![$(])/u;

/** What exports of shops and programs write for a character or a line break. */
const CODES = [
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp|euro|szlig|[aou]uml);/i,
  /<\/?(?:br|p|b|i|u|em|strong|span|div|ul|ol|li|h[1-6])(?: [^<>]{0,200})?\/?>/i,
  /\\u[\da-f]{4}/i,
  /\\r\\n|\\n/,
  /_x000[9AD]_/i,
];

function codeIn(text: string): string | null {
  // A path of Windows may contain “\n”.
  const codes = text.includes(':\\') ? CODES.slice(0, 2) : CODES;
  for (const code of codes) {
    const [found] = code.exec(text) ?? [];
    if (found !== undefined) return quotable(found);
  }
  return null;
}
