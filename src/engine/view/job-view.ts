import { jobSchema, type Job } from '../../contract/job.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import { jobRowSchema, type JobRow } from '../jobs/job-row.ts';
import type { Forecasts } from './forecasts.ts';
import type { JobWaits } from './job-waits.ts';

export interface JobViewContext extends Pick<
  FlowContext,
  'flow' | 'renderTimes' | 'transfers' | 'clock'
> {
  readonly forecasts: Forecasts;
  readonly waits: JobWaits;
}

/** A job as UIs see it: what the database has, and what is only known at the moment. */
export function showJob(row: JobRow, context: JobViewContext): Job {
  const { forecasts, transfers, waits, flow } = context;
  return {
    ...storedFields(row),
    id: String(row.id),
    batchId: String(row.batchId),
    row: row.rowNumber,
    stopsHere: flow.stopBefore === row.id,
    progress: progressOf(row, context),
    transfer: transfers.of(row.id),
    wait: waits.of(row, () => forecasts.placeOf(row.id)),
    file: fileOf(row),
    forecast: forecasts.of(row.id),
  };
}

function progressOf(row: JobRow, { renderTimes, clock }: JobViewContext): Job['progress'] {
  if (row.state !== 'submitted' && row.state !== 'rendering') return null;
  if (row.progress !== null) return { fraction: row.progress, estimated: false };
  const age = clock.now() - (row.submittedAt ?? row.addedAt);
  return { fraction: renderTimes.progress(row.preset, age), estimated: true };
}

/** Fields that the database and UIs know by the same name. Most are shown as they are stored. */
type StoredField = keyof Job & keyof JobRow;

const STORED_FIELDS = Object.keys(jobSchema.shape).filter(
  (field): field is StoredField => field in jobRowSchema.shape,
);

function storedFields(row: JobRow): Pick<JobRow, StoredField> {
  const entries = STORED_FIELDS.map((field) => [field, row[field]]);
  return Object.fromEntries(entries) as Pick<JobRow, StoredField>;
}

function fileOf(row: JobRow): Job['file'] {
  if (row.filePath === null || row.fileBytes === null || row.fileSha256 === null) return null;
  return {
    path: row.filePath,
    bytes: row.fileBytes,
    sha256: row.fileSha256,
    durationSeconds: row.fileSeconds,
  };
}
