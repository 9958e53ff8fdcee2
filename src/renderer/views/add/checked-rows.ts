import { errorsAmong } from '../../../contract/errors-among.ts';
import type { BatchPlan, Duplicates, PlannedRow, RowChoice } from '../../../contract/batch.ts';
import type { Failure } from '../../../contract/failure.ts';
import { columnLetters, placeOfRow, ROW_PLACES } from '../../../contract/row-place.ts';
import type { UserMessage } from '../../../contract/user-message.ts';
import { isForQuota } from '../../../contract/wait.ts';

/** A line of the check view: the planned outcome of a row, or an error. */
export interface CheckedRow {
  /** As a spreadsheet numbers it; `null` for an error of the whole file. */
  readonly row: number | null;
  /** Its title or, of an invalid row, a name to recognise it by; `''` if it has neither. */
  readonly name: string;
  readonly planned: PlannedRow | null;
  readonly error: Failure | null;
  /** The errors of a row that is left out; no other row has this. */
  readonly leftOut?: readonly Failure[];
}

/** Rows and errors in the order of the file; errors of the whole file come first. */
export function checkedRows(plan: BatchPlan): readonly CheckedRow[] {
  const planned = new Map(plan.rows.map((row) => [row.row, row]));
  const names = new Map(plan.invalidRows.map(({ row, name }) => [row, name]));
  const invalid = errorsAmong(plan.issues).map((error) => {
    if (error.row === undefined) return { row: null, name: '', planned: null, error };
    const { row } = error;
    const found = planned.get(row) ?? null;
    return { row, name: found?.title ?? names.get(row) ?? '', planned: found, error };
  });
  const invalidRows = new Set(invalid.map(({ row }) => row));
  const sound = plan.rows
    .filter(({ row }) => !invalidRows.has(row))
    .map((row) => ({ row: row.row, name: nameOf(row), planned: row, error: null }));
  const leftOut = plan.leftOut.map(({ row, name, issues }) => {
    return { row, name, planned: null, error: null, leftOut: issues };
  });
  return [...invalid, ...leftOut, ...sound].sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
}

/** Its title, and what distinguishes it from other videos of its row. */
function nameOf({ title, variant }: PlannedRow): string {
  return variant === undefined ? title : `${title} · ${variant}`;
}

/** The file's column that fills a field; `null` for none. */
export function fileColumnOf(
  { fields }: Pick<BatchPlan, 'fields'>,
  field: string | undefined,
): string | null {
  return fields.find(({ name }) => name === field)?.from ?? null;
}

/** A row's number in its file, and the file's name where the batch has several. */
export function placeIn(
  { files }: Pick<BatchPlan, 'files'>,
  row: number,
): readonly [row: number, file: string | null] {
  const { file, rowInFile } = placeOfRow(files, row);
  return [rowInFile, files.length > 1 && file ? file.name : null];
}

/** An error's message without its row and column, for places that show both already. */
export function messageWithoutPlace(
  error: Failure,
  { files }: Pick<BatchPlan, 'files'>,
): UserMessage {
  const { message, says } = error;
  const at = says.findIndex(({ sentence }) => PLACES.has(sentence));
  const { row, column } = says[at]?.values ?? {};
  const place = `${row}, ${column}: `;
  const start = message.indexOf(place);
  // A message that names another row keeps the row and the column.
  const { rowInFile = 0 } = error.row === undefined ? {} : placeOfRow(files, error.row);
  const isHere = row === rowInFile || row === columnLetters(rowInFile - 1);
  if (at < 0 || start < 0 || !isHere) return { message, says };
  return { message: message.slice(start + place.length), says: says.slice(at + 1) };
}

const PLACES: ReadonlySet<string> = new Set(Object.values(ROW_PLACES));

export interface PlanTotals {
  /** Rows of the file without errors: each makes one video or several. */
  readonly rows: number;
  /** The rows and those left out; `null` if a row makes several videos, which are counted instead. */
  readonly all: number | null;
  readonly renders: number;
  /** Rendered before, and downloaded again. */
  readonly downloads: number;
  /** Not added, because another batch has the same video and it is not finished. */
  readonly inOtherBatches: number;
  /** Neither rendered nor downloaded, for another reason. */
  readonly skipped: number;
  /** Renders and downloads that will be saved before the day ends. */
  readonly today: number;
  /** Later, but without waiting until the quota is renewed. */
  readonly later: number;
  /** When the last of those with a forecast is saved; `null` if none has one. */
  readonly last: number | 'years-away' | null;
}

/** @param endOfDay milliseconds since the epoch */
export function planTotals(plan: BatchPlan, endOfDay: number): PlanTotals {
  const count = (outcome: PlannedRow['outcome']): number =>
    plan.rows.filter((row) => row.outcome === outcome).length;
  const coming = plan.rows.flatMap(({ outcome, forecast: { savedAt }, wait }) =>
    (outcome === 'new' || outcome === 'downloaded-again') && savedAt !== null
      ? [{ savedAt, isForQuota: isForQuota(wait) }]
      : [],
  );
  const unlimited = coming.filter((row) => !row.isForQuota);
  const today = unlimited.filter(({ savedAt }) => savedAt <= endOfDay).length;
  const renders = count('new');
  const downloads = count('downloaded-again');
  const inOtherBatches = count('in-other-batch');
  const rows = new Set(plan.rows.map(({ row }) => row)).size;
  return {
    rows,
    all: rows < plan.rows.length ? null : rows + plan.leftOut.length,
    renders,
    downloads,
    inOtherBatches,
    skipped: plan.rows.length - renders - downloads - inOtherBatches,
    today,
    later: unlimited.length - today,
    last: plan.rows.some(({ wait }) => wait?.reason === 'years-away')
      ? 'years-away'
      : coming.reduce<number | null>(
          (last, { savedAt }) => Math.max(last ?? savedAt, savedAt),
          null,
        ),
  };
}

/**
 * The choice that applies to a row: rows that are queued in this batch are not rendered again with
 * the others.
 */
export function appliedChoice({ choices }: PlannedRow, chosen: Duplicates): Duplicates {
  return choices.some(({ duplicates }) => duplicates === chosen) ? chosen : 'reuse';
}

/**
 * The choices for a duplicate row, one for each outcome; none for other rows.
 * @param chosen is kept where several choices have the same outcome
 */
export function duplicateChoices(
  { choices }: PlannedRow,
  chosen: Duplicates,
): readonly RowChoice[] {
  const now = choices.find(({ duplicates }) => duplicates === chosen);
  const ordered =
    now === undefined ? choices : [now, ...choices.filter((choice) => choice !== now)];
  const kept = new Map([...ordered].reverse().map((choice) => [choice.outcome, choice]));
  return choices.filter((choice) => kept.get(choice.outcome) === choice);
}

export interface DuplicateTotals {
  /** Duplicates of an earlier job or of an earlier row of the file. */
  readonly rows: number;
  /** Of those, duplicates of a row of the file. */
  readonly inFile: number;
  /** What they cost with the current choices, in units of quota. */
  readonly cost: number;
}

export function duplicateTotals(plan: BatchPlan): DuplicateTotals {
  const alike = plan.rows.filter(({ like }) => like !== null);
  return {
    rows: alike.length,
    inFile: alike.filter(({ like }) => like?.of === 'row').length,
    cost: alike.filter(({ outcome }) => outcome === 'new').length,
  };
}

/** The last millisecond of the local day of `now`. */
export function endOfDay(now: number): number {
  return new Date(now).setHours(23, 59, 59, 999);
}
