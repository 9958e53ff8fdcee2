/** Reads the rows of a file: each becomes its values and its request, or all errors in it. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import type { RawCell } from './cell.ts';
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
    const header = sources.get(name)?.at(-1);
    return (header !== undefined && sanitizeRemoteText(header, MAX_HEADER)) || name;
  };
  return ({ cells, row }, index) => {
    const { values, faults: inCells } = checkCells(
      template,
      cellsOf(sources, cells),
      unit === 'Row',
    );
    const found = inCells.length > 0 ? inCells : checkLimits(template, values, headerOf);
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

function* cellsOf(
  sources: ReadonlyMap<string, readonly string[]>,
  cells: SourceRow['cells'],
): Generator<readonly [string, RawCell]> {
  for (const [name, givens] of sources) {
    const given = givens.findLast((each) => Object.hasOwn(cells, each));
    yield [name, given === undefined ? '' : (cells[given] ?? '')];
  }
}
