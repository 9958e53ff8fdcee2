import type { ColumnChoice } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { isSpreadsheet, unreadable, type Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';

/** The most characters of a message that lists a file's columns. */
const MAX_LISTED = 1000;

export interface MatchedColumns {
  /** The file's columns in its order, with the template's names if they are matched to one. */
  readonly names: readonly string[];
  /**
   * Maps the file's name for a column to the template's names for it: one, or several if the user
   * selected it for several.
   */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Maps the template's columns to the file's columns that they take values from. */
  readonly sources: ReadonlyMap<string, string>;
  readonly errors: readonly Failure[];
}

/**
 * Matches a file's columns to the template's: as the user selected, or else by their headers. An
 * unmatched column keeps its name.
 */
export function matchColumns(
  records: Records,
  { columns }: RequestTemplate,
  chosen: ColumnChoice = {},
): MatchedColumns {
  const known = spellings(columns);
  const nameOfSimilar = similarHeaders(columns);
  const byName = new Map<string, string[]>();
  const sources = new Map<string, string>();
  const errors: Failure[] = [];
  for (const [name, given] of Object.entries(chosen)) {
    const error = choiceIssue(name, given, columns, records);
    if (error) errors.push(error);
    else if (given !== null) {
      byName.set(given, [...(byName.get(given) ?? []), name]);
      sources.set(name, given);
    }
  }
  /** Columns that a header names exactly; another header is not taken for them. */
  const named = new Set(
    records.columns.map((given) => known.get(foldHeader(records.repeated.get(given) ?? given))),
  );
  const taken = new Map([...sources].map(([name, given]) => [foldHeader(name), given]));
  for (const given of records.columns) {
    if (byName.has(given)) continue;
    const header = records.repeated.get(given) ?? given;
    const exact = known.get(foldHeader(header));
    const similar = exact === undefined ? nameOfSimilar(header) : undefined;
    const name = exact ?? (similar !== undefined && !named.has(similar) ? similar : given);
    if (similar !== undefined) named.add(similar);
    if (Object.hasOwn(chosen, name)) {
      // The header names a template column for which another column, or none, was selected.
      byName.set(given, [`${given} (as in the file)`]);
      continue;
    }
    const other = taken.get(foldHeader(name));
    if (other !== undefined && isSpreadsheet(records.unit)) {
      errors.push({
        ...unreadable(userMessage('columns-alike', { one: other, other: given })),
        column: name,
      });
      // The header is ambiguous, so the user decides.
      sources.delete(name);
      continue;
    }
    byName.set(given, [name]);
    taken.set(foldHeader(name), given);
    if (Object.hasOwn(columns, name)) sources.set(name, given);
  }
  const names = [...new Set(records.columns.flatMap((given) => byName.get(given) ?? []))];
  for (const [name, column] of Object.entries(columns)) {
    if (column.required !== true || taken.has(foldHeader(name))) continue;
    if (errors.some((error) => error.column === name)) continue;
    errors.push({
      code: 'column-missing',
      ...userMessage('column-missing', {
        name,
        columns: sanitizeRemoteText(records.columns.join(', '), MAX_LISTED),
      }),
      column: name,
    });
  }
  return { names, byName, sources, errors };
}

/** The spellings by which headers name columns: their names, aliases, and labels in forms. */
export function spellings(columns: RequestTemplate['columns']): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [name, column] of Object.entries(columns)) {
    for (const spelling of [name, ...(column.aliases ?? [])]) known.set(foldHeader(spelling), name);
  }
  for (const [name, { label }] of Object.entries(columns)) {
    for (const text of [label?.en, label?.de]) {
      if (text !== undefined && !known.has(foldHeader(text))) known.set(foldHeader(text), name);
    }
  }
  return known;
}

/** Finds the column that a header names with other marks, spaces or spellings of umlauts. */
export function similarHeaders(
  columns: RequestTemplate['columns'],
): (header: string) => string | undefined {
  const known = new Map<string, string>();
  for (const [spelling, name] of spellings(columns)) known.set(lettersOf(spelling), name);
  return (header) => {
    // A hint in brackets, or marks that would enclose the cell if the table were read as it should.
    if (/^["'([{<]|["']$/.test(header)) return undefined;
    const plain = plainHeader(header);
    const name = known.get(lettersOf(plain));
    if (name !== undefined || !plain.includes('/')) return name;
    // A header in two languages: `Titel / Title`.
    const names = new Set(plain.split('/').map((part) => known.get(lettersOf(part))));
    return names.size === 1 ? [...names][0] : undefined;
  };
}

function choiceIssue(
  name: string,
  given: string | null,
  columns: RequestTemplate['columns'],
  records: Records,
): Failure | null {
  if (!Object.hasOwn(columns, name)) {
    return {
      code: 'value-invalid',
      ...userMessage('column-for-nothing', { name }),
      column: name,
    };
  }
  if (given === null || records.columns.includes(given)) return null;
  return {
    code: 'column-missing',
    ...userMessage('column-chosen-missing', { given, name }),
    column: name,
  };
}

/**
 * A header without the marks that forms add to it: `Title:`, `Title*`, `Message (optional)`,
 * `Length [s]`.
 */
function plainHeader(header: string): string {
  const end = header.trimEnd().at(-1);
  const last = end === ')' ? header.lastIndexOf('(') : end === ']' ? header.lastIndexOf('[') : -1;
  return (last > 0 ? header.slice(0, last) : header).replace(/[:*?!.…]+$/, '');
}

const UNIT = /(?<=\p{L})\s(?:in\s)?(?:s|secs?|seconds|sek|sekunden|px|pixels?)\.?$/u;
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** The letters and digits alone: `**1. Sub_Title**` equals `subtitle`, `Länge (s)` equals `Laenge`. */
function lettersOf(header: string): string {
  return foldHeader(header)
    .replace(/^\d+[.)]\s*/, '')
    .replace(UNIT, '')
    .replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Headers are compared whatever their case and hyphens: `Sub-Title` equals `sub title`. */
export function foldHeader(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
