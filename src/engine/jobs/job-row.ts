import { z } from 'zod';
import { failureSchema, type Failure } from '../../contract/failure.ts';
import { JOB_STATES } from '../../contract/job-states.ts';
import { inEnglish, userMessage } from '../../contract/user-message.ts';
import { jsonColumn } from './stored-values.ts';

/** Why the download of a finished video waits, or what an abandoned one waits for. */
const jobWaitSchema = z.discriminatedUnion('kind', [
  /** @property required bytes that must be free; `null`: the disk has room and refuses to write */
  z.object({ kind: z.literal('no-space'), required: z.number().nullable() }),
  /** @property host the name to look up first; `null` once DNS gave it another address */
  z.object({ kind: z.literal('address-blocked'), host: z.string().nullable() }),
  z.object({
    kind: z.enum([
      /** Abandoned, and to be cancelled at the service. */
      'cancel',
      'cannot-write',
      'link-limit',
      'no-link',
      'server-busy',
      'unreachable',
      /** The service says so, although it said before that the video was ready. */
      'not-ready',
      /** The service's answer to the request for a link was of no use. */
      'service-error',
      /** The service says that it does not have the video, and has not said so often enough. */
      'not-found',
    ]),
  }),
]);

export type JobWait = Readonly<z.infer<typeof jobWaitSchema>>;

/** A damaged one is none: the job is then tried, as at its first attempt. */
const storedWait = jsonColumn.pipe(jobWaitSchema).nullable().catch(null);

const flag = z.int().transform((value) => value !== 0);

/** A newer Spool knows causes that this one does not; the row is none the worse for it. */
const storedFailure = jsonColumn
  .pipe(failureSchema.extend({ says: failureSchema.shape.says.optional() }))
  .transform(({ says, ...failure }): Failure =>
    says === undefined ? { ...failure, ...inEnglish(failure.message) } : { ...failure, says },
  )
  .catch({ code: 'answer-unreadable', ...userMessage('failure-unreadable') });

const text = z.string().nullable();
const instant = z.number().nullable();

/** The title and the file's name: a move may change them. */
const naming = {
  title: z.string(),
  fileName: text,
  /** What its file is being renamed to, inside the batch's folder. */
  renameTo: text,
};

/** What is filled from the first request on: a move may change it. */
const progress = {
  remoteId: text,
  serviceWord: text,
  wordUnknown: flag,
  progress: z.number().nullable(),
  failure: storedFailure.nullable(),
  filePath: text,
  fileBytes: z.int().nullable(),
  fileSha256: text,
  fileSeconds: z.number().nullable(),
  submittedAt: instant,
  readyAt: instant,
  savedAt: instant,
};

/** How a download or a request to cancel is tried again: a move may change it. */
const waiting = {
  /** By the local clock; `null`: it does not wait. */
  nextTryAt: instant,
  /** Failures in a row. */
  tries: z.int(),
  waitReason: storedWait,
};

/**
 * One job as the database has it, parsed: everything but the request and the history. Types,
 * SELECTs and UPDATEs derive from these fields; `columnOf` says what the database calls each.
 */
export const jobRowSchema = z.object({
  id: z.int(),
  batchId: z.int(),
  rowNumber: z.int().nullable(),
  preset: z.string(),
  bodySha256: z.instanceof(Uint8Array).transform((hash) => Buffer.from(hash).toString('hex')),
  /** How many rows of this batch with the same body come before this one. */
  occurrence: z.int(),
  state: z.enum(JOB_STATES),
  priority: z.int(),
  position: z.int(),
  addedAt: z.number(),
  ...naming,
  ...progress,
  ...waiting,
  /** Requests that may have left. */
  attempts: z.int(),
});

export type JobRow = Readonly<z.infer<typeof jobRowSchema>>;

/** As much of a job as a forecast or a loop needs, for reading thousands of them. */
export const jobOutlineSchema = jobRowSchema
  .pick({
    id: true,
    batchId: true,
    state: true,
    preset: true,
    nextTryAt: true,
    waitReason: true,
  })
  // When it came to where it is, as far as its forecast cares.
  .extend({ since: z.number() });

export type JobOutline = Readonly<z.infer<typeof jobOutlineSchema>>;

/** As much of a job as it takes to know whether its video is there already. */
export const alikeJobSchema = jobRowSchema.pick({
  id: true,
  batchId: true,
  occurrence: true,
  state: true,
  remoteId: true,
});

export type AlikeJob = Readonly<z.infer<typeof alikeJobSchema>>;

/** Fields that are no columns. */
const COMPUTED: Readonly<Record<string, string>> = {
  attempts: `(SELECT count(*) FROM attempt
    WHERE attempt.job_id = job.id AND attempt.outcome IS NOT 'not-sent')`,
  // Computed here, 100,000 of them are read in 180 ms instead of 310.
  since: 'coalesce(job.ready_at, job.submitted_at, job.added_at)',
};

/** The columns that each of these schemas parses, for a SELECT. */
export const JOB_COLUMNS = columnsOf(jobRowSchema);
export const OUTLINE_COLUMNS = columnsOf(jobOutlineSchema);
export const ALIKE_COLUMNS = columnsOf(alikeJobSchema);

/** The fields of a job that `schema` parses, for a SELECT. */
export function columnsOf(schema: z.ZodObject): string {
  return Object.keys(schema.shape)
    .map((field) => `${COMPUTED[field] ?? `job.${columnOf(field)}`} AS ${field}`)
    .join(', ');
}

/** A field's name in the table of jobs. */
function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a list of jobs, or of what happened to them, is narrowed to; nothing where it is left out. */
export interface JobFilter {
  readonly batchId?: number | undefined;
  /** Looked for in titles, without regard to case. */
  readonly search?: string | undefined;
}

/** The same as further conditions of a WHERE, and their values. */
export function jobConditions({ batchId, search }: JobFilter): {
  readonly sql: string;
  readonly values: readonly (string | number)[];
} {
  const batch = batchId === undefined ? '' : ' AND job.batch_id = ?';
  const title = search ? ' AND instr(job.title_folded, ?) > 0' : '';
  return {
    sql: batch + title,
    values: [
      ...(batchId === undefined ? [] : [batchId]),
      ...(search ? [search.toLocaleLowerCase('en')] : []),
    ],
  };
}

/** What a move may change besides the state. `null` clears a field; one left out stays. */
export type JobChange = {
  readonly [Field in keyof (typeof naming & typeof progress & typeof waiting)]?:
    | JobRow[Field]
    | undefined;
};

/** The same by column. */
export function toColumns(change: JobChange): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(
    Object.entries(change).map(([field, value]) => [columnOf(field), toColumn(value)]),
  );
}

function toColumn(value: JobChange[keyof JobChange]): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** A job whose next attempt is its first. */
export const NO_WAIT: JobChange = { nextTryAt: null, tries: 0, waitReason: null };

/** A job as it was before it was first sent. */
export const UNMADE: JobChange = {
  ...Object.fromEntries(Object.keys(progress).map((field) => [field, null])),
  wordUnknown: false,
};
