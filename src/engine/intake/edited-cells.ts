/** Applies the user's corrections of cells to the rows of a batch, before they are checked. */
import type { CellEdits } from '../../contract/batch.ts';
import { textOf } from './cell.ts';
import { foldHeader } from './match-columns.ts';
import type { Records, SourceRow } from './records.ts';

/**
 * Corrections of rows that are not in the file have no effect; a column that is not in the file is
 * added to it.
 * @returns the records with each corrected cell as it was typed
 */
export function withEdits<Given extends Records>(records: Given, edits: CellEdits = {}): Given {
  if (Object.keys(edits).length === 0) return records;
  const columns = new Set(records.columns);
  const rows = records.rows.map((source) => {
    const typed = edits[String(source.row)];
    if (typed === undefined) return source;
    for (const column of Object.keys(typed)) columns.add(column);
    return withCells(source, typed);
  });
  return { ...records, columns: [...columns], rows };
}

/** The text of a cell as a reader sees it; empty for a column that the row does not have. */
export function cellIn({ cells }: SourceRow, column: string): string {
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
