import type { BatchPlan, Duplicates, PlannedRow, RowWay } from '../../../contract/batch.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { MessageName } from '../../../contract/messages.ts';
import { placeOfRow } from '../../../contract/row-place.ts';
import { messageOf, type UserMessage } from '../../../contract/user-message.ts';

/** A line of the check view: what a row would become, or what is wrong with it. */
export interface CheckedRow {
  /** As a spreadsheet numbers it; `null` for a fault of the whole file. */
  readonly row: number | null;
  /** Its title or, with a fault, what it is found again by; `''` where it says nothing. */
  readonly name: string;
  readonly planned: PlannedRow | null;
  readonly fault: Failure | null;
}

/** Rows and faults in the order of the file; faults of the whole file come first. */
export function checkedRows(plan: BatchPlan): readonly CheckedRow[] {
  const planned = new Map(plan.rows.map((row) => [row.row, row]));
  const names = new Map(plan.faultyRows.map(({ row, name }) => [row, name]));
  const faulty = plan.faults.map((fault) => {
    if (fault.row === undefined) return { row: null, name: '', planned: null, fault };
    const { row } = fault;
    const found = planned.get(row) ?? null;
    return { row, name: found?.title ?? names.get(row) ?? '', planned: found, fault };
  });
  const faultyRows = new Set(faulty.map(({ row }) => row));
  const sound = plan.rows
    .filter(({ row }) => !faultyRows.has(row))
    .map((row) => ({ row: row.row, name: row.title, planned: row, fault: null }));
  return [...faulty, ...sound].sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
}

/** A row's number in its file, and the file's name where the batch has several. */
export function placeIn(
  { files }: Pick<BatchPlan, 'files'>,
  row: number,
): readonly [row: number, file: string | null] {
  const { file, rowInFile } = placeOfRow(files, row);
  return [rowInFile, files.length > 1 && file ? file.name : null];
}

/** What is wrong, without the row and the column: for where both are shown beside it. */
export function faultInPlace(fault: Failure, { files }: Pick<BatchPlan, 'files'>): UserMessage {
  const { message, says } = fault;
  const at = says.findIndex(({ sentence }) => PLACES.has(sentence));
  const { row, column } = says[at]?.values ?? {};
  const place = `${row}, ${column}: `;
  const start = message.indexOf(place);
  // A message that names another row keeps its place.
  const isHere = fault.row !== undefined && placeOfRow(files, fault.row).rowInFile === row;
  if (at < 0 || start < 0 || !isHere) return messageOf(fault);
  return { message: message.slice(start + place.length), says: says.slice(at + 1) };
}

/** The messages that name an error's row and column. */
const PLACES: ReadonlySet<string> = new Set<MessageName>(['at-row', 'at-entry', 'at-line']);

export interface PlanTotals {
  readonly fresh: number;
  readonly again: number;
  readonly there: number;
  /** Of the fresh and the fetched again: how many are saved before the day ends. */
  readonly today: number;
  readonly later: number;
  /** When the last of those is saved that fit; `null` when none is known to. */
  readonly last: number | null;
}

/** @param endOfDay milliseconds since the epoch */
export function planTotals(plan: BatchPlan, endOfDay: number): PlanTotals {
  const count = (outcome: PlannedRow['outcome']): number =>
    plan.rows.filter((row) => row.outcome === outcome).length;
  const coming = plan.rows.flatMap((row) =>
    (row.outcome === 'new' || row.outcome === 'fetched-again') && row.forecast.savedAt !== null
      ? [row.forecast.savedAt]
      : [],
  );
  const today = coming.filter((at) => at <= endOfDay).length;
  return {
    fresh: count('new'),
    again: count('fetched-again'),
    there: plan.rows.length - count('new') - count('fetched-again'),
    today,
    later: coming.length - today,
    last: coming.reduce<number | null>((last, at) => Math.max(last ?? at, at), null),
  };
}

/**
 * What can be chosen for a row that is like another, each outcome once. None for other rows.
 * @param chosen stands for its outcome, where several choices come to the same
 */
export function waysOf({ ways }: PlannedRow, chosen: Duplicates): readonly RowWay[] {
  const now = ways.find(({ duplicates }) => duplicates === chosen);
  const ordered = now === undefined ? ways : [now, ...ways.filter((way) => way !== now)];
  const kept = new Map([...ordered].reverse().map((way) => [way.outcome, way]));
  return ways.filter((way) => kept.get(way.outcome) === way);
}

export interface LikeTotals {
  /** Rows like an earlier job, or like an earlier row of the file. */
  readonly rows: number;
  /** Of those, the ones that are like a row of the file. */
  readonly inFile: number;
  /** What they cost as things are chosen, in units of quota. */
  readonly cost: number;
}

export function likeTotals(plan: BatchPlan): LikeTotals {
  const alike = plan.rows.filter(({ like }) => like !== null);
  return {
    rows: alike.length,
    inFile: alike.filter(({ like }) => like?.of === 'row').length,
    cost: alike.filter(({ outcome }) => outcome === 'new').length,
  };
}

/** The last millisecond of the day that `now` lies in, on this computer. */
export function endOfDay(now: number): number {
  return new Date(now).setHours(23, 59, 59, 999);
}
