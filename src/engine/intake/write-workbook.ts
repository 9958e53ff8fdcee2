/** Writes an Excel workbook of texts. */
import writeXlsxFile from 'write-excel-file/universal';

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

/**
 * One sheet, whose first row stays in sight. Every cell is text, so that a spreadsheet changes none.
 * @returns the file's bytes
 */
export async function writeWorkbook(
  sheet: string,
  rows: readonly (readonly SheetCell[])[],
): Promise<Uint8Array> {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [at, { text }] of cells.entries()) {
      widths[at] = Math.min(MAX_WIDTH, Math.max(widths[at] ?? MIN_WIDTH, text.length + 2));
    }
  }
  const data = rows.map((cells, row) =>
    cells.map(({ text, isMarked }) =>
      text === ''
        ? isMarked
          ? { backgroundColor: MARK }
          : null
        : {
            value: text,
            type: String,
            ...(row === 0 ? { fontWeight: 'bold' as const } : {}),
            ...(isMarked ? { backgroundColor: MARK } : {}),
          },
    ),
  );
  const name = sheet.replace(NOT_IN_NAMES, ' ').slice(0, MAX_SHEET_NAME).trim();
  const blob = await writeXlsxFile(data, {
    sheet: name === '' ? 'Spool' : name,
    columns: widths.map((width) => ({ width })),
    stickyRowsCount: 1,
  }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}
