import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { toldSchema } from './said.ts';
import { JOB_STATES } from './job-states.ts';

/** Milliseconds since the Unix epoch. */
export const instantSchema = z.number();

export const jobStateSchema = z.enum(JOB_STATES);

/** A video's state at the service, in the six words that the engine acts on. */
export const remoteStateSchema = z.enum([
  'queued',
  'working',
  'done',
  'failed',
  'rejected',
  'cancelled',
]);

export type RemoteStateWord = z.infer<typeof remoteStateSchema>;

/** When the planner expects things to happen. `null` means: not in this quota cycle, or unknown. */
export const forecastSchema = z.object({
  sendAt: instantSchema.nullable(),
  readyAt: instantSchema.nullable(),
  savedAt: instantSchema.nullable(),
});

export type Forecast = z.infer<typeof forecastSchema>;

export const savedFileSchema = z.object({
  /** Absolute path on the computer that runs the engine. */
  path: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  durationSeconds: z.number().nonnegative().nullable(),
});

export type SavedFile = z.infer<typeof savedFileSchema>;

export const transferSchema = z.object({
  receivedBytes: z.number().nonnegative(),
  totalBytes: z.number().nonnegative().nullable(),
  bytesPerSecond: z.number().nonnegative().nullable(),
  secondsLeft: z.number().nonnegative().nullable(),
});

export type Transfer = z.infer<typeof transferSchema>;

/** Why a finished video is not being fetched at the moment. */
export const transferWaitSchema = z.object({
  /**
   * `paused` by its owner; `disk-full`; `folder-unusable`: it cannot be written to; `link-limit`: no further link may be asked for yet
   * (service-api.md §8.1); `server-busy` and `unreachable`: the server of the file, not the service.
   */
  reason: z.enum([
    'paused',
    'disk-full',
    'folder-unusable',
    'link-limit',
    'server-busy',
    'unreachable',
  ]),
  /** When it is tried again by itself; `null` when that depends on something else than time. */
  until: instantSchema.nullable(),
  /** With `disk-full`: how much more room it needs, where that is known. */
  missingBytes: z.number().nonnegative().nullable(),
});

export type TransferWait = z.infer<typeof transferWaitSchema>;

/** One video a creator wants, as every UI sees it. */
export const jobSchema = z.object({
  id: z.string(),
  batchId: z.string(),
  /** Row in the imported file as a spreadsheet numbers it (header = 1); `null` for a single video. */
  row: z.int().positive().nullable(),
  title: z.string(),
  state: jobStateSchema,
  /** -1 to 1; higher goes first. */
  priority: z.int(),
  /** True when sending pauses by itself at this row's turn. */
  stopsHere: z.boolean(),
  /** How often its request may have left this computer. */
  attempts: z.int().nonnegative(),
  /** The identifier the service gave it (service-api.md §2.2). */
  remoteId: z.string().nullable(),
  /** The service's own word for its state, as last heard; shown when we do not know the word. */
  serviceWord: z.string().nullable(),
  /** True when `serviceWord` is one the service profile does not know: we keep asking. */
  wordUnknown: z.boolean(),
  /** Share of the render that is done, 0 to 1; `estimated` when the service gives none. */
  progress: z.object({ fraction: z.number().min(0).max(1), estimated: z.boolean() }).nullable(),
  transfer: transferSchema.nullable(),
  /** Set while it is ready, or on its way, and something other than a free transfer is waited for. */
  transferWait: transferWaitSchema.nullable(),
  failure: failureSchema.nullable(),
  file: savedFileSchema.nullable(),
  forecast: forecastSchema,
  addedAt: instantSchema,
  submittedAt: instantSchema.nullable(),
  readyAt: instantSchema.nullable(),
  savedAt: instantSchema.nullable(),
});

export type Job = z.infer<typeof jobSchema>;

/** One step of a job's life, oldest first. */
export const historyEntrySchema = z.object({
  at: instantSchema,
  from: jobStateSchema.nullable(),
  to: jobStateSchema,
  /** Why, in a creator's words. */
  note: toldSchema.nullable(),
});

export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** All there is to know about one job. */
export const jobDetailsSchema = z.object({
  job: jobSchema,
  /** The request body exactly as it was or will be sent. */
  request: z.json(),
  requestSha256: z.string(),
  /** What the service answered last, as it came. */
  lastAnswer: z.string().nullable(),
  history: z.array(historyEntrySchema),
});

export type JobDetails = z.infer<typeof jobDetailsSchema>;
