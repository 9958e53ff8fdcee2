/**
 * The values of a row and what follows from them: its request, title and preset. A row is checked
 * here whether a file or an edit gives its values, so that the same limits apply.
 */
import { hash } from 'node:crypto';
import { pictureIn, picturesIn, type PictureValue, textsIn } from '../../contract/picture-value.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import {
  cellText,
  readCell,
  textOf,
  titleOf,
  withoutGaps,
  type CellValue,
  type RawCell,
} from './cell.ts';
import { limitIssue } from './cell-limits.ts';
import { scenesOf, scenesTooLong } from './scene-lengths.ts';
import { compileBody, presetOf, type RequestValue } from './request-body.ts';
import type { RequestTemplate } from './request-template.ts';
import { findArtefact, spreadsheetText } from './spreadsheet-cell.ts';

/**
 * A row as it is stored: every column of its file in order, with the template's name where it is
 * matched. Values of the template's columns have the column's type; `''` is an empty cell. Texts of
 * other columns are for file names.
 */
export type RowValues = readonly (readonly [column: string, value: CellValue])[];

/** Everything that is derived from a row's values. */
export interface RowRequest {
  /** Canonical JSON, byte for byte as it is sent. */
  readonly body: string;
  /** SHA-256 of `body` in lower-case hex: rows with the same request have the same. */
  readonly bodySha256: string;
  /** The video's title on one line; `null` for a row without one. */
  readonly title: string | null;
  /** The key for learned render times: rows with the same preset take about as long. */
  readonly preset: string;
}

/** A column's value that is not allowed. `what` completes a sentence that begins with the column. */
export interface ValueIssue {
  readonly column: string;
  readonly what: UserMessage;
  /** The cell's text. */
  readonly cell?: string;
  /** What the cell should probably contain. */
  readonly fix?: string | undefined;
}

/**
 * Compiles a template into the function that makes the request of a row. It is pure: equal values
 * make equal bytes, whatever their order.
 * @param pictureOf how a picture stands in the request; left out, by the hash of its bytes, as
 *   requests are stored and compared
 */
export function requestsOf(
  template: RequestTemplate,
  pictureOf: PictureOf = pictureReference,
): (values: RowValues) => RowRequest {
  const bodyOf = compileBody(template);
  const pictures = pictureColumns(template);
  return (row) => {
    const cells = completeValues(template, row);
    const shown = new Map<string, RequestValue>(cells);
    for (const name of pictures) {
      const value = cells.get(name) ?? '';
      const [first] = picturesIn(value);
      if (first === undefined) continue;
      const each = textsIn(value).flatMap((text): RequestValue => {
        const picture = pictureIn(text);
        return picture === undefined ? text : pictureOf(name, picture);
      });
      shown.set(name, typeof value === 'object' ? each : pictureOf(name, first));
    }
    const body = bodyOf(shown);
    const title = cells.get(template.title);
    return {
      body,
      bodySha256: hash('sha256', body),
      title: title === undefined ? null : titleOf(title),
      preset: presetOf(template, cells),
    };
  };
}

/** How a file of a column stands in a request. */
export type PictureOf = (column: string, picture: PictureValue) => RequestValue;

/** Does not depend on where the file is. */
function pictureReference(_column: string, { sha256 }: PictureValue): string {
  return `sha256:${sha256}`;
}

/** The columns that hold pictures. */
export function pictureColumns({ columns }: Pick<RequestTemplate, 'columns'>): string[] {
  return Object.entries(columns).flatMap(([name, { type }]) => (type === 'picture' ? [name] : []));
}

/** The request of one row. To make those of many rows, compile the template once. */
export function requestOf(template: RequestTemplate, values: RowValues): RowRequest {
  return requestsOf(template)(values);
}

/** The values of the template's columns, with the default for an empty cell. */
export function completeValues(
  { columns }: Pick<RequestTemplate, 'columns'>,
  row: RowValues,
): Map<string, CellValue> {
  const values = new Map<string, CellValue>();
  for (const [name, value] of row) {
    if (value !== '' && Object.hasOwn(columns, name)) values.set(name, value);
  }
  for (const name of Object.keys(columns)) {
    const byDefault = columns[name]?.default;
    if (byDefault !== undefined && !values.has(name)) values.set(name, byDefault);
  }
  return values;
}

/**
 * Checks the cells of a row, or those that an edit changes, and converts them to their columns'
 * types. A column that the template lacks keeps its text.
 * @param cells by the template's names
 * @param isSpreadsheet whether error values and formulas are those of a spreadsheet, and not texts
 */
export function checkCells(
  { columns }: RequestTemplate,
  cells: Iterable<readonly [string, RawCell]>,
  isSpreadsheet = false,
): { readonly values: RowValues; readonly errors: readonly ValueIssue[] } {
  const values: (readonly [string, CellValue])[] = [];
  const errors: ValueIssue[] = [];
  for (const [name, given] of cells) {
    const text = isSpreadsheet && typeof given === 'string' ? given.trim() : null;
    const raw = text === null ? given : spreadsheetText(text);
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (column === undefined) {
      values.push([name, textOf(raw).trim()]);
      continue;
    }
    const artefact = text === null ? null : findArtefact(text);
    if (artefact !== null) {
      errors.push({ column: name, cell: textOf(given), ...artefact });
      continue;
    }
    const reading = readCell(raw, column);
    const kept = withoutGaps(reading, column);
    if (kept.kind === 'invalid') {
      errors.push({ column: name, what: kept.what, cell: textOf(given), fix: kept.fix });
    } else values.push([name, reading.kind === 'value' ? reading.value : '']);
  }
  return { values, errors };
}

/**
 * The limits between columns that a row exceeds, and a length that is too short for its scenes; call
 * it for rows whose cells have no error.
 * @param headerOf what the user calls a column
 */
export function checkLimits(
  template: RequestTemplate,
  row: RowValues,
  headerOf: (column: string) => string,
): readonly ValueIssue[] {
  const { limits = [], sceneSeconds } = template;
  if (limits.length === 0 && sceneSeconds === undefined) return [];
  const values = completeValues(template, row);
  const exceeded = limits.flatMap((limit) => {
    const what = limitIssue(limit, values, headerOf);
    const cell = cellText(values.get(limit.column) ?? '');
    return what === null ? [] : [{ column: limit.column, what, cell }];
  });
  const scenes = sceneSeconds === undefined ? null : scenesOf(template);
  const tooLong = scenes && scenesTooLong(scenes, values, sceneSeconds ?? 0);
  return tooLong === null ? exceeded : [...exceeded, tooLong];
}
