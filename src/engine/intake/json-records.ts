import { MAX_BATCH_COLUMNS, MAX_BATCH_ROWS } from '../../contract/batch-limits.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import { rawCellSchema } from './cell.ts';
import { parseExactly } from '../../contract/json-text.ts';
import { excessOfJson, excessMessage } from './table-size.ts';
import { cellFault, noRecords, unreadable, type Records, type SourceRow } from './records.ts';

/** A JSON array of objects, one per video. Rows are counted from 1. */
export function readJsonArray(name: string, content: string): Records {
  const excess = excessOfJson(content, true);
  if (excess !== null) return noRecords('Entry', unreadable(excessMessage(name, excess)));
  const json = parseJson(content);
  if (!Array.isArray(json)) {
    return noRecords('Entry', unreadable(userMessage('file-no-list', { name, example: '{…}' })));
  }
  return collect(
    'Entry',
    name,
    json.map((value: unknown, index) => ({ value, row: index + 1, text: textOfEntry(value) })),
  );
}

/** One JSON object per line. A row's number is its line's. */
export function readJsonLines(name: string, content: string): Records {
  const excess = excessOfJson(content, false);
  if (excess !== null) return noRecords('Line', unreadable(excessMessage(name, excess)));
  const entries: Entry[] = [];
  for (const { line, row } of linesOf(content)) {
    if (entries.length === MAX_BATCH_ROWS) {
      return noRecords('Line', unreadable(excessMessage(name, 'rows')));
    }
    entries.push({ value: parseJson(line), row, text: line });
  }
  return collect('Line', name, entries);
}

/** The lines that are not blank, with their numbers. */
function* linesOf(content: string): Generator<{ readonly line: string; readonly row: number }> {
  const end = /\r\n|\n|\r/g;
  for (let row = 1, start = 0; start < content.length; row += 1) {
    const found = end.exec(content);
    const line = content.slice(start, found?.index);
    if (line.trim() !== '') yield { line, row };
    start = found ? end.lastIndex : content.length;
  }
}

interface Entry {
  readonly value: unknown;
  readonly row: number;
  /** The name as it is in the file, to find it there. */
  readonly text: string;
}

function collect(unit: Records['unit'], name: string, entries: readonly Entry[]): Records {
  const columns = new Set<string>();
  const rows: SourceRow[] = [];
  const damaged: SourceRow[] = [];
  const faults: Failure[] = [];
  for (const { value, row, text } of entries) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const sentence = unit === 'Entry' ? 'entry-no-object' : 'line-no-object';
      faults.push(unreadable(userMessage(sentence, { row, example: '{"title": "…"}' }), row));
      damaged.push({ row, cells: { '': text } });
      continue;
    }
    const cells: SourceRow['cells'][string][] = [];
    const names = Object.keys(value).map((column) => column.trim());
    for (const [index, cell] of Object.values(value as Record<string, unknown>).entries()) {
      const parsed = rawCellSchema.safeParse(cell);
      if (parsed.success) {
        cells.push(parsed.data);
        continue;
      }
      const column = names[index] ?? '';
      faults.push(
        cellFault(unit, row, { name: column, header: column }, userMessage('cell-of-other-kind')),
      );
      cells.push('');
    }
    for (const column of names) columns.add(column);
    if (columns.size > MAX_BATCH_COLUMNS) {
      return noRecords(unit, unreadable(excessMessage(name, 'columns')));
    }
    rows.push({
      row,
      cells: Object.fromEntries(names.map((column, at) => [column, cells[at] ?? ''])),
    });
  }
  return { unit, columns: [...columns], repeated: new Map(), rows, damaged, faults };
}

/** The text of an entry that is no object; empty for a list, which may be nested deeply. */
function textOfEntry(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value);
}

/**
 * Objects put names that are whole numbers first, which would reorder the columns. A space before
 * such a name keeps its place; names are trimmed later. In JSON, quoted digits before a colon are a
 * name, unless the first quotation mark is escaped and so part of a text.
 */
function parseJson(text: string): unknown {
  try {
    return parseExactly(text.replace(/(?<!\\)"(\d+)"(?=\s*:)/g, '" $1"'));
  } catch {
    return undefined;
  }
}
