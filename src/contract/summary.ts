import { z } from 'zod';
import { batchSchema, jobCountsSchema } from './batch.ts';
import { failureSchema } from './failure.ts';
import { instantSchema, jobSchema } from './job.ts';
import { keyLabelSchema } from './key-label.ts';
import { userMessageSchema } from './message-schema.ts';

/** One rate limit (service-api.md §8.1) as it stands. */
export const limitSchema = z.object({
  limit: z.int().positive(),
  remaining: z.int().nonnegative(),
  windowSeconds: z.number().positive(),
  /** When more become available; `null` when nothing is used. */
  resetAt: instantSchema.nullable(),
  /** The earliest moment at which a request may leave. */
  nextAt: instantSchema,
});

export type Limit = z.infer<typeof limitSchema>;

/** The monthly video quota (service-api.md §8.3): an estimate, since the web studio shares it. */
export const quotaSchema = z.object({
  plan: z.string(),
  limit: z.int().nonnegative(),
  /** Charged in this cycle. */
  used: z.int().nonnegative(),
  /** Set aside for requests under way or of unknown outcome. */
  held: z.int().nonnegative(),
  resetAt: instantSchema,
  /** True once the service itself has said that the quota is used up. */
  refused: z.boolean(),
});

export type Quota = z.infer<typeof quotaSchema>;

/** What may be known of the API key outside of the engine. The key itself never leaves it. */
export const keyStatusSchema = z.object({
  /** `untested` until the service has answered a request made with it. */
  state: z.enum(['absent', 'untested', 'accepted', 'refused']),
  /** The origin it was entered for, and is only ever sent to. */
  origin: z.string(),
  lastFour: z.string().max(4).nullable(),
  /** What the user calls it; `null` when it has no name. */
  label: keyLabelSchema.nullable(),
  /** When it was entered; `null` when there is none or nobody wrote it down. */
  since: instantSchema.nullable(),
  /** Where it is kept: the system's keychain, or memory until this run ends. */
  keptIn: z.enum(['keychain', 'memory']).nullable(),
  /** Why the keychain does not keep it; `null` when all is well. */
  trouble: userMessageSchema.nullable(),
});

export type KeyStatus = z.infer<typeof keyStatusSchema>;

/** What a pause stops: requests for new videos only, or watching and fetching as well. */
export const pausedPartSchema = z.enum(['sending', 'everything']);

export type PausedPart = z.infer<typeof pausedPartSchema>;

/** Whether the queue moves, and why not. */
export const flowSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('running') }),
  z.object({
    state: z.literal('paused'),
    what: pausedPartSchema,
    /** What would block it if it were not paused; `null` when nothing would. */
    failure: failureSchema.nullable(),
  }),
  /** It resumes automatically or when the cause is removed; the failure says which. */
  z.object({ state: z.literal('blocked'), failure: failureSchema }),
]);

export type Flow = z.infer<typeof flowSchema>;

/** Everything a UI shows that is not a row. Small however long the queue is. */
export const summarySchema = z.object({
  service: z.object({
    name: z.string(),
    origin: z.string(),
    /** Whether it is the one that Spool runs on this computer. */
    isLocal: z.boolean(),
  }),
  key: keyStatusSchema,
  flow: flowSchema,
  counts: jobCountsSchema,
  batches: z.array(batchSchema),
  limits: z.object({ generate: limitSchema, status: limitSchema, download: limitSchema }),
  quota: quotaSchema,
  transfers: z.object({
    active: z.int().nonnegative(),
    bytesPerSecond: z.number().nonnegative().nullable(),
    /** Whether all are paused by the user, but for those that were resumed one by one since. */
    paused: z.boolean(),
  }),
  /** When the next request to make a video will leave; `null` when none is waiting for its turn. */
  nextSendAt: instantSchema.nullable(),
  /** Where files go unless a batch says otherwise. */
  defaultFolder: z.string(),
});

export type Summary = z.infer<typeof summarySchema>;

/**
 * What changed since the update before. A watcher that missed some asks again with `since`; when
 * the engine no longer has what was missed, or rows moved, `relist` says to list rows anew.
 */
export const updateSchema = z.object({
  /** Counts up by one with every update of this engine's run. */
  seq: z.int().nonnegative(),
  summary: summarySchema,
  /** Rows that changed, each whole. */
  jobs: z.array(jobSchema),
  relist: z.boolean(),
});

export type Update = z.infer<typeof updateSchema>;
