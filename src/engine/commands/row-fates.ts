import type { PlannedRow } from '../../contract/batch.ts';
import type { IntakeRow } from '../intake/batch-reading.ts';
import type { AlikeJob, JobStore } from '../jobs/job-store.ts';

/** What becomes of one row of a batch that is added. */
export type RowFate =
  | { readonly kind: 'new'; readonly row: IntakeRow; readonly occurrence: number }
  /** Made before for another batch: its video is fetched again under this name. */
  | {
      readonly kind: 'made-elsewhere';
      readonly row: IntakeRow;
      readonly occurrence: number;
      readonly remoteId: string;
    }
  /** In this batch already. */
  | { readonly kind: 'there'; readonly row: IntakeRow; readonly job: AlikeJob };

/**
 * Finds out for each row whether its video is there already. Rows that are exactly alike are told
 * apart by how many of them came before: the second of two in a file is the second in the batch.
 * @param batchId the batch that the rows belong to; `null` when it is a new one
 */
export function rowFates(
  rows: readonly IntakeRow[],
  batchId: number | null,
  jobs: JobStore,
  isQueueEmpty: boolean,
): RowFate[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const occurrence = seen.get(row.bodySha256) ?? 0;
    seen.set(row.bodySha256, occurrence + 1);
    if (isQueueEmpty) return { kind: 'new', row, occurrence };
    const alike = jobs.alike(row.bodySha256);
    const own = alike.find((job) => job.batchId === batchId && job.occurrence === occurrence);
    if (own) return { kind: 'there', row, job: own };
    const remoteId = videosOf(alike, batchId)[occurrence];
    return remoteId === undefined
      ? { kind: 'new', row, occurrence }
      : { kind: 'made-elsewhere', row, occurrence, remoteId };
  });
}

/** Whether a job of this batch has to be fetched or queued anew because its row came again. */
export function outcomeOf(fate: RowFate): PlannedRow['outcome'] {
  switch (fate.kind) {
    case 'new':
      return 'new';
    case 'made-elsewhere':
      return 'fetched-again';
    case 'there':
      return outcomeOfJob(fate.job);
  }
}

function outcomeOfJob({ state, remoteId }: AlikeJob): PlannedRow['outcome'] {
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
      return 'failed-before';
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
