/**
 * Moves the user's choices about rows to another version of a batch's files, or to another way to
 * read them: each choice stays with its row, wherever that is now, or is named as lost.
 */
import type { BatchOptions, CellEdits } from '../../contract/batch.ts';
import type { LostChoice, MovedChoices } from '../../contract/moved-choices.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import type { ReadingChoices } from '../../contract/table-reading.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { cellIn } from './edited-cells.ts';
import { findHeader, findRows, gridOf } from './find-rows.ts';
import { joinFiles, oneFile, type FileRecords, type JoinedRecords } from './join-files.ts';
import { emptyError, readFile, tableOptions, type ReadingOptions } from './read-batch.ts';
import { noRecords, type Records, type SourceRow } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import type { TableOptions } from './tables/table-options.ts';
import type { TableFile, TableSource } from './tables/table-source.ts';
import { isVisible } from './tables/cell-visibility.ts';

/** The longest name of a row, in characters: enough to find it in the file. */
const MAX_NAME = 120;

/** One file, as it was and as it is now. */
interface MovedFile {
  readonly name: string;
  /** Its place among the earlier files; -1 for a new one. */
  readonly was: number;
  readonly after: Records;
  readonly reading: ReadingChoices;
  /** The numbers that rows of the earlier version have now. */
  readonly rows: ReadonlyMap<number, number>;
  readonly lost: readonly LostChoice[];
}

/**
 * @param from the files that the options are about; those that `to` does not have are gone
 * @param to files of the same names and folders are the same ones
 */
export function moveChoices(
  from: TableSource,
  to: TableSource,
  profile: RequestTemplate,
  options: BatchOptions,
): MovedChoices {
  const [earlier, later] = [filesOf(from), filesOf(to)];
  const how = { ...tableOptions(profile, optionsOf(options)), keepsGrid: true };
  const before = earlier.map((file) => readFile(file, how));
  const places = placesIn(earlier, later);
  const files = later.map((file, at) => {
    const was = places[at] ?? -1;
    const records = before[was]?.records ?? noRecords('Row', emptyError(file.name));
    return moveFile({ ...file, was }, earlier[was], records, how, earlier.length > 1);
  });
  const emptied = files.find(({ was, after }) => hasRows(before[was]?.records) && !hasRows(after));
  if (emptied !== undefined) {
    const failure = emptied.after.errors[0] ?? emptyError(emptied.name);
    return { kind: 'unreadable', failure };
  }
  const isSame =
    earlier.length === later.length &&
    files.every((file, at) => file.was === at && isUnmoved(before[at]?.records, file));
  return isSame ? { kind: 'same' } : moveOptions(before, files, profile, options);
}

/** Where each later file is among the earlier ones; -1 for a new one. */
function placesIn(earlier: readonly TableFile[], later: readonly TableFile[]): readonly number[] {
  const taken = new Set<number>();
  return later.map(({ name, folder }) => {
    const place = earlier.findIndex(
      (file, at) => file.name === name && file.folder === folder && !taken.has(at),
    );
    taken.add(place);
    return place;
  });
}

function filesOf({ further = [], ...first }: TableSource): readonly TableFile[] {
  return [first, ...further];
}

function optionsOf({ columns, template, reading }: BatchOptions): ReadingOptions {
  return { columns, template, reading };
}

function hasRows(records: Records | undefined): boolean {
  return records !== undefined && records.rows.length + records.damaged.length > 0;
}

/** Whether every row and column is where it was. */
function isUnmoved(before: Records | undefined, { after, rows }: MovedFile): boolean {
  if (before === undefined) return false;
  const [earlier, later] = [gridOf(before), gridOf(after)];
  return (
    JSON.stringify(earlier.names) === JSON.stringify(later.names) &&
    earlier.rows.length === later.rows.length &&
    earlier.rows.every(({ row }) => rows.get(row) === row) &&
    before.reading?.sheet === after.reading?.sheet
  );
}

