import { CsvError, parse } from 'csv-parse/sync';
import { noRecords, unreadable, type Records, type SourceRow } from './records.ts';
import type { Failure } from '../../contract/failure.ts';
import { tell } from '../../contract/told.ts';

const DELIMITERS = [',', ';', '\t'] as const;

/** Comma, semicolon or tab separated values with a header. Row numbers are a spreadsheet's. */
export function readDelimited(name: string, content: string): Records {
  const told = toldDelimiter(content);
  let lines: string[][];
  try {
    lines = parse(content, {
      delimiter: told ?? delimiterOf(content),
      recordDelimiter: ['\r\n', '\n', '\r'],
      relaxColumnCount: true,
      relaxQuotes: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return noRecords('Row', csvFault(name, error));
  }

  const headerAt = lines.findIndex((line, at) => !isBlank(line) && !(at === 0 && told !== null));
  const { header, repeated } = nameColumns((lines[headerAt] ?? []).map((cell) => cell.trim()));
  const faults: Failure[] = [];
  const rows: SourceRow[] = [];
  const damaged: SourceRow[] = [];
  for (const [index, line] of lines.entries()) {
    if (index <= headerAt || isBlank(line)) continue;
    const row = index + 1;
    const named = header.flatMap((column, at): [string, string][] =>
      column === '' ? [] : [[column, line[at] ?? '']],
    );
    const source = { row, cells: Object.fromEntries(named) };
    const used = line.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (line.length < header.length || used > header.length) {
      faults.push(
        unreadable(
          tell('row-of-other-width', { row, cells: line.length, columns: header.length }),
          row,
        ),
      );
      damaged.push(source);
      continue;
    }
    rows.push(source);
  }
  const columns = header.filter((column) => column !== '');
  return { unit: 'Row', columns, repeated, rows, damaged, faults };
}

/** A header that is there again gets a number, so that what stands under it is not lost. */
function nameColumns(given: readonly string[]): {
  readonly header: readonly string[];
  readonly repeated: ReadonlyMap<string, string>;
} {
  const taken = new Set(given);
  const seen = new Set<string>();
  const repeated = new Map<string, string>();
  const header = given.map((name) => {
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return name;
    }
    let number = 2;
    while (taken.has(`${name} (${number})`)) number += 1;
    const own = `${name} (${number})`;
    taken.add(own);
    repeated.set(own, name);
    return own;
  });
  return { header, repeated };
}

/** What a spreadsheet says by itself in a first line of its own; `null` when it says nothing. */
function toldDelimiter(content: string): string | null {
  return /^sep=([,;\t])\r?\n/i.exec(content)?.[1] ?? null;
}

/** The one that parts the header into most columns; quoted text does not count. */
function delimiterOf(content: string): string {
  const [header = ''] = content
    .replace(/"(?:[^"]|"")*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  const columns = (delimiter: string): number => header.split(delimiter).length;
  return [...DELIMITERS].sort((one, other) => columns(other) - columns(one))[0] ?? ',';
}

function isBlank(line: readonly string[]): boolean {
  return line.every((cell) => cell.trim() === '');
}

function csvFault(name: string, error: CsvError): Failure {
  return error.code === 'CSV_QUOTE_NOT_CLOSED'
    ? unreadable(tell('file-quote-open', { name }))
    : unreadable(tell('file-no-table', { name }));
}
