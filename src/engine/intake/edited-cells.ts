/** Applies the user's corrections of cells to the rows of a batch, before they are checked. */
import type { CellEdits, UnfitEdit } from '../../contract/batch.ts';
import { textOf } from './cell.ts';
import { foldHeader } from './match-columns.ts';
import type { Records, SourceRow } from './records.ts';

/** @returns the records with each corrected cell as it was typed */
export function withEdits<Given extends Records>(records: Given, edits: CellEdits = {}): Given {
  return applyEdits(records, edits).records;
}

/**
 * Corrections of rows that are not in the file have no effect; a column that is not in the file is
 * added to it.
 * @param editsOf the texts that cells had: a correction of another text is not applied
 * @returns the records with each corrected cell as it was typed, and what was not applied
 */
export function applyEdits<Given extends Records>(
  records: Given,
  edits: CellEdits = {},
  editsOf: CellEdits = {},
): { readonly records: Given; readonly unfit: readonly UnfitEdit[] } {
  if (Object.keys(edits).length === 0) return { records, unfit: [] };
  const columns = new Set(records.columns);
  const left = new Set(Object.keys(editsOf));
  const unfit: UnfitEdit[] = [];
  const rows = records.rows.map((source) => {
    const typed = edits[String(source.row)];
    if (typed === undefined) return source;
    left.delete(String(source.row));
    const before = editsOf[String(source.row)] ?? {};
    const fitting = Object.entries(typed).filter(([column, text]) => {
      const isFitting =
        !Object.hasOwn(before, column) ||
        (records.columns.includes(column) && cellIn(source, column) === before[column]?.trim());
      if (!isFitting) unfit.push({ row: source.row, column, text });
      return isFitting;
    });
    for (const [column] of fitting) columns.add(column);
    return withCells(source, Object.fromEntries(fitting));
  });
  for (const row of left) {
    for (const [column, text] of Object.entries(edits[row] ?? {})) {
      if (Object.hasOwn(editsOf[row] ?? {}, column)) unfit.push({ row: Number(row), column, text });
    }
  }
  return { records: { ...records, columns: [...columns], rows }, unfit };
}

function cellIn({ cells }: SourceRow, column: string): string {
  return textOf((Object.hasOwn(cells, column) ? cells[column] : undefined) ?? '').trim();
}

function withCells(source: SourceRow, typed: CellEdits[string]): SourceRow {
  const replaced = new Set(Object.keys(typed).map(foldHeader));
  // An entry of JSON may spell the column differently; that cell is corrected, too.
  const others = Object.entries(source.cells).filter(
    ([column]) => Object.hasOwn(typed, column) || !replaced.has(foldHeader(column)),
  );
  // The file's number no longer is that of a corrected cell.
  const numbers = Object.entries(source.numbers ?? {}).filter(
    ([column]) => !replaced.has(foldHeader(column)),
  );
  return {
    ...source,
    cells: { ...Object.fromEntries(others), ...typed },
    numbers: Object.fromEntries(numbers),
  };
}
