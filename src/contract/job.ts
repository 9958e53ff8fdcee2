import { z } from 'zod';
import { amountSchema } from './amount.ts';
import { failureSchema } from './failure.ts';
import { userMessageSchema } from './message-schema.ts';
import { JOB_EVENTS } from './job-events.ts';
import { jsonSchema } from './json.ts';
import { JOB_GROUPINGS, JOB_SORTS } from './job-order.ts';
import { JOB_STATES } from './job-states.ts';
import { rowFieldSchema } from './row-field.ts';
import { MAX_CELL_TEXT, MAX_SEARCH } from './text-limits.ts';

/** Milliseconds since the Unix epoch. */
export const instantSchema = z.number();

export const jobStateSchema = z.enum(JOB_STATES);

export const jobEventSchema = z.enum(JOB_EVENTS);

/** A video's state at the service, as one of the six that the engine distinguishes. */
export const remoteStateSchema = z.enum([
  'queued',
  'working',
  'done',
  'failed',
  'rejected',
  'cancelled',
]);

export type RemoteState = z.infer<typeof remoteStateSchema>;

/** Times that the planner expects; `null` where unknown: the job's `wait` has the reason. */
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
  /** Decreases only when the download had to start over. */
  receivedBytes: z.number().nonnegative(),
  /** Size of the whole file; `null` until the server has sent it. */
  totalBytes: z.number().nonnegative().nullable(),
  /** Smoothed; `null` until there are enough samples, and after a silence. */
  bytesPerSecond: z.number().nonnegative().nullable(),
});

export type Transfer = z.infer<typeof transferSchema>;

/**
 * Why a job in progress does not move at the moment.
 *
 * - Before it is sent: `turn`, other requests or the service's hourly limit come first
 *   (service-api.md §8.1); `render-slot`, all render slots of the service are in use, and the next
 *   request leaves when a render ends; `quota`, the cycle has no room for it (§8.3); `daily-quota`,
 *   the day has no room for it; `pause-point`, sending pauses at its row or at an earlier one;
 *   `not-planned`, too many rows come before it for a forecast; `years-away`, the quota has no room
 *   for it within five years; `sending-suspended`, the service
 *   refused the last requests, or it is unknown whether it accepted them; `queue-unconfirmed`, the
 *   user must confirm that this queue is complete and used by this computer only;
 *   `queue-unwritable`, the disk refuses writes.
 * - Before it is sent or while the service has it: `paused`; `not-running`, no Spool processes this
 *   queue; `key-missing`, `key-refused`, and `offline`, the service does not answer.
 * - While the service has it: `service-error`, its last response about this video was unusable;
 *   `not-found`, the service does not know this video, and `status-unknown`, Spool does not know the
 *   status that it reports; both are requested again before the job fails.
 * - While its outcome is uncertain: `searching`, Spool searches the service's list of videos for
 *   it; `repeating`, it is repeated with the same idempotency key. Otherwise the user decides.
 * - Once it is abandoned: `cancelling`, Spool cancels its render at the service.
 * - Before it is downloaded: `download-paused`; `disk-full`; `folder-unusable`, it cannot be
 *   written to; `too-many-files`, Spool may open no more files; `link-limit`, no further link may be requested yet (§8.1); `link-not-ready`, the
 *   service has no link for it yet; `file-server-busy` and `file-server-unreachable`, the server of
 *   the file, which need not be the service; `address-blocked`, DNS gives that server an address of
 *   a VPN or of NAT64, and the setting `allowVpnAddresses` is off; `proxy-failed`, the proxy did not
 *   connect to that server.
 */
export const waitSchema = z.discriminatedUnion('reason', [
  z.object({
    reason: z.enum([
      ...(['turn', 'render-slot', 'quota', 'daily-quota', 'pause-point'] as const),
      ...(['not-planned', 'years-away'] as const),
      ...(['sending-suspended', 'queue-unconfirmed', 'queue-unwritable'] as const),
      ...(['paused', 'not-running', 'key-missing', 'key-refused', 'offline'] as const),
      ...(['download-paused', 'folder-unusable', 'link-limit', 'link-not-ready'] as const),
      ...(['service-error', 'not-found', 'status-unknown', 'searching', 'repeating'] as const),
      ...(['cancelling', 'too-many-files'] as const),
      ...(['file-server-busy', 'file-server-unreachable'] as const),
    ]),
    /** When it is retried automatically; `null` when that depends on something other than time. */
    until: instantSchema.nullable(),
  }),
  z.object({
    reason: z.literal('disk-full'),
    until: instantSchema.nullable(),
    /** How much more space it needs; `null` where that is not known. */
    missingBytes: z.number().nonnegative().nullable(),
  }),
  z.object({
    reason: z.literal('address-blocked'),
    /** When the name is looked up again. */
    until: instantSchema.nullable(),
    /** The name that resolves to the address. */
    host: z.string(),
  }),
  z.object({
    reason: z.literal('proxy-failed'),
    until: instantSchema.nullable(),
    /** Its scheme, host and port. */
    proxy: z.string(),
  }),
]);

