/**
 * Whether a job matches a filter. The engine's SQL for the same question is
 * `engine/jobs/job-conditions.ts`; a property test compares the two. No schema library is imported,
 * so that a page can use it.
 */
import type { Job, JobFilter } from './job.ts';
import { STATE_GROUPS, type JobState } from './job-states.ts';

/** States of a job that was saved once and is downloaded again, or could not be. */
export const DOWNLOADING_AGAIN: readonly JobState[] = [...STATE_GROUPS.afterRendering, 'failed'];

type FilteredJob = Pick<Job, 'batchId' | 'state' | 'title' | 'archivedAt' | 'removedAt'>;

/** @param wasSaved whether the job's history has a saved file; a job itself does not tell */
export function matches(
  { batchId, state, title, archivedAt, removedAt }: FilteredJob,
  filter: JobFilter,
  wasSaved: boolean,
): boolean {
  const isDownloadedAgain =
    filter.alsoDownloadingAgain === true && wasSaved && DOWNLOADING_AGAIN.includes(state);
  return (
    removedAt === null &&
    (filter.batchId === undefined || filter.batchId === batchId) &&
    (filter.states === undefined || filter.states.includes(state) || isDownloadedAgain) &&
    (filter.archived === undefined || filter.archived === (archivedAt !== null)) &&
    (filter.search === undefined || foldCase(title).includes(foldCase(filter.search)))
  );
}

/** A text as titles are searched: in lower case, also letters that SQLite does not know. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}
