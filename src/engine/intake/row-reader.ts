import type { Failure } from '../../contract/failure.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { readCell, textOf, titleOf, withoutGaps, type CellValue, type RawCell } from './cell.ts';
import { limitFault } from './cell-limits.ts';
import { cellFault, type Records, type SourceRow } from './records.ts';
import { compileBody, presetOf, requestSha256 } from './request-body.ts';
import type { RequestTemplate } from './request-template.ts';

/** One row of a batch, read, checked and converted to the request that will be sent. */
export interface IntakeRow {
  /** Unique in the batch; with one file, `rowInFile`. */
  readonly row: number;
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly rowInFile: number;
  /**
   * Its position among the batch's rows that are not empty, including those with errors, from 1.
   */
  readonly index: number;
  readonly title: string;
  /** Every cell by its column's name, for file names and the database. */
  readonly cells: Readonly<Record<string, string>>;
  /** The request body as it will be sent, byte for byte. */
  readonly body: string;
  /** Two rows with the same one have the same request. */
  readonly bodySha256: string;
  /** The key for learned render times: rows with the same preset take about as long. */
  readonly preset: string;
}

/** The maximum length of a column's header in an error, in characters. */
const MAX_HEADER = 120;

/** A row's request, or all errors in the row. */
export type RowReading =
  | { readonly kind: 'row'; readonly row: IntakeRow }
  | { readonly kind: 'faulty'; readonly faults: readonly Failure[] };

/**
 * Converts the rows of one file into requests.
 * @param columnNames maps the file's names for its columns to the template's
 * @param asWritten columns of numbers that stay as the file has them where they are part of a text
 * @returns reads a row; the second argument is its position among the batch's rows that are not
 *   empty, from 1
 */
export function rowReader(
  template: RequestTemplate,
  unit: Records['unit'],
  columnNames: ReadonlyMap<string, readonly string[]>,
  asWritten: readonly string[],
): (source: SourceRow, index: number) => RowReading {
  const columns = Object.entries(template.columns);
  const bodyOf = compileBody(template.body);
  /** From the template's names to the file's, as errors show them. */
  const headers = new Map(
    [...columnNames].flatMap(([header, names]) =>
      names.map((name) => [name, sanitizeRemoteText(header, MAX_HEADER) || name] as const),
    ),
  );
  const headerOf = (name: string): string => headers.get(name) ?? name;
  return ({ cells, row }, index) => {
    const raw = new Map<string, RawCell>();
    for (const [name, cell] of Object.entries(cells)) {
      for (const known of columnNames.get(name) ?? [name]) raw.set(known, cell);
    }
    const values = new Map<string, CellValue>();
    const faults: Failure[] = [];
    for (const [name, column] of columns) {
      const reading = withoutGaps(readCell(raw.get(name) ?? '', column), column);
      if (reading.kind === 'value') values.set(name, reading.value);
      if (reading.kind === 'fault') {
        const fault = cellFault(unit, row, { name, header: headerOf(name) }, reading.what);
        // A request that the user wrote may have a column under its header and the profile's name.
        if (faults.every(({ message }) => message !== fault.message)) faults.push(fault);
      }
    }
    for (const limit of faults.length > 0 ? [] : (template.limits ?? [])) {
      const what = limitFault(limit, values, headerOf);
      if (what === null) continue;
      const { column: name } = limit;
      faults.push(cellFault(unit, row, { name, header: headerOf(name) }, what));
    }
    if (faults.length > 0) return { kind: 'faulty', faults };
    const texts = asWritten.map((name) => [name, textOf(raw.get(name) ?? '').trim()] as const);
    const body = bodyOf(values, new Map(texts));
    const title = values.get(template.title);
    return {
      kind: 'row',
      row: {
        row,
        rowInFile: row,
        index,
        title: title === undefined ? `${unit} ${row}` : titleOf(title),
        cells: Object.fromEntries([...raw].map(([name, cell]) => [name, textOf(cell).trim()])),
        body,
        bodySha256: requestSha256(body),
        preset: presetOf(template, values),
      },
    };
  };
}
