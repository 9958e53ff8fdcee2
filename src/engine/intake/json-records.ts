import { z } from 'zod';
import type { Failure } from '../../contract/failure.ts';
import { tell } from '../../contract/told.ts';
import { parseExactly } from '../exact-json.ts';
import { cellFault, noRecords, unreadable, type Records, type SourceRow } from './records.ts';

/** `null` is how JSON writes an empty cell. */
const cellSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
  z.null().transform(() => ''),
]);

/** A JSON array of objects, one a video. Rows are counted from 1. */
export function readJsonArray(name: string, content: string): Records {
  const json = parseJson(content);
  if (!Array.isArray(json)) {
    return noRecords('Entry', unreadable(tell('file-no-list', { name, example: '{…}' })));
  }
  return collect(
    'Entry',
    json.map((value: unknown, index) => ({ value, row: index + 1, text: textOfEntry(value) })),
  );
}

/** One JSON object a line. Rows are the file's lines. */
export function readJsonLines(content: string): Records {
  const lines = content
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line, row: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
  return collect(
    'Line',
    lines.map(({ line, row }) => ({ value: parseJson(line), row, text: line })),
  );
}

interface Entry {
  readonly value: unknown;
  readonly row: number;
  /** As the file has it, to find it again by. */
  readonly text: string;
}

function collect(unit: Records['unit'], entries: readonly Entry[]): Records {
  const columns = new Set<string>();
  const rows: SourceRow[] = [];
  const damaged: SourceRow[] = [];
  const faults: Failure[] = [];
  for (const { value, row, text } of entries) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const sentence = unit === 'Entry' ? 'entry-no-object' : 'line-no-object';
      faults.push(unreadable(tell(sentence, { row, example: '{"title": "…"}' }), row));
      damaged.push({ row, cells: { '': text } });
      continue;
    }
    const cells: SourceRow['cells'][string][] = [];
    const names = Object.keys(value).map((column) => column.trim());
    for (const [index, cell] of Object.values(value as Record<string, unknown>).entries()) {
      const parsed = cellSchema.safeParse(cell);
      if (parsed.success) {
        cells.push(parsed.data);
        continue;
      }
      const column = names[index] ?? '';
      faults.push(cellFault(unit, row, column, tell('cell-of-other-kind')));
      cells.push('');
    }
    for (const column of names) columns.add(column);
    rows.push({
      row,
      cells: Object.fromEntries(names.map((column, at) => [column, cells[at] ?? ''])),
    });
  }
  return { unit, columns: [...columns], repeated: new Map(), rows, damaged, faults };
}

/** What an entry without fields says; nothing for a list, which may be as deep as it likes. */
function textOfEntry(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
