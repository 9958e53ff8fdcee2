import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DuplicateRows,
  type Duplicates,
  type RowOutcome,
  type RowChoice,
  duplicatesSchema,
} from '../../contract/batch.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { IntakeRow } from '../intake/intake-row.ts';
import type { AlikeJob } from '../jobs/job-row.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { duplicateGroup } from './paid-twice.ts';
import { isPaid, isUndecided, retryKindOf } from './retry-kind.ts';

/** What is done with one row of a batch that is added. */
export type RowDecision = { readonly row: IntakeRow; readonly like: RowMatch | null } & (
  | {
      readonly kind: 'new';
      readonly occurrence: number;
      /** The user wants it although `like` has its request. */
      readonly isWanted: boolean;
    }
  /** Rendered before for another batch: its video is downloaded again under this name. */
  | { readonly kind: 'made-elsewhere'; readonly occurrence: number; readonly remoteId: string }
  /** In another batch, whose video is not finished or may have been paid for. */
  | { readonly kind: 'in-other-batch'; readonly job: AlikeJob }
  /** Already in this batch. */
  | {
      readonly kind: 'there';
      readonly job: AlikeJob;
      /** The id of the video that it can download: its own, or one rendered for another batch. */
      readonly video: string | null;
      /** The user wants it rendered again. */
      readonly renderAgain: boolean;
    }
  | { readonly kind: 'duplicate-skipped' }
);

/** The decision, with the choices for a row that has duplicates, and their outcomes. */
export type DecidedRow = RowDecision & { readonly choices: readonly RowChoice[] };

/** What has the same request as a row. */
export type RowMatch =
  | { readonly of: 'job'; readonly job: AlikeJob }
  /** A row of the same batch. */
  | { readonly of: 'row'; readonly row: number };

/** The batch that rows are added to, and what the user wants done with duplicates. */
export interface RowContext {
  /** `null` for a new batch. */
  readonly batchId: number | null;
  readonly jobs: JobStore;
  readonly isQueueEmpty: boolean;
  readonly duplicates: Duplicates;
  /** By row number; these override `duplicates`. */
  readonly duplicateRows: DuplicateRows;
}

/**
 * Finds out for each row whether its video exists already. Identical rows are matched by order: the
 * second of two in a file is the second in the batch.
 */
export function decideRows(rows: readonly IntakeRow[], to: RowContext): Promise<DecidedRow[]> {
  const group = new Map<string, DuplicateGroup>();
  for (const { bodySha256, row } of rows) {
    const known = group.get(bodySha256);
    if (known) known.rows += 1;
    else group.set(bodySha256, { firstRow: row, rows: 1, seen: 0, spare: 0 });
  }
  return mapInTurns(rows, (row) => {
    const own = group.get(row.bodySha256) ?? { firstRow: row.row, rows: 1, seen: 0, spare: 0 };
    const occurrence = own.seen;
    own.seen += 1;
    return decide(row, occurrence, own, to);
  });
}

/** A removed row counts as another batch's: its video need not be paid for again. */
function isOf(batchId: number | null, job: AlikeJob): boolean {
  return job.batchId === batchId && job.occurrence >= 0;
}

/** Rows of one file that have the same request. */
interface DuplicateGroup {
  readonly firstRow: number;
  rows: number;
  /** How many of them are decided. */
  seen: number;
  /** How many were given an occurrence after all those of the file and the batch. */
  spare: number;
}

function decide(
  row: IntakeRow,
  occurrence: number,
  group: DuplicateGroup,
  { batchId, jobs, isQueueEmpty, duplicates, duplicateRows }: RowContext,
): DecidedRow {
  const alike = isQueueEmpty ? [] : jobs.alike(row.bodySha256);
  const job = alike.find((one) => isOf(batchId, one) && one.occurrence === occurrence);
  const videos = videosOf(alike, batchId, jobs);
  const video = videos[occurrence];
  const pending = alike.filter((one) => !isOf(batchId, one) && isUndecided(one, jobs));
  const other = video === undefined ? pending[occurrence - videos.length] : undefined;
  const like = matchOf(job, other, alike, occurrence > 0 ? group.firstRow : null);
  const isPaidLike = like?.of === 'job' && isPaid(like.job, jobs);
  const isElsewhere = job?.state === 'cancelled' && hasStranger(job, alike, jobs);
  const known: KnownRow = { row, occurrence, job, like, isPaidLike, isElsewhere, video, other };
  if (like === null) return { ...choose(known, duplicates, () => occurrence), choices: [] };
  const choices = duplicatesSchema.options
    .map((choice) => ({
      duplicates: choice,
      outcome: outcomeOf(choose(known, choice, () => occurrence)),
    }))
    .filter((choice) => choice.duplicates !== 'render' || choice.outcome === 'new');
  const placeBehind = (): number => {
    const inBatch = alike.filter((one) => isOf(batchId, one)).map((one) => one.occurrence);
    const place = Math.max(group.rows - 1, ...inBatch) + 1 + group.spare;
    group.spare += 1;
    return place;
  };
  return { ...choose(known, duplicateRows[String(row.row)] ?? duplicates, placeBehind), choices };
}

