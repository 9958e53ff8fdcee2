/** Reads the rows of a file: each becomes its values and its request, or all errors in it. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { userMessage } from '../../contract/user-message.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { textOf, type RawCell } from './cell.ts';
import { errorOf } from './issues.ts';
import { textInOtherLanguage, type LanguageColumns } from './languages.ts';
import { meantNumber, type DecimalMark } from './number-cells.ts';
import { quotable } from './quotable.ts';
import { cellError, isSpreadsheet, rowName, type Records, type SourceRow } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import { shapesOf, withoutOptions } from './shapes.ts';
import { type ReadRow, VARIANT_SEPARATOR } from './intake-row.ts';
import {
  checkCells,
  checkLimits,
  requestsOf,
  type RowValues,
  type ValueIssue,
} from './row-values.ts';

/** The maximum length of a column's header in an error, in characters. */
const MAX_HEADER = 120;

/** A row's requests, one for each of its videos, or all errors in the row. */
export type RowReading =
  | { readonly kind: 'rows'; readonly rows: readonly ReadRow[] }
  | {
      readonly kind: 'invalid';
      readonly errors: readonly BatchIssue[];
      /** Of the cells that have no error. */
      readonly values: RowValues;
    };

/**
 * Converts the rows of one file into requests in one language.
 * @param marks of the file's columns of numbers
 * @returns reads a row of the file; `index` is as in `ReadRow`
 */
export function rowReader(
  template: RequestTemplate,
  unit: Records['unit'],
  { language, columns: { names, byName }, translated }: LanguageColumns,
  marks: ReadonlyMap<string, DecimalMark>,
): (source: SourceRow, place: Pick<ReadRow, 'row' | 'index'>) => RowReading {
  const makeRequest = requestsOf(template);
  /** The file's columns for each name: entries of JSON may spell one column differently. */
  const sources = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const [given, known] of byName) for (const name of known) sources.get(name)?.push(given);
  const headerOf = (name: string): string => {
    const header = sources.get(name)?.at(0);
    return (header !== undefined && sanitizeRemoteText(header, MAX_HEADER)) || name;
  };
  const isTable = isSpreadsheet(unit);
  return (source, { row: rowInBatch, index }) => {
    const { row } = source;
    const { cells, shown, errors: inSources } = fieldCells(template, sources, source, marks);
    const untranslated = translationErrors(translated, source);
    const isUntranslated = new Set(untranslated.map(({ column }) => column));
    const shapes = shapesOf(template, cells);
    const read = shapes.map(({ cells: own, options }) => {
      const { values, errors } = checkCells(template, own, isTable);
      const found = errors.length > 0 ? errors : checkLimits(template, values, headerOf);
      return { values, errors: found, options };
    });
    const inShapes = read.flatMap(({ errors, options }) =>
      errors.map((error) => {
        const { column } = error;
        if (!options.has(column)) return error;
        const invalid = read.filter((each) => each.errors.some((other) => other.column === column));
        const names = new Set(invalid.map((each) => each.options.get(column)));
        const cell = textOf(cells.find(([name]) => name === column)?.[1] ?? '');
        return { ...error, cell, fix: withoutOptions(shapes, column, names) ?? error.fix };
      }),
    );
    const others = inShapes.filter(({ column }) => !isUntranslated.has(column));
    const found = [...inSources, ...untranslated, ...others];
    if (found.length > 0) {
      const errors: BatchIssue[] = [];
      for (const { column, what, cell, fix } of found) {
        const name = translated.get(column)?.name ?? column;
        const place = { name, header: headerOf(column) };
        const text = shown.get(column) ?? cell;
        const error = errorOf(cellError(unit, row, place, what), { text, fix });
        // A request that the user wrote may have a column under its header and the profile's name.
        if (errors.every(({ message }) => message !== error.message)) errors.push(error);
      }
      return { kind: 'invalid', errors, values: read[0]?.values ?? [] };
    }
    const rows = read.map(({ values: own, options }) => {
      const values = withLanguage(own, language, template);
      const { preset, bodySha256, ...request } = makeRequest(values);
      const title = request.title ?? `${unit} ${rowName(unit, row)}`;
      const parts = [...options.values(), ...(language === '' ? [] : [language])];
      const variant = parts.join(VARIANT_SEPARATOR);
      const place = { row: rowInBatch, rowInFile: row, index, variant };
      return { ...place, title, preset, bodySha256, values };
    });
    return { kind: 'rows', rows };
  };
}

/** Cells that are empty, while another language has a text for them. */
function translationErrors(
  translated: LanguageColumns['translated'],
  source: SourceRow,
): readonly ValueIssue[] {
  return [...translated].flatMap(([column, own]) => {
    const fix = textInOtherLanguage(own, source);
    return fix === undefined
      ? []
      : [{ column, what: userMessage('cell-untranslated'), cell: '', fix }];
  });
}

/** The language is a value for file names, and for templates that have it. */
function withLanguage(
  values: RowValues,
  language: string,
  { columns }: RequestTemplate,
): RowValues {
  const isGiven = values.some(
    ([name, value]) => name === 'language' && (value !== '' || !Object.hasOwn(columns, name)),
  );
  if (language === '' || isGiven) return values;
  return [...values.filter(([name]) => name !== 'language'), ['language', language]];
}

interface FieldCells {
  readonly cells: readonly (readonly [string, RawCell])[];
  /** The texts of cells for which a number stands in `cells`, by their field. */
  readonly shown: ReadonlyMap<string, string>;
  readonly errors: readonly ValueIssue[];
}

/** The cell of each field. In JSON, an object may have a field's name and another name for it. */
function fieldCells(
  { columns }: RequestTemplate,
  sources: ReadonlyMap<string, readonly string[]>,
  { cells, numbers }: SourceRow,
  marks: ReadonlyMap<string, DecimalMark>,
): FieldCells {
  const shown = new Map<string, string>();
  const errors: ValueIssue[] = [];
  const found = Array.from(sources, ([name, givens]): readonly [string, RawCell] => {
    const [first, ...others] = givens.filter(
      (given) => Object.hasOwn(cells, given) && textOf(cells[given] ?? '').trim() !== '',
    );
    if (first === undefined) return [name, ''];
    const cell = cells[first] ?? '';
    const other = others.find((each) => textOf(cells[each] ?? '').trim() !== textOf(cell).trim());
    if (other !== undefined) {
      errors.push({ column: name, what: userMessage('cell-two-keys', { one: first, other }) });
    }
    const column = columns[name];
    if (column?.type !== 'number') return [name, cell];
    const asWritten = column.asWritten === true;
    const meant = meantNumber(cell, numbers?.[first], marks.get(first), asWritten);
    if (meant === cell) return [name, cell];
    const text = textOf(cell);
    shown.set(name, text);
    if (meant !== null) return [name, meant];
    const what = userMessage('cell-not-number', { text: quotable(text) });
    errors.push({ column: name, what, cell: text, fix: text.replace(/[.,]/, '') });
    return [name, ''];
  });
  return { cells: found, shown, errors };
}
