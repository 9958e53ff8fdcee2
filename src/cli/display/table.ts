import path from 'node:path';
import { paint, type Canvas } from './canvas.ts';
import { cells, cutTo, fit } from './text-cells.ts';

/** Aligned columns: the first to the left, the others to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  canvas: Canvas,
): string[] {
  const widths = head.map((name, column) =>
    Math.max(cells(name), ...rows.map((row) => cells(row[column] ?? ''))),
  );
  const others = widths.slice(1).reduce((sum, width) => sum + width + 2, 0);
  widths[0] = Math.max(8, Math.min(widths[0] ?? 0, canvas.width - others));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? fit(shorten(cell, width), width) : fit(cell, width, 'right');
      })
      .join('  ');
  return [paint(canvas, 'dim', line(head)), ...rows.map(line)];
}

/** Cuts the beginning of a path that is too long: its end distinguishes files. */
function shorten(file: string, width: number): string {
  if (cells(file) <= width) return file;
  const { dir, base } = path.parse(file);
  const roomForFolder = width - cells(base) - 1;
  return roomForFolder < 2 ? cutTo(base, width) : `${cutTo(dir, roomForFolder)}/${base}`;
}