export type Wait = z.infer<typeof waitSchema>;

export type WaitReason = Wait['reason'];

const progressSchema = z.object({ fraction: z.number().min(0).max(1), estimated: z.boolean() });

/** One of the videos of a row that one line of a list stands for. */
export const lineVideoSchema = z.object({
  id: z.string(),
  variant: z.string().nullable(),
  state: jobStateSchema,
  /** As in `Job`. */
  progress: progressSchema.nullable(),
  forecast: forecastSchema,
  savedAt: instantSchema.nullable(),
});

export type LineVideo = z.infer<typeof lineVideoSchema>;

/** One requested video, as every UI sees it. */
export const jobSchema = z.object({
  id: z.string(),
  batchId: z.string(),
  batchName: z.string(),
  /** Row in the imported file as a spreadsheet numbers it (header = 1); `null` for a single video. */
  row: z.int().positive().nullable(),
  /** The same for all videos of one row; `null` for a row that makes one video. */
  rowId: z.string().nullable(),
  /** What distinguishes it from the other videos of its row: `9:16 · de`; `null` for the only one. */
  variant: z.string().nullable(),
  /**
   * In a list with `unfoldedRows`: the videos that its line stands for, this one first; left out
   * where it stands for one.
   */
  videos: z.array(lineVideoSchema).optional(),
  title: z.string(),
  state: jobStateSchema,
  /** -1 to 1; higher goes first. */
  priority: z.int(),
  /** True when sending pauses automatically before this row. */
  stopsHere: z.boolean(),
  /** How often its request may have left this computer. */
  attempts: z.int().nonnegative(),
  /** The service's id of the video (service-api.md §2.2). */
  remoteId: z.string().nullable(),
  /** The service's last word for its state; shown when the profile does not know the word. */
  serviceWord: z.string().nullable(),
  /** True when the service profile does not know `serviceWord`, or there is no word. */
  wordUnknown: z.boolean(),
  /** Completed share of the render, 0 to 1; `estimated` when the service reports none. */
  progress: progressSchema.nullable(),
  transfer: transferSchema.nullable(),
  /** Why it waits; `null` while it progresses, or when its state says enough. */
  wait: waitSchema.nullable(),
  failure: failureSchema.nullable(),
  /** What the user should check, although nothing failed. */
  notice: userMessageSchema.nullable(),
  file: savedFileSchema.nullable(),
  forecast: forecastSchema,
  addedAt: instantSchema,
  submittedAt: instantSchema.nullable(),
  readyAt: instantSchema.nullable(),
  savedAt: instantSchema.nullable(),
  /** When it was taken out of the queue's list and counts; `null` while it is in them. */
  archivedAt: instantSchema.nullable(),
  /** When it was removed from all lists; `null` unless it was. */
  removedAt: instantSchema.nullable(),
});

export type Job = z.infer<typeof jobSchema>;

/** Which jobs a list contains. A filter left out does not narrow it. */
export const jobFilterSchema = z.object({
  batchId: z.string().optional(),
  states: z.array(jobStateSchema).readonly().optional(),
  /**
   * In addition to jobs in one of `states`, those that were saved once and are being downloaded
   * again, or could not be.
   */
  alsoDownloadingAgain: z.boolean().optional(),
  /** `true`: only archived jobs; `false`: only the others. */
  archived: z.boolean().optional(),
  /** Searched in titles, case-insensitively. */
  search: z.string().max(MAX_SEARCH).optional(),
});

export type JobFilter = Readonly<z.infer<typeof jobFilterSchema>>;

