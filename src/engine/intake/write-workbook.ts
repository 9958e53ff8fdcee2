/** Writes an Excel workbook of texts. */
import type { CellObject } from 'write-excel-file/universal';
import { withoutTimes } from './tables/rewrite-archive.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface SheetCell {
  readonly text: string;
  /** Shown on a coloured ground. */
  readonly isMarked: boolean;
}

/** The most characters of a sheet's name, and those that it cannot have. */
const MAX_SHEET_NAME = 31;
const NOT_IN_NAMES = /[\\/?*[\]:\p{Cc}]/gu;
const MARK = '#FFD9D9';
/** Characters, as spreadsheets measure the width of columns. */
const MIN_WIDTH = 10;
const MAX_WIDTH = 60;

export interface SheetToWrite {
  readonly name: string;
  /** The first one stays in sight. */
  readonly rows: readonly (readonly SheetCell[])[];
}

/**
 * Every cell is text, so that a spreadsheet changes none. The same sheets give the same bytes.
 * @returns the file's bytes
 */
export async function writeWorkbook(sheets: readonly SheetToWrite[]): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const blob = await writeXlsxFile(
    sheets.map(({ name, rows }) => ({
      data: rows.map((cells, row) => cells.map((cell) => cellOf(cell, row === 0))),
      sheet: sheetName(name),
      columns: widthsOf(rows).map((width) => ({ width })),
      stickyRowsCount: 1,
    })),
  ).toBlob();
  return withoutTimes(new Uint8Array(await blob.arrayBuffer()));
}

function cellOf({ text, isMarked }: SheetCell, isHeader: boolean): CellObject | null {
  const ground = isMarked ? { backgroundColor: MARK } : {};
  if (text === '') return isMarked ? ground : null;
  return { value: text, type: String, ...ground, ...(isHeader ? { fontWeight: 'bold' } : {}) };
}

function widthsOf(rows: SheetToWrite['rows']): number[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [at, { text }] of cells.entries()) {
      widths[at] = Math.min(MAX_WIDTH, Math.max(widths[at] ?? MIN_WIDTH, text.length + 2));
    }
  }
  return widths;
}

function sheetName(name: string): string {
  return name.replace(NOT_IN_NAMES, ' ').slice(0, MAX_SHEET_NAME).trim() || 'Spool';
}

export function plainCells(texts: readonly string[]): SheetCell[] {
  return texts.map((text) => ({ text, isMarked: false }));
}
