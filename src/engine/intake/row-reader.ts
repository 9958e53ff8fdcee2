/** Reads the rows of a file: each becomes its values and its request, or all errors in it. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { userMessage } from '../../contract/user-message.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { textOf, type RawCell } from './cell.ts';
import { errorOf } from './issues.ts';
import type { MatchedColumns } from './match-columns.ts';
import { cellFault, type Records, type SourceRow } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import {
  checkCells,
  checkLimits,
  requestsOf,
  type RowRequest,
  type RowValues,
  type ValueFault,
} from './row-values.ts';

/** One row of a batch, read and checked, with the request that will be sent. */
export interface IntakeRow extends RowRequest {
  /** Unique in the batch; with one file, `rowInFile`. */
  readonly row: number;
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly rowInFile: number;
  /**
   * Its position among the batch's rows that are not empty, including those with errors, from 1.
   */
  readonly index: number;
  /** The video's title, or the row's number where it has none. */
  readonly title: string;
  readonly values: RowValues;
}

/** The maximum length of a column's header in an error, in characters. */
const MAX_HEADER = 120;

/** A row's request, or all errors in the row. */
export type RowReading =
  | { readonly kind: 'row'; readonly row: IntakeRow }
  | { readonly kind: 'faulty'; readonly faults: readonly BatchIssue[] };

/**
 * Converts the rows of one file into requests.
 * @returns reads a row; the second argument is its position among the batch's rows that are not
 *   empty, from 1
 */
export function rowReader(
  template: RequestTemplate,
  unit: Records['unit'],
  { names, byName }: Pick<MatchedColumns, 'names' | 'byName'>,
): (source: SourceRow, index: number) => RowReading {
  const makeRequest = requestsOf(template);
  /** The file's columns for each name: entries of JSON may spell one column differently. */
  const sources = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const [given, known] of byName) for (const name of known) sources.get(name)?.push(given);
  const headerOf = (name: string): string => {
    const header = sources.get(name)?.at(0);
    return (header !== undefined && sanitizeRemoteText(header, MAX_HEADER)) || name;
  };
  return (source, index) => {
    const { row } = source;
    const { cells, faults: inSources } = fieldCells(template, sources, source);
    const { values, faults: inCells } = checkCells(template, cells, unit === 'Row');
    const inRow = [...inSources, ...inCells];
    const found = inRow.length > 0 ? inRow : checkLimits(template, values, headerOf);
    if (found.length > 0) {
      const faults: BatchIssue[] = [];
      for (const { column: name, what, cell, fix } of found) {
        const place = { name, header: headerOf(name) };
        const fault = errorOf(cellFault(unit, row, place, what), { text: cell, fix });
        // A request that the user wrote may have a column under its header and the profile's name.
        if (faults.every(({ message }) => message !== fault.message)) faults.push(fault);
      }
      return { kind: 'faulty', faults };
    }
    const request = makeRequest(values);
    const title = request.title ?? `${unit} ${row}`;
    return { kind: 'row', row: { row, rowInFile: row, index, values, ...request, title } };
  };
}

/** The cell of each field. In JSON, an object may have a field's name and another name for it. */
function fieldCells(
  { columns }: RequestTemplate,
  sources: ReadonlyMap<string, readonly string[]>,
  { cells, numbers }: SourceRow,
): { readonly cells: readonly (readonly [string, RawCell])[]; readonly faults: ValueFault[] } {
  const faults: ValueFault[] = [];
  const found = Array.from(sources, ([name, givens]): readonly [string, RawCell] => {
    const [first, ...others] = givens.filter(
      (given) => Object.hasOwn(cells, given) && textOf(cells[given] ?? '').trim() !== '',
    );
    if (first === undefined) return [name, ''];
    const cell = cells[first] ?? '';
    const other = others.find((each) => textOf(cells[each] ?? '').trim() !== textOf(cell).trim());
    if (other !== undefined) {
      faults.push({ column: name, what: userMessage('cell-two-keys', { one: first, other }) });
    }
    // A workbook's number is sent, not its digits: “1.500” is 1500 in a German one.
    const column = columns[name];
    const isNumber = column?.type === 'number' && column.asWritten !== true;
    return [name, (isNumber ? numbers?.[first] : undefined) ?? cell];
  });
  return { cells: found, faults };
}