/** Which jobs a list contains, and how it is arranged. */
export const jobQuerySchema = jobFilterSchema.extend({
  /** By the queue's order when left out. Within groups it has no effect. */
  order: z
    .object({ by: z.enum(JOB_SORTS), descending: z.boolean() })
    .readonly()
    .optional(),
  /** Divides the list into groups (`job-order.ts`). Sections ignore `states` and `search`. */
  grouping: z.enum(JOB_GROUPINGS).optional(),
  /** Keys of the groups whose jobs are listed; all when left out. The others are only counted. */
  unfolded: z.array(z.string().max(100)).max(10_000).readonly().optional(),
  /**
   * In sections: one line stands for the videos of a row that are in one section, except for these
   * rows (`Job.rowId`). All videos have lines when left out.
   */
  unfoldedRows: z.array(z.string().max(100)).max(10_000).readonly().optional(),
});

export type JobQuery = Readonly<z.infer<typeof jobQuerySchema>>;

/** A group of a list. */
export const jobGroupSchema = z.object({
  /** The name of a section, or `batch:` and the batch's id. */
  key: z.string(),
  /** How many jobs it has, listed or not. */
  total: z.int().positive(),
  /** How many lines it has when its jobs are listed: fewer than jobs where rows are folded. */
  lines: z.int().positive(),
});

export type JobGroup = Readonly<z.infer<typeof jobGroupSchema>>;

/** One entry of a job's history, oldest first. */
export const historyEntrySchema = z.object({
  at: instantSchema,
  from: jobStateSchema.nullable(),
  to: jobStateSchema,
  event: jobEventSchema,
  /** Why, in a creator's words. */
  note: userMessageSchema.nullable(),
});

export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** A change of a row: only what it names. */
export const rowEditSchema = z.object({
  /** By the names of `RowDetails.fields`, in a cell's notation; `''` empties a cell. */
  values: z.record(z.string().min(1).max(100), z.string().max(MAX_CELL_TEXT)).optional(),
  /** Replaces the template of the row's request, which then is the row's own. */
  template: z.record(z.string(), jsonSchema).optional(),
});

export type RowEdit = z.infer<typeof rowEditSchema>;

/** A change of many rows: the same values in all of them, or a text that is replaced in a column. */
export const rowsEditSchema = z.object({
  ids: z.array(z.string()).min(1).max(100_000),
  values: rowEditSchema.shape.values,
  replace: z
    .object({
      /** As in `values`. */
      field: z.string().min(1).max(100),
      find: z.string().min(1).max(MAX_CELL_TEXT),
      with: z.string().max(MAX_CELL_TEXT),
      /** Whether capitals count. */
      exact: z.boolean().default(true),
    })
    .optional(),
});

export type RowsEdit = z.infer<typeof rowsEditSchema>;

/** Many rows as one form shows them. */
export const rowsDetailsSchema = z.object({
  /** That every row has. */
  fields: z.array(rowFieldSchema),
  /** As in `RowDetails`: values that all rows have in common. */
  values: z.record(z.string(), z.string()),
  /** Names of fields with different values. */
  various: z.array(z.string()),
});

export type RowsDetails = z.infer<typeof rowsDetailsSchema>;

/** A row as a form shows it. */
const rowDetailsSchema = z.object({
  fields: z.array(rowFieldSchema),
  /** By field, in a cell's notation: items of a list on lines. Fields without a value are left out. */
  values: z.record(z.string(), z.string()),
  /** The body of the template that makes its request. */
  template: z.record(z.string(), jsonSchema),
  /** Whether the template is not the one that the service profile has now. */
  isOwnTemplate: z.boolean(),
  /** With a refused request: the fields that the service names, with its words. */
  refused: z.array(z.object({ field: z.string(), detail: z.string().nullable() })),
});

export type RowDetails = z.infer<typeof rowDetailsSchema>;

/** All details of one job. */
export const jobDetailsSchema = z.object({
  job: jobSchema,
  row: rowDetailsSchema,
  /**
   * The request body exactly as it was or will be sent, except for our own identifier if the
   * service profile has a place for it.
   */
  request: jsonSchema,
  requestSha256: z.string(),
  /** The service's last response, verbatim. */
  lastAnswer: z.string().nullable(),
  /** What it costs: by the profile's rule, and as the service said; `null` where not known. */
  cost: z.object({ estimated: amountSchema.nullable(), actual: amountSchema.nullable() }),
  history: z.array(historyEntrySchema),
});

export type JobDetails = z.infer<typeof jobDetailsSchema>;