/** Finds the rows of a file again, and moves what was chosen about reading them. */
function moveFile(
  file: TableFile & Pick<MovedFile, 'was'>,
  earlier: TableFile | undefined,
  before: Records,
  how: TableOptions,
  isOneOfSeveral: boolean,
): MovedFile {
  const { name, was, content, reading: given = {} } = file;
  const read = (reading: ReadingChoices): Records =>
    readFile({ name, content, reading }, how).records;
  if (earlier === undefined || isSameContent(earlier.content, content)) {
    const after = read(given);
    const rows = sameRows(before, after) ?? findRows(gridOf(before), gridOf(after));
    return { name, was, after, reading: given, rows, lost: [] };
  }
  const lost: LostChoice[] = [];
  const lose = (choice: LostChoice['choice'], row: number): void => {
    const { cells = [] } = gridOf(before).rows.find((each) => each.row === row) ?? {};
    lost.push({ choice, file: isOneOfSeveral ? name : null, row, name: firstText(cells) });
  };
  const { headerRow, skipRows = [], keepRows = [], ...others } = given;
  let reading: ReadingChoices = others;
  let after = read(reading);
  const readAlso = (choices: ReadingChoices): void => {
    reading = { ...reading, ...choices };
    after = read(reading);
  };
  const sheet = sheetToKeep(before, after, given);
  if (sheet !== undefined) readAlso({ sheet });
  if (headerRow !== undefined) {
    const now = findHeader(gridOf(before), headerRow, gridOf(after));
    if (now === undefined) lose('header', headerRow);
    else readAlso({ headerRow: now });
  }
  const rows = findRows(gridOf(before), gridOf(after));
  const moved = (numbers: readonly number[], choice: LostChoice['choice']): number[] =>
    numbers.flatMap((row) => {
      const now = rows.get(row);
      if (now === undefined) lose(choice, row);
      return now ?? [];
    });
  const skipped = moved(skipRows, 'skipped');
  if (skipped.length > 0) readAlso({ skipRows: skipped });
  const kept = moved(keepRows, 'kept');
  if (kept.length > 0) readAlso({ keepRows: kept });
  return { name, was, after, reading, rows, lost };
}

function isSameContent(one: TableFile['content'], other: TableFile['content']): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** The rows of a file that is only read in another way, if that leaves them where they are. */
function sameRows(before: Records, after: Records): ReadonlyMap<number, number> | null {
  const [earlier, later] = [before, after].map((records) => gridOf(records).rows);
  const isElsewhere =
    before.reading?.sheet !== after.reading?.sheet ||
    before.reading?.turn !== after.reading?.turn ||
    earlier?.length !== later?.length ||
    earlier?.some(({ row }, at) => row !== later?.[at]?.row) === true;
  return isElsewhere ? null : new Map(earlier?.map(({ row }) => [row, row]));
}

/** The sheet of the earlier version, if the workbook still has it and another one would be read. */
function sheetToKeep(
  before: Records,
  after: Records,
  { sheet: chosen }: ReadingChoices,
): string | undefined {
  const sheet = before.reading?.sheet ?? undefined;
  const { reading } = after;
  const isThere = reading?.sheets.some(({ name }) => name === sheet) === true;
  return chosen === undefined && isThere && reading.sheet !== sheet ? sheet : undefined;
}

function firstText(cells: readonly string[]): string {
  return sanitizeRemoteText(cells.find(isVisible) ?? '', MAX_NAME);
}

/** The rows of all files, as the numbers of options name them. */
interface Version {
  readonly joined: JoinedRecords;
  readonly rowAt: ReadonlyMap<number, SourceRow>;
}

function versionOf(files: readonly FileRecords[], profile: RequestTemplate): Version {
  const [first, ...further] = files;
  if (first === undefined) throw new Error('A batch has a file.');
  const joined = further.length === 0 ? oneFile(first) : joinFiles(files, profile);
  const all = [...joined.rows, ...joined.damaged];
  return { joined, rowAt: new Map(all.map((source) => [source.row, source])) };
}

