import path from 'node:path';
import type {
  BatchOptions,
  BatchSource,
  Collision,
  DuplicateRows,
  RowOutcome,
  RowChoice,
} from '../../contract/batch.ts';
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { joinMessages, userMessage } from '../../contract/user-message.ts';
import { DEFAULT_TEMPLATE, nameFromTemplate, usesColumns } from '../downloads/naming.ts';
import { EngineError } from '../engine-error.ts';
import { folderIssue } from '../files/folder-path.ts';
import { checkFilesOf } from '../flow/saved-files.ts';
import { textsOf } from '../intake/cell.ts';
import { errorOf } from '../intake/issues.ts';
import { unusedColumns } from '../intake/likely-mistakes.ts';
import type { BatchReading } from '../intake/read-batch.ts';
import type { IntakeRow } from '../intake/intake-row.ts';
import type { BatchRow } from '../jobs/batch-store.ts';
import { takesFiles } from '../profiles/taken-files.ts';
import type { Needs } from './command-context.ts';
import { assertVisible, settleInFolder } from './names-in-folder.ts';
import { repeatedRows } from './repeated-rows.ts';
import {
  decideRows,
  mapInTurns,
  outcomeOf,
  type DecidedRow,
  type RowDecision,
} from './row-decisions.ts';

/** A batch that was read, with a decision for each row. Nothing of it is carried out yet. */
export interface PreparedBatch {
  readonly reading: BatchReading;
  readonly folder: string;
  readonly naming: { readonly nameTemplate: string; readonly onCollision: Collision };
  readonly existing: BatchRow | null;
  readonly rows: readonly PreparedRow[];
  /** Those of the file; if it has no errors, also of the choices for its rows. */
  readonly issues: readonly BatchIssue[];
}

export interface PreparedRow {
  readonly decision: RowDecision;
  readonly outcome: RowOutcome;
  readonly choices: readonly RowChoice[];
  /** Relative to the batch's folder. */
  readonly fileName: string;
}

/**
 * Reads the source, unless it was read already, and decides about its rows. The decisions depend on
 * the queue, so each call makes them.
 * @param show a row that must be among the samples
 */
export async function prepareBatch(
  context: Needs<'store' | 'profile' | 'serviceInfo' | 'readings' | 'defaults' | 'clock' | 'stop'>,
  source: BatchSource,
  options: BatchOptions,
  show?: number,
): Promise<PreparedBatch> {
  const { store, profile, readings } = context;
  const defaults = context.defaults();
  const typed = options.folder ?? defaults.defaultFolder;
  const error = folderIssue(typed);
  if (error !== null) {
    const message = joinMessages(userMessage('folder-unusable', { folder: typed }), error);
    throw new EngineError({ code: 'folder-unusable', ...message });
  }
  assertVisible(options.nameTemplate ?? '');
  const { columns, template, edits, leaveOut, duplicates = 'reuse', duplicateRows = {} } = options;
  const how = { show, columns, template, edits, leaveOut, reading: options.reading };
  const takes = takesFiles(profile, context.serviceInfo.isLocal);
  const reading = await readings.read(source, profile.request, how, takes);
  const existing = store.batches.find(reading.name, typed);
  const folder = existing?.folder ?? path.resolve(typed);
  const naming = {
    nameTemplate:
      options.nameTemplate ??
      existing?.nameTemplate ??
      namingEach(defaults.nameTemplate ?? DEFAULT_TEMPLATE, reading),
    onCollision: options.onCollision ?? existing?.onCollision ?? defaults.onCollision ?? 'number',
  };
  const isQueueEmpty = store.jobs.isEmpty;
  const batchId = existing?.id ?? null;
  const decideNow = (): Promise<DecidedRow[]> =>
    decideRows(reading.rows, {
      batchId,
      jobs: store.jobs,
      isQueueEmpty,
      duplicates,
      duplicateRows,
    });
  let decisions = await decideNow();
  if ((await checkFiles(decisions, context)) > 0) decisions = await decideNow();
  const rows = await settleNames(decisions, reading, folder, naming, duplicateRows, context);
  const inChoices = reading.errors.length > 0 ? [] : choiceErrors(duplicateRows, rows);
  const issues = [
    ...issuesOf(reading, naming.nameTemplate),
    ...repeatedRows(
      rows.map(({ decision: { row, like }, outcome }) => ({
        row: row.row,
        title: row.title,
        earlier: like?.of === 'row' ? like.row : null,
        outcome,
      })),
      reading,
      options,
    ),
    ...inChoices,
  ];
  return { reading, folder, naming, existing, rows, issues };
}

/** A template that names each of several videos of a row, unless it does so already. */
function namingEach(nameTemplate: string, { rows, languages, rowTemplate }: BatchReading): string {
  const valueOf = (row: IntakeRow | undefined, name: string): unknown =>
    row?.values.find(([column]) => column === name)?.[1];
  const several = Object.keys(rowTemplate.columns).filter((name) => {
    const column = rowTemplate.columns[name];
    if (column?.type !== 'choice' || column.several !== true) return false;
    return rows.some((row, at) => {
      const before = rows[at - 1];
      return before?.row === row.row && valueOf(before, name) !== valueOf(row, name);
    });
  });
  const wanted = [...several, ...(languages.length > 0 ? ['language'] : [])]
    .map((name) => `{${name}}`)
    .filter((placeholder) => !nameTemplate.includes(placeholder));
  if (wanted.length === 0) return nameTemplate;
  const { ext } = path.posix.parse(nameTemplate);
  const stem = nameTemplate.slice(0, nameTemplate.length - ext.length);
  return `${[stem, ...wanted].join(' ')}${ext}`;
}

