import { z } from 'zod';
import { batchSchema, jobCountsSchema } from './batch.ts';
import { failureSchema } from './failure.ts';
import { instantSchema, jobSchema } from './job.ts';
import { keyLabelSchema } from './key-label.ts';
import { userMessageSchema } from './message-schema.ts';
import { balanceSchema } from './service-cost.ts';

/** The present state of one rate limit (service-api.md §8.1). */
export const limitSchema = z.object({
  limit: z.int().positive(),
  remaining: z.int().nonnegative(),
  windowSeconds: z.number().positive(),
  /** When more become available; `null` when nothing is used. */
  resetAt: instantSchema.nullable(),
  /** The earliest time at which a request may be sent. */
  nextAt: instantSchema,
  /**
   * Observed use by others who share the limit, in whole requests; forecasts assume that it
   * continues. 0 if none was observed.
   */
  othersPerHour: z.int().nonnegative().default(0),
});

export type Limit = z.infer<typeof limitSchema>;

/** How many videos the service renders at a time for this account. */
export const rendersAtOnceSchema = z.object({
  limit: z.int().positive(),
  /** Spool's videos; those of others who use the same account are not counted. */
  underWay: z.int().nonnegative(),
});

export type RendersAtOnce = z.infer<typeof rendersAtOnceSchema>;

/**
 * The video quota: an estimate, since the web studio shares it. It is monthly at the documented API
 * (service-api.md §8.3); elsewhere the service profile names it.
 */
export const quotaSchema = z.object({
  /** `null` where the service profile names the number. */
  plan: z.string().nullable(),
  per: z.enum(['month', 'day']),
  limit: z.int().nonnegative(),
  /** Charged in this cycle. */
  used: z.int().nonnegative(),
  /** Reserved for requests that are running or have an unknown outcome. */
  held: z.int().nonnegative(),
  resetAt: instantSchema,
  /** True once the service itself has reported that the quota is used up. */
  refused: z.boolean(),
});

export type Quota = z.infer<typeof quotaSchema>;

/** What is known about the API key outside the engine. The key itself never leaves it. */
export const keyStatusSchema = z.object({
  /** `untested` until the service has answered a request made with it. */
  state: z.enum(['absent', 'untested', 'accepted', 'refused']),
  /** The only origin that it is sent to: the one it was entered for. */
  origin: z.string(),
  lastFour: z.string().max(4).nullable(),
  /** The user's name for it; `null` when it has none. */
  label: keyLabelSchema.nullable(),
  /** When it was entered; `null` when there is no key or the time was not recorded. */
  since: instantSchema.nullable(),
  /** Where it is stored: the system's keychain, or memory until this run ends. */
  keptIn: z.enum(['keychain', 'memory']).nullable(),
  /** Why the keychain does not store it; `null` when it does. */
  trouble: userMessageSchema.nullable(),
});

export type KeyStatus = z.infer<typeof keyStatusSchema>;

/**
 * What the service said about a key that was entered (service-api.md §5.7). A refused one changes
 * nothing. One that could not be checked is used only in place of none, or of a refused one.
 */
export const enteredKeySchema = z.enum(['accepted', 'refused', 'unchecked']);

export type EnteredKey = z.infer<typeof enteredKeySchema>;

/** The key in use after another one was entered. */
export const keyEnteredSchema = keyStatusSchema.extend({ entered: enteredKeySchema });

export type KeyEntered = z.infer<typeof keyEnteredSchema>;

/** What a pause stops: requests for new videos only, or tracking and downloading as well. */
export const pausedPartSchema = z.enum(['sending', 'everything']);

export type PausedPart = z.infer<typeof pausedPartSchema>;

/** Whether the queue is running, and why not. */
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

const serviceSchema = z.object({
  name: z.string(),
  origin: z.string(),
  /** Whether it is the service that Spool runs on this computer. */
  isLocal: z.boolean(),
});

/** A service of the same queue that is not the one shown. */
export const otherServiceStatusSchema = serviceSchema.extend({
  counts: jobCountsSchema,
  /** `null` while it is not active: it has no unfinished videos, or could not be started. */
  flow: flowSchema.nullable(),
  /** Batches that are running, or were since the service became active; empty if it is not. */
  batches: z.array(batchSchema.pick({ id: true, name: true, counts: true })).default([]),
});

export type OtherServiceStatus = z.infer<typeof otherServiceStatusSchema>;

/** Everything a UI shows except rows. Its size does not depend on the queue's length. */
export const summarySchema = z.object({
  /** The service that is shown: all fields except `others` are about it. */
  service: serviceSchema,
  /** Sorted by name. They run at the same time. */
  others: z.array(otherServiceStatusSchema).default([]),
  key: keyStatusSchema,
  flow: flowSchema,
  counts: jobCountsSchema,
  /** Those with videos that are not archived. */
  batches: z.array(batchSchema),
  /** Whether the service has archived videos. */
  hasArchived: z.boolean().default(false),
  limits: z.object({
    generate: limitSchema,
    status: limitSchema,
    download: limitSchema,
    /** `null` where the service renders as many as it is sent. */
    renders: rendersAtOnceSchema.nullable(),
  }),
  /** About how long the service takes for a video, in milliseconds; `null` before the first one. */
  renderMs: z.number().positive().nullable().default(null),
  /** `null` if Spool knows of no quota. */
  quota: quotaSchema.nullable(),
  /** `null` if the service does not report it, or has not been asked yet with this key. */
  balance: balanceSchema.nullable().default(null),
  transfers: z.object({
    active: z.int().nonnegative(),
    bytesPerSecond: z.number().nonnegative().nullable(),
    /** Whether the user paused all of them, except those resumed one by one since. */
    paused: z.boolean(),
  }),
  /** When the next submission will be sent; `null` when none waits for its slot. */
  nextSendAt: instantSchema.nullable(),
  /** The folder for files unless a batch names another one. */
  defaultFolder: z.string(),
});

export type Summary = z.infer<typeof summarySchema>;

/**
 * Changes since the previous update. A client that missed some passes `since`; if the engine no
 * longer has what was missed, or rows moved, `relist` tells it to list rows again.
 */
export const updateSchema = z.object({
  /** Increases by one with every update of this engine's run. */
  seq: z.int().nonnegative(),
  summary: summarySchema,
  /** Rows that changed, each complete. */
  jobs: z.array(jobSchema),
  relist: z.boolean(),
});

export type Update = z.infer<typeof updateSchema>;
