/** Tables with a name on a sheet of an Excel workbook, which may be beside other cells. */
import path from 'node:path';
import type { Archive } from './archive.ts';
import { isVisible } from './cell-visibility.ts';
import type { GridRow } from './grid-row.ts';
import { readXml } from './xml-events.ts';

/** A range of cells, its ends included. */
export interface NamedTable {
  readonly name: string;
  /** From 1. */
  readonly firstRow: number;
  readonly lastRow: number;
  /** From 0. */
  readonly column: number;
  readonly lastColumn: number;
}

/** Characters; Excel allows 255 with the name of the sheet. */
const MAX_NAME = 200;
/** Of one sheet. */
const MAX_TABLES = 100;
const RANGE = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/;

/**
 * @param part the sheet's name in the archive
 * @throws {ArchiveError}
 */
export function namedTables(archive: Archive, part: string): readonly NamedTable[] {
  const folder = path.posix.dirname(part);
  const relations = `${folder}/_rels/${path.posix.basename(part)}.rels`;
  const parts = new Set<string>();
  if (!archive.names.has(relations)) return [];
  readXml(archive.read(relations), {
    open(name, { Type = '', Target = '' }) {
      if (name !== 'Relationship' || !Type.endsWith('/table')) return;
      parts.add(Target.startsWith('/') ? Target.slice(1) : path.posix.join(folder, Target));
    },
  });
  return [...parts]
    .filter((target) => archive.names.has(target))
    .slice(0, MAX_TABLES)
    .flatMap((target) => tableIn(archive.read(target)) ?? []);
}

/** The table that a part is about; `null` if it says none. */
function tableIn(part: Uint8Array): NamedTable | null {
  let table: NamedTable | null = null;
  readXml(part, {
    open(element, { displayName: name = '', ref = '' }) {
      const [, column, firstRow, lastColumn, lastRow] = RANGE.exec(ref) ?? [];
      if (element !== 'table' || column === undefined || lastColumn === undefined) return;
      if (name === '' || name.length > MAX_NAME) return;
      table ??= {
        name,
        firstRow: Number(firstRow),
        lastRow: Number(lastRow),
        column: columnNumber(column),
        lastColumn: columnNumber(lastColumn),
      };
    },
  });
  return table;
}

/** The rows of a table, and those right below it, to which its range was not extended. */
export function rowsOfTable(
  rows: readonly GridRow[],
  { firstRow, lastRow, column, lastColumn }: NamedTable,
): GridRow[] {
  const found: GridRow[] = [];
  let end = lastRow;
  for (const row of rows) {
    if (row.row < firstRow) continue;
    const cells = row.cells.map((cell, at) => (at < column || at > lastColumn ? '' : cell));
    const isBelow = row.row === end + 1 && cells.some(isVisible);
    if (row.row > end && !isBelow) break;
    end = Math.max(end, row.row);
    found.push({ ...row, cells });
  }
  return found;
}

/** 0 for `A`, 26 for `AA`. */
export function columnNumber(letters: string): number {
  return Buffer.from(letters).reduce((number, code) => 26 * number + code - 0x40, 0) - 1;
}
