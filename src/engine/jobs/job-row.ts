import { z } from 'zod';
import { amountSchema } from '../../contract/amount.ts';
import { failureSchema } from '../../contract/failure.ts';
import { userMessageSchema } from '../../contract/message-schema.ts';
import { foldCase } from '../../contract/job-filter.ts';
import { JOB_STATES } from '../../contract/job-states.ts';
import { userMessage } from '../../contract/user-message.ts';
import { jsonColumn } from './stored-values.ts';

/** Why the download of a finished video waits, or what an abandoned one waits for. */
const jobWaitSchema = z.discriminatedUnion('kind', [
  /** @property required bytes that must be free; `null`: the disk has room and refuses to write */
  z.object({ kind: z.literal('no-space'), required: z.number().nullable() }),
  /** @property host the name to look up first; `null` once DNS gave it another address */
  z.object({ kind: z.literal('address-blocked'), host: z.string().nullable() }),
  /** @property proxy as users see it */
  z.object({ kind: z.literal('proxy-failed'), proxy: z.string() }),
  z.object({
    kind: z.enum([
      /** Abandoned, and to be cancelled at the service. */
      'cancel',
      'cannot-write',
      'too-many-files',
      'link-limit',
      'no-link',
      'server-busy',
      'unreachable',
      /** The service says so, although it said before that the video was ready. */
      'not-ready',
      /** The service's response to the request for a link was useless. */
      'service-error',
      /** The service says that it does not have the video, but not often enough to give up. */
      'not-found',
    ]),
  }),
]);

export type JobWait = Readonly<z.infer<typeof jobWaitSchema>>;

/** A damaged value counts as none: the job is then tried, as at its first attempt. */
const storedWait = jsonColumn.pipe(jobWaitSchema).nullable().catch(null);

const flag = z.int().transform((value) => value !== 0);

/** A newer Spool knows causes that this one does not; the row can still be used. */
const storedFailure = jsonColumn
  .pipe(failureSchema)
  .catch({ code: 'answer-unreadable', ...userMessage('failure-unreadable') });

const text = z.string().nullable();
const instant = z.number().nullable();

/** The title and the file's name, which a move may change. */
const naming = {
  title: z.string(),
  /** What distinguishes it from the other videos of its row. */
  variant: text,
  fileName: text,
  /** The new name of its file during a rename, inside the batch's folder. */
  renameTo: text,
};

/** Fields that are filled from the first request on, which a move may change. */
const progress = {
  remoteId: text,
  /** Whether its service deletes the video, because its files are saved: only a file remains. */
  videoDeleted: flag,
  serviceWord: text,
  wordUnknown: flag,
  progress: z.number().nullable(),
  failure: storedFailure.nullable(),
  /** What it cost, as the service said. */
  cost: jsonColumn.pipe(amountSchema).nullable().catch(null),
  /** What the user should check, although nothing failed. */
  notice: jsonColumn.pipe(userMessageSchema).nullable().catch(null),
  filePath: text,
  fileBytes: z.int().nullable(),
  fileSha256: text,
  fileSeconds: z.number().nullable(),
  submittedAt: instant,
  readyAt: instant,
  savedAt: instant,
};

/** How a download or a request to cancel is retried; a move may change it. */
const waiting = {
  /** By the local clock; `null`: no wait. */
  nextTryAt: instant,
  /** Failures in a row. */
  tries: z.int(),
  waitReason: storedWait,
};

/**
 * One job as it is in the database, parsed: everything but the request and the history. Types,
 * SELECTs and UPDATEs are derived from these fields; `columnOf` maps them to columns.
 */
export const jobRowSchema = z.object({
  id: z.int(),
  batchId: z.int(),
  rowNumber: z.int().nullable(),
  /** Of a row that makes several videos: the id of the first of their jobs. */
  rowId: z.int().nullable(),
  /** In a list with folded rows, the job whose line stands for it. */
  foldedInto: z.int().nullable(),
  preset: z.string(),
  bodySha256: z.instanceof(Uint8Array).transform((hash) => Buffer.from(hash).toString('hex')),
  /** How many earlier rows of this batch have the same body. */
  occurrence: z.int(),
  /** The id of the first of the jobs that the user wants although their requests are the same. */
  duplicateOf: z.int().nullable(),
  state: z.enum(JOB_STATES),
  priority: z.int(),
  position: z.int(),
  addedAt: z.number(),
  archivedAt: instant,
  removedAt: instant,
  ...naming,
  ...progress,
  ...waiting,
  /** Requests that may have left. */
  attempts: z.int(),
});

export type JobRow = Readonly<z.infer<typeof jobRowSchema>>;

/** The fields of a job that a forecast or a loop needs, because they read thousands of jobs. */
export const jobOutlineSchema = jobRowSchema
  .pick({
    id: true,
    batchId: true,
    state: true,
    preset: true,
    nextTryAt: true,
    waitReason: true,
  })
  // When it entered its stage, for its forecast.
  .extend({ since: z.number() });

export type JobOutline = Readonly<z.infer<typeof jobOutlineSchema>>;

/** The fields of a job that show whether its video exists already. */
export const alikeJobSchema = jobRowSchema.pick({
  id: true,
  batchId: true,
  occurrence: true,
  duplicateOf: true,
  state: true,
  remoteId: true,
  videoDeleted: true,
  submittedAt: true,
});

export type AlikeJob = Readonly<z.infer<typeof alikeJobSchema>>;

/** Fields that are computed, not stored in a column of the same name. */
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

/** Fields that a move may change besides the state. `null` clears a field; one left out stays. */
export type JobChange = {
  readonly [Field in keyof (typeof naming & typeof progress & typeof waiting)]?:
    | JobRow[Field]
    | undefined;
};

/** The same by column. */
export function toColumns(change: JobChange): Readonly<Record<string, string | number | null>> {
  const columns = Object.fromEntries(
    Object.entries(change).map(([field, value]) => [columnOf(field), toColumn(value)]),
  );
  return change.title === undefined
    ? columns
    : { ...columns, title_folded: foldCase(change.title) };
}

function toColumn(value: JobChange[keyof JobChange]): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** The name that a job's file gets, inside the batch's folder. */
export function fileNameOf({ id, fileName }: Pick<JobRow, 'id' | 'fileName'>): string {
  return fileName ?? `${id}.mp4`;
}

/** A job whose next attempt is its first. */
export const NO_WAIT: JobChange = { nextTryAt: null, tries: 0, waitReason: null };

/** The fields of a job as they were before it was first sent. */
export const UNMADE: JobChange = {
  ...Object.fromEntries(Object.keys(progress).map((field) => [field, null])),
  wordUnknown: false,
  videoDeleted: false,
};
