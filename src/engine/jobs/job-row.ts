import { z } from 'zod';
import { failureSchema, type Failure } from '../../contract/failure.ts';
import { JOB_STATES } from '../../contract/job-states.ts';
import { inEnglish, userMessage } from '../../contract/user-message.ts';
import { jsonColumn } from './json-column.ts';

const flag = z.int().transform((value) => value !== 0);

/** A newer Spool knows causes that this one does not; the row is none the worse for it. */
const storedFailure = jsonColumn
  .pipe(failureSchema.extend({ says: failureSchema.shape.says.optional() }))
  .transform(({ says, ...failure }): Failure =>
    says === undefined ? { ...failure, ...inEnglish(failure.message) } : { ...failure, says },
  )
  .catch({ code: 'answer-unreadable', ...userMessage('failure-unreadable') });

/** One job as the database has it, parsed. Everything but the request and the history. */
export const jobRowSchema = z
  .object({
    id: z.int(),
    batch_id: z.int(),
    row_number: z.int().nullable(),
    title: z.string(),
    preset: z.string(),
    body_sha256: z.instanceof(Uint8Array),
    state: z.enum(JOB_STATES),
    priority: z.int(),
    position: z.int(),
    remote_id: z.string().nullable(),
    service_word: z.string().nullable(),
    word_unknown: flag,
    progress: z.number().nullable(),
    failure: storedFailure.nullable(),
    file_name: z.string().nullable(),
    file_path: z.string().nullable(),
    rename_to: z.string().nullable(),
    file_bytes: z.int().nullable(),
    file_sha256: z.string().nullable(),
    file_seconds: z.number().nullable(),
    added_at: z.number(),
    submitted_at: z.number().nullable(),
    ready_at: z.number().nullable(),
    saved_at: z.number().nullable(),
    attempts: z.int(),
  })
  .transform((row) => ({
    id: row.id,
    batchId: row.batch_id,
    row: row.row_number,
    title: row.title,
    preset: row.preset,
    bodySha256: Buffer.from(row.body_sha256).toString('hex'),
    state: row.state,
    priority: row.priority,
    position: row.position,
    remoteId: row.remote_id,
    serviceWord: row.service_word,
    wordUnknown: row.word_unknown,
    progress: row.progress,
    failure: row.failure,
    fileName: row.file_name,
    filePath: row.file_path,
    renameTo: row.rename_to,
    fileBytes: row.file_bytes,
    fileSha256: row.file_sha256,
    fileSeconds: row.file_seconds,
    addedAt: row.added_at,
    submittedAt: row.submitted_at,
    readyAt: row.ready_at,
    savedAt: row.saved_at,
    attempts: row.attempts,
  }));

export type JobRow = Readonly<z.infer<typeof jobRowSchema>>;

/** The columns of `jobRowSchema`, for a SELECT. */
export const JOB_COLUMNS = `job.id, job.batch_id, job.row_number, job.title, job.preset,
  job.body_sha256, job.state, job.priority, job.position, job.remote_id, job.service_word,
  job.word_unknown, job.progress, job.failure, job.file_name, job.file_path,
  job.rename_to, job.file_bytes, job.file_sha256, job.file_seconds, job.added_at, job.submitted_at, job.ready_at, job.saved_at,
  (SELECT count(*) FROM attempt
    WHERE attempt.job_id = job.id AND attempt.outcome IS NOT 'not-sent') AS attempts`;

/** As much of a job as a forecast needs, for reading thousands of them. */
export const jobOutlineSchema = z
  .object({
    id: z.int(),
    batch_id: z.int(),
    state: z.enum(JOB_STATES),
    preset: z.string(),
    added_at: z.number(),
    submitted_at: z.number().nullable(),
    ready_at: z.number().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    batchId: row.batch_id,
    state: row.state,
    preset: row.preset,
    /** When it came to where it is, as far as its forecast cares. */
    since: row.ready_at ?? row.submitted_at ?? row.added_at,
  }));

export type JobOutline = Readonly<z.infer<typeof jobOutlineSchema>>;

/** What a move may change besides the state. `null` clears a field; one left out stays. */
export interface JobChange {
  readonly remoteId?: string | null;
  readonly serviceWord?: string | null;
  readonly wordUnknown?: boolean;
  readonly progress?: number | null;
  readonly failure?: z.infer<typeof failureSchema> | null;
  readonly fileName?: string | null;
  readonly filePath?: string | null;
  /** What its file is being renamed to, inside the batch's folder. */
  readonly renameTo?: string | null;
  readonly fileBytes?: number | null;
  readonly fileSha256?: string | null;
  readonly fileSeconds?: number | null;
  readonly submittedAt?: number | null;
  readonly readyAt?: number | null;
  readonly savedAt?: number | null;
  readonly title?: string;
}

const COLUMN_OF = {
  remoteId: 'remote_id',
  serviceWord: 'service_word',
  wordUnknown: 'word_unknown',
  progress: 'progress',
  failure: 'failure',
  fileName: 'file_name',
  filePath: 'file_path',
  renameTo: 'rename_to',
  fileBytes: 'file_bytes',
  fileSha256: 'file_sha256',
  fileSeconds: 'file_seconds',
  submittedAt: 'submitted_at',
  readyAt: 'ready_at',
  savedAt: 'saved_at',
  title: 'title',
} as const satisfies Record<keyof JobChange, string>;

/** Assignments and their values, for an UPDATE. */
export function assignments(change: JobChange): {
  readonly sql: readonly string[];
  readonly values: readonly (string | number | null)[];
} {
  const named = Object.entries(change) as [keyof JobChange, JobChange[keyof JobChange]][];
  return {
    sql: named.map(([name]) => `${COLUMN_OF[name]} = ?`),
    values: named.map(([, value]) => toColumn(value)),
  };
}

function toColumn(value: JobChange[keyof JobChange]): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** A job as it was before it was first sent. */
export const UNMADE: JobChange = {
  remoteId: null,
  serviceWord: null,
  wordUnknown: false,
  progress: null,
  failure: null,
  filePath: null,
  fileBytes: null,
  fileSha256: null,
  fileSeconds: null,
  submittedAt: null,
  readyAt: null,
  savedAt: null,
};