/** Everything found in a batch; what concerns no row comes first. */
function issuesOf(
  { fileColumns: columns, rowTemplate, matched, errors, warnings }: BatchReading,
  nameTemplate: string,
): BatchIssue[] {
  const { repeated } = matched;
  const unused = unusedColumns({ columns, repeated }, rowTemplate, matched, nameTemplate);
  const inRows = [...errors, ...warnings].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  return [
    ...inRows.filter(({ row }) => row === undefined),
    ...unused,
    ...inRows.filter(({ row }) => row !== undefined),
  ];
}

/** A job in state `done` may have lost its file since, so the files of these jobs are checked. */
function checkFiles(
  decisions: readonly RowDecision[],
  { store, clock, stop }: Needs<'store' | 'clock' | 'stop'>,
): Promise<number> {
  const saved = decisions.flatMap((decision) =>
    decision.kind === 'there' && decision.job.state === 'done'
      ? [store.jobs.get(decision.job.id)]
      : [],
  );
  return checkFilesOf(saved, store, clock, stop);
}

/** Choices for rows where they cannot apply: they were meant for other rows, or come too early. */
function choiceErrors(duplicateRows: DuplicateRows, rows: readonly PreparedRow[]): BatchIssue[] {
  const choicesOf = new Map(rows.map(({ decision, choices }) => [decision.row.row, choices]));
  return Object.entries(duplicateRows).flatMap(([key, chosen]): BatchIssue[] => {
    const row = Number(key);
    const choices = choicesOf.get(row) ?? [];
    if (choices.some(({ duplicates }) => duplicates === chosen)) return [];
    const why = choices.length === 0 ? 'choice-no-duplicate' : 'choice-already-queued';
    return [errorOf({ code: 'value-invalid', ...userMessage(why, { row }), row })];
  });
}

/** Chooses the file name of each row that will be downloaded, before the download starts. */
async function settleNames(
  decisions: readonly DecidedRow[],
  { name: batch, rowCount }: BatchReading,
  folder: string,
  { nameTemplate, onCollision }: PreparedBatch['naming'],
  duplicateRows: DuplicateRows,
  { store }: Needs<'store'>,
): Promise<PreparedRow[]> {
  const width = String(rowCount).length;
  // Most templates need no value of a row, and 100,000 rows take a second to be read for them.
  const needsValues = new Map<readonly string[], boolean>();
  const names = decisions.flatMap((decision, index) => {
    if (!needsName(decision)) return [];
    const { title, row, rowInFile, columns } = decision.row;
    const isNeeded = needsValues.get(columns) ?? usesColumns(nameTemplate, columns);
    needsValues.set(columns, isNeeded);
    const number = String(decision.row.index).padStart(width, '0');
    const own = isNeeded ? textsOf(decision.row.values) : {};
    const values = { ...own, row: rowInFile, batch, title, index: number };
    const name = nameFromTemplate(nameTemplate, values);
    return [{ id: String(index), name, isNumbered: duplicateRows[String(row)] === 'render' }];
  });
  const givenUpBy = decisions.flatMap((decision) =>
    decision.kind === 'there' && needsName(decision) ? [decision.job.id] : [],
  );
  const settled = await settleInFolder({ folder, names, onCollision, givenUpBy }, store.files);
  const wanted = new Map(names.map(({ id, name }) => [id, name]));
  return mapInTurns(decisions, (decision, index): PreparedRow => {
    const name = settled.get(String(index));
    const { row, choices } = decision;
    const isTaken =
      onCollision === 'skip' &&
      (name?.kind === 'skipped' || name?.name !== wanted.get(String(index)));
    if (isTaken && duplicateRows[String(row.row)] === 'skip') {
      const leftOut = { kind: 'duplicate-skipped', row, like: decision.like } as const;
      return {
        decision: leftOut,
        outcome: 'duplicate-skipped',
        choices: TAKEN_CHOICES,
        fileName: '',
      };
    }
    const known = decision.kind === 'there' ? store.jobs.get(decision.job.id).fileName : null;
    return {
      decision,
      outcome: name?.kind === 'skipped' ? 'skipped' : outcomeOf(decision),
      choices: isTaken ? TAKEN_CHOICES : choices,
      fileName: name?.name ?? known ?? '',
    };
  });
}

/** For a row whose file exists, in a batch that skips those. */
const TAKEN_CHOICES: readonly RowChoice[] = [
  { duplicates: 'reuse', outcome: 'skipped' },
  { duplicates: 'render', outcome: 'new' },
  { duplicates: 'skip', outcome: 'duplicate-skipped' },
];

/** Rows that get a new file. A job of this batch that has not been saved yet keeps its name. */
function needsName(decision: RowDecision): boolean {
  if (decision.kind === 'duplicate-skipped' || decision.kind === 'in-other-batch') return false;
  return (
    decision.kind !== 'there' || decision.job.state === 'cancelled' || outcomeOf(decision) === 'new'
  );
}
