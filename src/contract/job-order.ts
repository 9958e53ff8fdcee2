/**
 * How lists of jobs are sorted and divided into groups. This file imports no schema, so that a page
 * can use it without loading the library.
 */
import type { JobState } from './job-states.ts';

/**
 * What a list is sorted by. `queue` is the order of sending; `when` starts with the first video that
 * was saved and ends with those that are not saved, in the queue's order. Jobs without a value come
 * last in both directions.
 */
export const JOB_SORTS = [
  'queue',
  'title',
  'batch',
  'state',
  'when',
  'file',
  'length',
  'size',
] as const;

export type JobSort = (typeof JOB_SORTS)[number];

export interface JobOrder {
  readonly by: JobSort;
  readonly descending: boolean;
}

/** The sections of the queue that contain jobs of one kind; a batch's finished jobs are another. */
export const QUEUE_SECTIONS = ['now', 'attention', 'next', 'later'] as const;

export type QueueSection = (typeof QUEUE_SECTIONS)[number];

/** `next` and `later` have the same states: `later` begins with the first job beyond the quota. */
export const SECTION_STATES = {
  now: ['reserved', 'sending', 'submitted', 'rendering', 'ready', 'downloading', 'verifying'],
  attention: ['uncertain', 'missing', 'rejected', 'failed'],
  next: ['queued', 'held'],
  later: ['queued', 'held'],
  finished: ['done', 'cancelled', 'abandoned'],
} as const satisfies Readonly<Record<QueueSection | 'finished', readonly JobState[]>>;

/**
 * How a list is divided: into the queue's sections, of which the last are the finished jobs of each
 * batch, the newest batch first; or by batch, the newest first, and in each what was saved last.
 */
export const JOB_GROUPINGS = ['sections', 'batches'] as const;

const BATCH_KEY = 'batch:';

/** The key of the group of a batch's jobs. */
export function batchGroup(batchId: string): string {
  return BATCH_KEY + batchId;
}

/** The batch of a group's key; `null` for a section. */
export function batchOfGroup(key: string): string | null {
  return key.startsWith(BATCH_KEY) ? key.slice(BATCH_KEY.length) : null;
}