function moveOptions(
  earlier: readonly FileRecords[],
  files: readonly MovedFile[],
  profile: RequestTemplate,
  { columns, duplicateRows, edits, leaveOut }: BatchOptions,
): MovedChoices {
  const before = versionOf(earlier, profile);
  const after = versionOf(
    files.map(({ name, after: records }) => ({ name, records })),
    profile,
  );
  const lost: LostChoice[] = files.flatMap((file) => file.lost);
  const lose = (
    choice: LostChoice['choice'],
    row: number,
    edit?: Pick<LostChoice, 'column' | 'text'>,
  ): void => {
    const { file, rowInFile } = placeOfRow(before.joined.files, row);
    const cells = before.joined.columns.map((column) => textIn(before.rowAt.get(row), column));
    const name = firstText(cells);
    const inFile = earlier.length > 1 ? (file?.name ?? null) : null;
    lost.push({ choice, file: inFile, row: rowInFile, name, ...edit });
  };
  /** A row that makes no video any more is not found. */
  const rowNow = (row: number): number | undefined => {
    const { file, rowInFile } = placeOfRow(before.joined.files, row);
    const was = file === undefined ? -1 : before.joined.files.indexOf(file);
    const at = files.findIndex((moved) => moved.was === was);
    const now = files[at]?.rows.get(rowInFile);
    const rowsBefore = after.joined.files[at]?.rowsBefore;
    if (now === undefined || rowsBefore === undefined) return undefined;
    return after.rowAt.has(rowsBefore + now) ? rowsBefore + now : undefined;
  };
  const movedEdits: CellEdits = {};
  for (const [key, texts] of Object.entries(edits ?? {})) {
    const row = rowNow(Number(key));
    for (const [column, text] of Object.entries(texts)) {
      if (row === undefined || !isSameCell(before, Number(key), after, row, column))
        lose('edit', Number(key), { column, text });
      else movedEdits[row] = { ...movedEdits[row], [column]: text };
    }
  }
  const movedRows = (rows: readonly number[], choice: LostChoice['choice']): [number, number][] =>
    rows.flatMap((row): [number, number][] => {
      const now = rowNow(row);
      if (now !== undefined) return [[row, now]];
      lose(choice, row);
      return [];
    });
  const duplicates = movedRows(Object.keys(duplicateRows ?? {}).map(Number), 'duplicate');
  const chosen = Object.entries(columns ?? {});
  const isThere = ([, column]: (typeof chosen)[number]): boolean =>
    column === null || after.joined.columns.includes(column);
  for (const [field, column] of chosen.filter((each) => !isThere(each)))
    lost.push({ choice: 'column', file: null, row: null, name: field, column: column ?? '' });
  return {
    kind: 'moved',
    options: {
      columns: Object.fromEntries(chosen.filter(isThere)),
      duplicateRows: Object.fromEntries(
        duplicates.flatMap(([row, now]) => {
          const choice = duplicateRows?.[row];
          return choice === undefined ? [] : [[now, choice]];
        }),
      ),
      edits: movedEdits,
      leaveOut: movedRows(leaveOut ?? [], 'left-out')
        .map(([, now]) => now)
        .sort((one, other) => one - other),
    },
    readings: files.map(({ reading }) => reading),
    lost,
  };
}

/** Whether a cell is there as it was. A correction may be of a column that the file does not have. */
function isSameCell(
  before: Version,
  row: number,
  after: Version,
  now: number,
  column: string,
): boolean {
  const isGone = before.joined.columns.includes(column) && !after.joined.columns.includes(column);
  return !isGone && textIn(before.rowAt.get(row), column) === textIn(after.rowAt.get(now), column);
}

function textIn(source: SourceRow | undefined, column: string): string {
  return source === undefined ? '' : cellIn(source, column);
}
