import { CsvError, parse } from 'csv-parse/sync';
import { excessOfDelimited, excessMessage } from './table-size.ts';
import { noRecords, unreadable, type Records, type SourceRow } from './records.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';

const DELIMITERS = [',', ';', '\t'] as const;

/** Comma, semicolon or tab separated values with a header. Row numbers are a spreadsheet's. */
export function readDelimited(name: string, content: string): Records {
  const declared = declaredDelimiter(content);
  const delimiter = declared ?? delimiterOf(content);
  const excess = excessOfDelimited(content, delimiter);
  if (excess !== null) return noRecords('Row', unreadable(excessMessage(name, excess)));
  let lines: string[][];
  try {
    lines = parse(content, {
      delimiter,
      recordDelimiter: ['\r\n', '\n', '\r'],
      relaxColumnCount: true,
      relaxQuotes: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return noRecords('Row', csvFault(name, error));
  }

  const headerAt = lines.findIndex(
    (line, at) => !isBlank(line) && !(at === 0 && declared !== null),
  );
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
          userMessage('row-of-other-width', { row, cells: line.length, columns: header.length }),
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

/** A repeated header gets a number, so that its column is not lost. */
function nameColumns(given: readonly string[]): {
  readonly header: readonly string[];
  readonly repeated: ReadonlyMap<string, string>;
} {
  const taken = new Set(given);
  /** The last number that was appended to each name. */
  const numbers = new Map<string, number>();
  const repeated = new Map<string, string>();
  const header = given.map((name) => {
    if (name === '' || !numbers.has(name)) {
      numbers.set(name, 1);
      return name;
    }
    let number = (numbers.get(name) ?? 1) + 1;
    while (taken.has(`${name} (${number})`)) number += 1;
    numbers.set(name, number);
    const own = `${name} (${number})`;
    taken.add(own);
    repeated.set(own, name);
    return own;
  });
  return { header, repeated };
}

/** The delimiter that a spreadsheet declares in its first line; `null` when it says nothing. */
function declaredDelimiter(content: string): string | null {
  return /^sep=([,;\t])\r?\n/i.exec(content)?.[1] ?? null;
}

/**
 * The delimiter that occurs most often in the first line that is not blank; quoted text is ignored.
 */
function delimiterOf(content: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let isBlank = true;
  for (const character of content) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === '\n' || character === '\r')) {
      if (!isBlank) break;
      for (const delimiter of DELIMITERS) counts.set(delimiter, 0);
    }
    const count = isQuoted ? undefined : counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
    if (character.trim() !== '') isBlank = false;
  }
  const [best] = [...counts].sort(([, one], [, other]) => other - one);
  return best?.[0] ?? ',';
}

function isBlank(line: readonly string[]): boolean {
  return line.every((cell) => cell.trim() === '');
}

function csvFault(name: string, error: CsvError): Failure {
  return error.code === 'CSV_QUOTE_NOT_CLOSED'
    ? unreadable(userMessage('file-quote-open', { name }))
    : unreadable(userMessage('file-no-table', { name }));
}