/** A row, and the other jobs and rows that have the same request. */
interface KnownRow {
  readonly row: IntakeRow;
  readonly occurrence: number;
  /** The row's own job, if it is already in this batch. */
  readonly job: AlikeJob | undefined;
  readonly like: RowMatch | null;
  /** Whether `like` is a job that was paid for, may have been, or will be. */
  readonly isPaidLike: boolean;
  /** Whether its own job is cancelled and an unrelated one of this batch has its request by now. */
  readonly isElsewhere: boolean;
  /** Rendered for another batch, and not assigned to an earlier row. */
  readonly video: string | undefined;
  /** Another batch's job that may still be paid for or was, without a video for this row. */
  readonly other: AlikeJob | undefined;
}

/** @param placeBehind returns an occurrence that neither the file nor the batch has yet */
function choose(
  { row, occurrence, job, like, isPaidLike, isElsewhere, video, other }: KnownRow,
  duplicates: Duplicates,
  placeBehind: () => number,
): RowDecision {
  const renderAgain = duplicates === 'render';
  if (like !== null && (duplicates === 'skip' || (isElsewhere && !renderAgain)))
    return { kind: 'duplicate-skipped', row, like };
  if (other && !renderAgain && (!job || (job.state === 'cancelled' && job.remoteId === null))) {
    return { kind: 'in-other-batch', row, job: other, like };
  }
  const known = like === null ? undefined : video;
  if (job) {
    const isMade = ['done', 'missing', 'abandoned'].includes(job.state);
    return renderAgain && isMade
      ? { kind: 'new', row, occurrence: placeBehind(), isWanted: true, like }
      : { kind: 'there', row, job, video: ownVideoOf(job) ?? known ?? null, renderAgain, like };
  }
  if (known !== undefined && !renderAgain) {
    return { kind: 'made-elsewhere', row, occurrence, remoteId: known, like };
  }
  // Equal rows of a file are probably a mistake, so one of them is enough.
  return like?.of === 'row' && !renderAgain
    ? { kind: 'duplicate-skipped', row, like }
    : {
        kind: 'new',
        row,
        occurrence,
        isWanted: like !== null && (renderAgain || isPaidLike),
        like,
      };
}

/** Whether a job of the same batch has the request of `own` although the user did not ask for both. */
function hasStranger(own: AlikeJob, alike: readonly AlikeJob[], jobs: JobStore): boolean {
  return alike.some(
    (one) =>
      isOf(own.batchId, one) && duplicateGroup(one) !== duplicateGroup(own) && isPaid(one, jobs),
  );
}

/**
 * A row that was cancelled before it was sent is no duplicate: it was never rendered and will not
 * be.
 */
function matchOf(
  own: AlikeJob | undefined,
  other: AlikeJob | undefined,
  alike: readonly AlikeJob[],
  firstRow: number | null,
): RowMatch | null {
  const others = alike.filter(({ state }) => state !== 'cancelled');
  const job =
    others.find(({ id }) => id === own?.id) ?? other ?? (firstRow === null ? others[0] : undefined);
  if (job) return { of: 'job', job };
  return firstRow === null ? null : { of: 'row', row: firstRow };
}

/**
 * Whether a job of this batch has to be downloaded or queued again because its row was added again.
 */
export function outcomeOf(decision: RowDecision): RowOutcome {
  switch (decision.kind) {
    case 'new':
      return 'new';
    case 'made-elsewhere':
      return 'downloaded-again';
    case 'in-other-batch':
    case 'duplicate-skipped':
      return decision.kind;
    case 'there':
      return outcomeOfJob(decision.job, decision.video, decision.renderAgain);
  }
}

function outcomeOfJob(
  { state, remoteId }: AlikeJob,
  video: string | null,
  renderAgain: boolean,
): RowOutcome {
  switch (state) {
    case 'done':
      return 'saved';
    case 'missing':
      return video === null ? 'new' : 'downloaded-again';
    case 'abandoned':
      return remoteId === null ? 'failed-before' : 'downloaded-again';
    case 'cancelled':
      return renderAgain || video === null ? 'new' : 'downloaded-again';
    case 'failed':
    case 'rejected':
      return renderAgain ? 'new' : 'failed-before';
    default:
      return 'already-queued';
  }
}

/** The id of the video that a job can download. */
function ownVideoOf({ remoteId, videoDeleted }: AlikeJob): string | null {
  return videoDeleted ? null : remoteId;
}

/** States in which a video is finished. */
const HAVING_VIDEO: readonly JobState[] = [
  ...STATE_GROUPS.afterRendering,
  ...(['done', 'missing', 'abandoned'] as const),
];

/**
 * Ids of finished videos of the same request in other batches, without duplicates. If the service
 * said for one job that a video is gone, it is gone for every job that has it.
 */
function videosOf(alike: readonly AlikeJob[], batchId: number | null, jobs: JobStore): string[] {
  const kinds = new Map(
    alike
      .filter(({ state }) => state === 'failed')
      .map(({ id }) => [id, retryKindOf(jobs.get(id), jobs)]),
  );
  const gone = alike.filter(({ id }) => kinds.get(id) === 'gone').map(({ remoteId }) => remoteId);
  const finished = alike.filter(
    (one) =>
      !isOf(batchId, one) &&
      !one.videoDeleted &&
      !gone.includes(one.remoteId) &&
      (HAVING_VIDEO.includes(one.state) || kinds.get(one.id) === 'download'),
  );
  return [...new Set(finished.flatMap(({ remoteId }) => remoteId ?? []))];
}

/** A few milliseconds of work where each item costs a query. */
const ITEMS_A_TURN = 500;

/** Maps a long list in order, and yields to the event loop between pieces. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ITEMS_A_TURN === 0) await nextTurn();
    mapped.push(map(item, index));
  }
  return mapped;
}
