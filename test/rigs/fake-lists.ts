/** Sorts and groups the fake engine's rows, as the engine does in SQL. */
import {
  batchGroup,
  QUEUE_SECTIONS,
  SECTION_STATES,
  type JobOrder,
} from '../../src/contract/job-order.ts';
import type { Job, JobGroup, JobQuery } from '../../src/contract/job.ts';
import { JOB_STATES, type JobState } from '../../src/contract/job-states.ts';

const BEYOND = ['quota', 'daily-quota', 'not-planned', 'years-away'];

/**
 * @param jobs those that match, in the queue's order
 * @param shown a job with its wait
 */
export function arranged(
  query: JobQuery,
  jobs: readonly Job[],
  shown: (job: Job) => Job,
): { readonly jobs: readonly Job[]; readonly groups: readonly JobGroup[] } {
  if (query.grouping === undefined) return { jobs: sorted(jobs, query.order), groups: [] };
  const groups = query.grouping === 'batches' ? byBatch(jobs) : inSections(jobs, shown);
  const filled = groups
    .filter((group) => group.jobs.length > 0)
    .map((group) => ({ ...group, lines: linesOf(group.jobs, query.unfoldedRows, shown) }));
  return {
    jobs: filled
      .filter(({ key }) => query.unfolded?.includes(key) ?? true)
      .flatMap(({ lines }) => lines),
    groups: filled.map((group) => ({
      key: group.key,
      total: group.jobs.length,
      lines: group.lines.length,
    })),
  };
}

/** The jobs of a section that have lines, with the videos that each stands for. */
function linesOf(
  jobs: readonly Job[],
  unfoldedRows: readonly string[] | undefined,
  shown: (job: Job) => Job,
): readonly Job[] {
  if (unfoldedRows === undefined) return jobs;
  const isFolded = ({ rowId }: Job): boolean => rowId !== null && !unfoldedRows.includes(rowId);
  const byRow = Map.groupBy(jobs, ({ rowId }) => rowId);
  return jobs.flatMap((job) => {
    const videos = isFolded(job) ? (byRow.get(job.rowId) ?? []) : [];
    if (videos.length === 0) return [job];
    if (videos[0] !== job) return [];
    return [videos.length === 1 ? job : { ...job, videos: videos.map(shown) }];
  });
}

interface Group {
  readonly key: string;
  readonly jobs: readonly Job[];
}

function inSections(jobs: readonly Job[], shown: (job: Job) => Job): readonly Group[] {
  const isIn = (states: readonly JobState[], job: Job): boolean => states.includes(job.state);
  const unsent = jobs.filter((job) => isIn(SECTION_STATES.next, job));
  const last = unsent.findLastIndex((job) => {
    const { wait } = shown(job);
    return job.state === 'queued' && !BEYOND.includes(wait?.reason ?? '');
  });
  const hasLater = unsent.some((job) => BEYOND.includes(shown(job).wait?.reason ?? ''));
  const end = hasLater ? last + 1 : unsent.length;
  return [
    ...QUEUE_SECTIONS.map((key) => ({
      key,
      jobs:
        key === 'next'
          ? unsent.slice(0, end)
          : key === 'later'
            ? unsent.slice(end)
            : jobs.filter((job) => isIn(SECTION_STATES[key], job)),
    })),
    ...batchesIn(jobs).map((batchId) => ({
      key: batchGroup(batchId),
      jobs: jobs.filter((job) => job.batchId === batchId && isIn(SECTION_STATES.finished, job)),
    })),
  ];
}

function byBatch(jobs: readonly Job[]): readonly Group[] {
  return batchesIn(jobs).map((batchId) => ({
    key: batchGroup(batchId),
    jobs: sorted(
      jobs.filter((job) => job.batchId === batchId),
      { by: 'when', descending: true },
    ),
  }));
}

/** The newest first. */
function batchesIn(jobs: readonly Job[]): readonly string[] {
  const number = (batchId: string): number => Number(batchId.replace('batch-', ''));
  return [...new Set(jobs.map(({ batchId }) => batchId))].toSorted(
    (one, other) => number(other) - number(one),
  );
}

function sorted(jobs: readonly Job[], order: JobOrder | undefined): readonly Job[] {
  if (order === undefined || order.by === 'queue') return jobs;
  const valueOf = (job: Job): string | number | null => {
    switch (order.by) {
      case 'queue':
        return 0;
      case 'title':
        return job.title.toLowerCase();
      case 'batch':
        return job.batchName.toLowerCase();
      case 'state':
        return JOB_STATES.indexOf(job.state);
      case 'when':
        return job.savedAt;
      case 'file':
        return job.file?.path ?? null;
      case 'length':
        return job.file?.durationSeconds ?? null;
      case 'size':
        return job.file?.bytes ?? null;
    }
  };
  return jobs.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return (a < b ? -1 : a > b ? 1 : 0) * (order.descending ? -1 : 1);
  });
}
