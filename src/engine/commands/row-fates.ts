import type { Duplicates, PlannedRow } from '../../contract/batch.ts';
import type { IntakeRow } from '../intake/batch-reading.ts';
import type { AlikeJob, JobStore } from '../jobs/job-store.ts';

/** What becomes of one row of a batch that is added. */
export type RowFate =
  | {
      readonly kind: 'new';
      readonly row: IntakeRow;
      readonly occurrence: number;
      readonly like: RowLikeness | null;
    }
  /** Made before for another batch: its video is fetched again under this name. */
  | {
      readonly kind: 'made-elsewhere';
      readonly row: IntakeRow;
      readonly occurrence: number;
      readonly remoteId: string;
      readonly like: RowLikeness;
    }
  /** In this batch already. */
  | {
      readonly kind: 'there';
      readonly row: IntakeRow;
      readonly job: AlikeJob;
      /** Its owner wants it made after all. */
      readonly makeAnew: boolean;
      readonly like: RowLikeness | null;
    }
  | { readonly kind: 'left-out'; readonly row: IntakeRow; readonly like: RowLikeness };

/** What a row's request is the same as. */
export type RowLikeness =
  { readonly of: 'job'; readonly job: AlikeJob } | { readonly of: 'row'; readonly row: number };

/** The batch that rows are for, and what its owner wants done with those that are like others. */
export interface FateSurroundings {
  /** `null` when it is a new one. */
  readonly batchId: number | null;
  readonly jobs: JobStore;
  readonly isQueueEmpty: boolean;
  readonly duplicates: Duplicates;
}

/**
 * Finds out for each row whether its video is there already. Rows that are exactly alike are told
 * apart by how many of them came before: the second of two in a file is the second in the batch.
 */
export function rowFates(rows: readonly IntakeRow[], to: FateSurroundings): RowFate[] {
  const twins = new Map<string, Twins>();
  for (const { bodySha256, row } of rows) {
    const known = twins.get(bodySha256);
    if (known) known.rows += 1;
    else twins.set(bodySha256, { firstRow: row, rows: 1, seen: 0, spare: 0 });
  }
  return rows.map((row) => {
    const own = twins.get(row.bodySha256) ?? { firstRow: row.row, rows: 1, seen: 0, spare: 0 };
    const occurrence = own.seen;
    own.seen += 1;
    return fateOf(row, occurrence, own, to);
  });
}

/** Rows of one file that ask for the same. */
interface Twins {
  readonly firstRow: number;
  rows: number;
  /** How many of them have got their fate. */
  seen: number;
  /** How many got a place behind all that the file and the batch have. */
  spare: number;
}

function fateOf(
  row: IntakeRow,
  occurrence: number,
  twins: Twins,
  { batchId, jobs, isQueueEmpty, duplicates }: FateSurroundings,
): RowFate {
  const alike = isQueueEmpty ? [] : jobs.alike(row.bodySha256);
  const job =
    alike.find((one) => one.batchId === batchId && one.occurrence === occurrence) ??
    (batchId === null ? undefined : jobs.editedFrom(row.bodySha256, batchId, occurrence));
  const like = likenessOf(job, alike, occurrence > 0 ? twins.firstRow : null);
  if (like !== null && duplicates === 'leave-out') return { kind: 'left-out', row, like };
  if (job) {
    const isMade = ['done', 'missing', 'abandoned'].includes(job.state);
    if (duplicates !== 'make' || !isMade) {
      return { kind: 'there', row, job, makeAnew: duplicates === 'make', like };
    }
    const inBatch = alike.filter((one) => one.batchId === batchId).map((one) => one.occurrence);
    const place = Math.max(twins.rows - 1, ...inBatch) + 1 + twins.spare;
    twins.spare += 1;
    return { kind: 'new', row, occurrence: place, like };
  }
  const remoteId = duplicates === 'make' ? undefined : videosOf(alike, batchId)[occurrence];
  return remoteId === undefined || like === null
    ? { kind: 'new', row, occurrence, like }
    : { kind: 'made-elsewhere', row, occurrence, remoteId, like };
}

/** What was cancelled before it was sent is like nothing: it was never made, nor is it going to be. */
function likenessOf(
  own: AlikeJob | undefined,
  alike: readonly AlikeJob[],
  firstRow: number | null,
): RowLikeness | null {
  const others = alike.filter(({ state }) => state !== 'cancelled');
  const job =
    others.find(({ id }) => id === own?.id) ?? (firstRow === null ? others[0] : undefined);
  if (job) return { of: 'job', job };
  return firstRow === null ? null : { of: 'row', row: firstRow };
}

/** Whether a job of this batch has to be fetched or queued anew because its row came again. */
export function outcomeOf(fate: RowFate): PlannedRow['outcome'] {
  switch (fate.kind) {
    case 'new':
      return 'new';
    case 'made-elsewhere':
      return 'fetched-again';
    case 'left-out':
      return 'left-out';
    case 'there':
      return outcomeOfJob(fate.job, fate.makeAnew);
  }
}

function outcomeOfJob({ state, remoteId }: AlikeJob, makeAnew: boolean): PlannedRow['outcome'] {
  switch (state) {
    case 'done':
      return 'saved';
    case 'missing':
      return 'fetched-again';
    case 'abandoned':
      return remoteId === null ? 'failed-before' : 'fetched-again';
    case 'cancelled':
      return 'new';
    case 'failed':
    case 'rejected':
      return makeAnew ? 'new' : 'failed-before';
    default:
      return 'under-way';
  }
}

/** Ids of finished videos of the same request in other batches, each once. */
function videosOf(alike: readonly AlikeJob[], batchId: number | null): string[] {
  const finished = alike.filter(
    ({ state, batchId: other }) =>
      other !== batchId &&
      (state === 'done' ||
        state === 'ready' ||
        state === 'downloading' ||
        state === 'verifying' ||
        state === 'missing' ||
        state === 'abandoned'),
  );
  return [...new Set(finished.flatMap(({ remoteId }) => remoteId ?? []))];
}
