/** Finds the rows of one version of a table in another, by their texts rather than their numbers. */
import { textOf } from './cell.ts';
import type { Records } from './records.ts';
import type { TableGrid } from './tables/grid-row.ts';

/** The rows of records by the places of their cells; for files without such places, by their columns. */
export function gridOf({ grid, columns, rows, damaged }: Records): TableGrid {
  if (grid !== undefined) return grid;
  const all = [...rows, ...damaged].sort((one, other) => one.row - other.row);
  return {
    names: columns,
    rows: all.map(({ row, cells }) => ({
      row,
      cells: columns.map((name) => textOf(Object.hasOwn(cells, name) ? (cells[name] ?? '') : '')),
    })),
  };
}

/**
 * Maps the numbers of rows to those that they have in another version. A row is the same if all of
 * its texts are: columns may be in another order, and further ones may have been added. Of several
 * equal rows, each is found only if there are as many as before and no row was moved.
 */
export function findRows(before: TableGrid, after: TableGrid): ReadonlyMap<number, number> {
  const common = before.names.filter((name) => name !== '' && after.names.includes(name));
  const isWhole = before.names.every((name) => name === '' || common.includes(name));
  const earlier = keysOf(before, common, new Set());
  const added = new Set(isWhole ? after.names.filter((name) => name !== '') : []);
  const later = keysOf(after, common, added);
  const [ofEarlier, ofLater] = [placesOf(earlier), placesOf(later)];
  const isKept = (key: string): boolean => ofEarlier.get(key)?.length === ofLater.get(key)?.length;
  const keptNow = later.filter(isKept);
  const isInOrder = earlier.filter(isKept).every((key, at) => key === keptNow[at]);
  const found = new Map<number, number>();
  for (const [key, places] of ofEarlier) {
    if (!isKept(key) || (places.length > 1 && !isInOrder)) continue;
    for (const [at, place] of places.entries()) {
      const [row, now] = [before.rows[place], after.rows[ofLater.get(key)?.[at] ?? -1]];
      if (row !== undefined && now !== undefined) found.set(row.row, now.row);
    }
  }
  return found;
}

/** The row with the texts of a header, in any order; `undefined` if none or several have them. */
export function findHeader(
  before: TableGrid,
  headerRow: number,
  after: TableGrid,
): number | undefined {
  const keyOf = (cells: readonly string[]): string =>
    JSON.stringify(
      cells
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
        .sort(),
    );
  const header = before.rows.find(({ row }) => row === headerRow);
  if (header === undefined) return undefined;
  const alike = ({ rows }: TableGrid): number[] =>
    rows.filter(({ cells }) => keyOf(cells) === keyOf(header.cells)).map(({ row }) => row);
  const [earlier, later] = [alike(before), alike(after)];
  return earlier.length === later.length ? later[earlier.indexOf(headerRow)] : undefined;
}

/**
 * What identifies each row: its texts in common columns, and after them those at other places.
 * @param ignored columns that identify nothing
 */
function keysOf(
  { names, rows }: TableGrid,
  common: readonly string[],
  ignored: ReadonlySet<string>,
): readonly string[] {
  const places = common.map((name) => names.indexOf(name));
  const known = new Set(places);
  return rows.map(({ cells }) => {
    const others = cells.flatMap((cell, at) =>
      known.has(at) || ignored.has(names[at] ?? '') ? [] : [cell.trim()],
    );
    const end = others.findLastIndex((text) => text !== '') + 1;
    return JSON.stringify([
      places.map((place) => (cells[place] ?? '').trim()),
      others.slice(0, end),
    ]);
  });
}

function placesOf(keys: readonly string[]): ReadonlyMap<string, readonly number[]> {
  return Map.groupBy(keys.keys(), (at) => keys[at] ?? '');
}
