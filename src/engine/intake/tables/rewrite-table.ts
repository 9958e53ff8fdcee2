/** Writes a table of separated values with some cells changed. All other rows stay as they were. */
import iconv from 'iconv-lite';
import type { Encoding, Quotes, Separator } from '../../../contract/text-reading.ts';
import { decodeTable } from './encoding.ts';
import { locateTable } from './locate-table.ts';
import { delimitedText, splitDelimited, type DelimitedRows } from './read-table.ts';
import { columnNames } from './table-records.ts';
import type { TableOptions } from './table-options.ts';

/** Texts by the numbers of rows and the names of columns. */
export type ChangedCells = ReadonlyMap<number, ReadonlyMap<string, string>>;

/**
 * The file with these cells, in its encoding, separators and line ends.
 * @returns `null` when it is no file of separated values, is turned, has no such cell, or when its kind of file
 *   cannot have one of these texts
 */
export function rewriteTable(
  content: string | Uint8Array,
  options: TableOptions,
  changes: ChangedCells,
): Uint8Array | null {
  const text = delimitedText(content, options);
  if (text === null || options.choices.turn === true) return null;
  const split = splitDelimited(text, options);
  if (split.excess !== null) return null;
  const changed = changedText(text, split, options, changes);
  if (changed === null || !hasTexts(changed, split, options, changes)) return null;
  return typeof content === 'string'
    ? encodedAs(changed, 'utf-8', true)
    : encodedLike(content, changed, options.choices.encoding);
}

function changedText(
  text: string,
  split: DelimitedRows,
  options: TableOptions,
  changes: ChangedCells,
): string | null {
  const { rows, starts, separator, quotes, mixed } = split;
  const { names } = columnNames(locateTable(rows, options));
  const left = new Set(changes.keys());
  let changed = '';
  let copied = 0;
  for (const [at, { row, cells }] of rows.entries()) {
    const texts = changes.get(row);
    // Rows that another character separates are written like the others.
    if (texts === undefined && !mixed.has(row)) continue;
    const start = starts[at] ?? 0;
    const next = starts[at + 1] ?? text.length;
    const lineEnd = /[\r\n]*$/.exec(text.slice(start, next))?.[0] ?? '';
    const written = [...cells];
    for (const [column, value] of texts ?? []) {
      const place = names.indexOf(column);
      if (place < 0) return null;
      while (written.length < place) written.push('');
      written[place] = value;
    }
    const line = written.map((cell) => cellAs(cell, separator, quotes));
    changed += text.slice(copied, start) + line.join(separator ?? '') + lineEnd;
    copied = next;
    left.delete(row);
  }
  return left.size > 0 ? null : changed + text.slice(copied);
}

function cellAs(cell: string, separator: Separator | null, quotes: Quotes): string {
  if (quotes === 'none') return cell;
  if (quotes === 'backslash') return cell.replace(/[\\\t,;|\r\n]/g, String.raw`\$&`);
  const quote = quotes === 'single' ? "'" : '"';
  const needs =
    /[\r\n"]|^\s|\s$/.test(cell) ||
    cell.startsWith(quote) ||
    (separator !== null && cell.includes(separator));
  return needs ? `${quote}${cell.replaceAll(quote, quote + quote)}${quote}` : cell;
}

/** Whether the new text is read with the texts that were meant, and as many rows. */
function hasTexts(
  text: string,
  { rows: before, separator, quotes }: DelimitedRows,
  options: TableOptions,
  changes: ChangedCells,
): boolean {
  const choices = { ...options.choices, separator: separator ?? ('none' as const), quotes };
  const how = { ...options, choices };
  const { rows } = splitDelimited(text, how);
  if (rows.length !== before.length) return false;
  const { names } = columnNames(locateTable(rows, how));
  return rows.every(({ row, cells }) =>
    [...(changes.get(row) ?? [])].every(
      ([column, value]) => (cells[names.indexOf(column)] ?? '') === value,
    ),
  );
}

/** As the file was encoded, or in UTF-8 if that encoding lacks a character. */
function encodedLike(before: Uint8Array, text: string, chosen: Encoding | undefined): Uint8Array {
  const { encoding } = decodeTable(before, chosen);
  const hasMark =
    (before[0] === 0xef && before[1] === 0xbb) ||
    (before[0] === 0xff && before[1] === 0xfe) ||
    (before[0] === 0xfe && before[1] === 0xff);
  if (encoding === 'utf-8' || encoding === 'utf-8-twice') return encodedAs(text, 'utf-8', hasMark);
  const bytes = encodedAs(text, encoding, hasMark);
  return decodeTable(bytes, encoding).text === text ? bytes : encodedAs(text, 'utf-8', true);
}

function encodedAs(text: string, encoding: Encoding, hasMark: boolean): Uint8Array {
  const marked = hasMark ? `\ufeff${text}` : text;
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-twice':
      return new TextEncoder().encode(marked);
    default:
      // Without a mark, so that it has the one that the text begins with.
      return iconv.encode(marked, encoding, { addBOM: false });
  }
}
