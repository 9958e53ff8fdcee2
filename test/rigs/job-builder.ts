import { jobSchema, type Job } from '../../src/contract/job.ts';
import type { Summary } from '../../src/contract/summary.ts';
import { summary } from './summary-builder.ts';

/** 5 January 2026, 12:00 UTC: the time in tests of messages. */
export const NOON = Date.UTC(2026, 0, 5, 12);

/** Unremarkable values of a field: the first of these that its schema allows is used. */
const UNREMARKABLE = [null, false, 0];

const UNREMARKABLE_JOB = jobSchema.parse({
  ...Object.fromEntries(
    Object.entries(jobSchema.shape).map(([field, schema]) => [
      field,
      UNREMARKABLE.find((value) => schema.safeParse(value).success),
    ]),
  ),
  id: 'job-1',
  batchId: 'batch-1',
  batchName: 'Launch week',
  row: 2,
  title: 'Meet the new one',
  state: 'queued',
  forecast: { sendAt: null, readyAt: null, savedAt: null },
  addedAt: NOON,
});

/** A job with unremarkable values, except for `changes`. */
export function aJob(changes: Partial<Job> = {}): Job {
  return { ...UNREMARKABLE_JOB, ...changes };
}

/** The summary of an engine with nothing to do, except for `changes`. */
export function aSummary(changes: Partial<Summary> = {}): Summary {
  const limit = { windowSeconds: 3600, resetAt: null, nextAt: NOON, othersPerHour: 0 };
  return summary({
    limits: {
      generate: { ...limit, limit: 10, remaining: 10 },
      status: { ...limit, limit: 60, remaining: 60, windowSeconds: 60 },
      download: { ...limit, limit: 30, remaining: 30 },
      renders: null,
    },
    quota: {
      plan: 'starter',
      per: 'month',
      limit: 15,
      used: 0,
      held: 0,
      // In local time, wherever the tests run.
      resetAt: new Date(2026, 1, 5, 12).getTime(),
      refused: false,
    },
    ...changes,
  });
}
