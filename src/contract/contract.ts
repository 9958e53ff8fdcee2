import { eventIterator, oc, type ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import {
  activityExportSchema,
  activityFilterSchema,
  activityPageSchema,
  exportPieceSchema,
  unitFilterSchema,
  unitPageSchema,
} from './activity.ts';
import {
  addedBatchSchema,
  batchOptionsSchema,
  batchPlanSchema,
  batchSourceSchema,
} from './batch.ts';
import { abilitiesSchema, appUpdateSchema, pageRequestSchema } from './computer.ts';
import { frameSchema } from './frame.ts';
import { failureSchema } from './failure.ts';
import { renamedSchema, renamePlanSchema, renameSchema, verificationSchema } from './files.ts';
import { jobDetailsSchema, jobSchema, jobStateSchema, remoteStateSchema } from './job.ts';
import { jsonSchema } from './json.ts';
import { keyLabelSchema } from './key-label.ts';
import { otherServiceSchema } from './other-service.ts';
import {
  examplesSchema,
  profileDocumentSchema,
  profileSavedSchema,
  profileTriedSchema,
  profileViewSchema,
  ruleProposalSchema,
} from './profile.ts';
import { quotaDaysSchema, zoneSchema } from './quota-days.ts';
import {
  importPreviewSchema,
  MAX_SETTINGS_LENGTH,
  settingsChangedSchema,
  settingsPatchSchema,
  settingsViewSchema,
  setupStateSchema,
  tryoutSchema,
} from './settings.ts';
import { keyStatusSchema, pausedPartSchema, updateSchema } from './summary.ts';
import { workerSchema } from './worker.ts';

/** Every call may end in a failure that its caller can show; anything else is a defect. */
const base = oc.errors({ FAILED: { status: 422, data: failureSchema } });

const resolved = jobSchema.pick({ id: true, attempts: true });

const jobIds = z.object({ ids: z.array(z.string()).min(1).max(100_000) });

/** How many of the named jobs changed, and which did not and why. */
export const changedSchema = z.object({
  changed: z.int().nonnegative(),
  refused: z.array(z.object({ id: z.string(), failure: failureSchema })),
});

export type Changed = z.infer<typeof changedSchema>;

/** Allows a retry to render videos again that were paid for; see `retryPlanSchema.gone`. */
const payAgain = z.boolean().default(false);

/** What a retry would do, in numbers of jobs. Jobs that cannot be retried are not counted. */
export const retryPlanSchema = z.object({
  /** Downloaded again, which costs no quota. */
  downloads: z.int().nonnegative(),
  /** Rendered. Each video that the service finishes costs a unit of quota. */
  renders: z.int().nonnegative(),
  /**
   * Paid for, while the service says that it no longer has them. A retry asks the service about
   * them again, which is free. Only with `payAgain` it renders them again, at the cost of a unit
   * each.
   */
  gone: z.int().nonnegative(),
});

export type RetryPlan = z.infer<typeof retryPlanSchema>;

/**
 * Everything that a UI and the engine say to each other. Hosts implement it with
 * `host/router.ts`; the renderer, the CLI and tests call it through a `Client`, whatever carries
 * it.
 */
export const contract = {
  /** The first update has everything; the later ones come as things change, at most 20 a second. */
  watch: base
    .input(z.object({ since: z.int().nonnegative().optional() }))
    .output(eventIterator(updateSchema)),

  jobs: {
    /** Rows in queue order. */
    list: base
      .input(
        z.object({
          batchId: z.string().optional(),
          states: z.array(jobStateSchema).optional(),
          /**
           * Beside rows in one of `states`, those that were saved once and are fetched again, or
           * could not be.
           */
          alsoFetchedAgain: z.boolean().optional(),
          /** Looked for in titles, without regard to case. */
          search: z.string().max(200).optional(),
          offset: z.int().nonnegative().default(0),
          limit: z.int().positive().max(1000).default(200),
        }),
      )
      .output(z.object({ total: z.int().nonnegative(), jobs: z.array(jobSchema) })),
    show: base.input(z.object({ id: z.string() })).output(jobDetailsSchema),
    hold: base.input(jobIds).output(changedSchema),
    /** Puts held jobs and drafts into the queue. */
    resume: base.input(jobIds).output(changedSchema),
    /** Withdraws unsent jobs; lets go of those already sent, whose quota is spent. */
    cancel: base.input(jobIds).output(changedSchema),
    /**
     * Gets a video for failed, rejected or cancelled jobs, as `planRetry` says. A job whose file
     * name was taken meanwhile gets a number, or is refused where its batch keeps existing files.
     */
    retry: base.input(jobIds.extend({ payAgain })).output(changedSchema),
    /** Retries every failed or rejected job, in queue order, and at most `limit` of them. */
    retryFailed: base
      .input(
        z.object({
          batchId: z.string().optional(),
          limit: z.int().positive().max(100_000),
          payAgain,
        }),
      )
      .output(changedSchema),
    /** Says what a retry of these would cost; without `ids`, of every failed or rejected job. */
    planRetry: base
      .input(z.object({ ids: jobIds.shape.ids.optional(), batchId: z.string().optional() }))
      .output(retryPlanSchema),
    /** Downloads videos again whose file is gone or that were let go. Costs no quota. */
    fetch: base.input(jobIds).output(changedSchema),
    /** Moves rows, in their present order, before another one or (`null`) to the end. */
    move: base.input(jobIds.extend({ before: z.string().nullable() })).output(changedSchema),
    /** Higher goes first; rows of the same priority keep their order. New rows have 0. */
    prioritise: base
      .input(jobIds.extend({ priority: z.int().min(-1).max(1) }))
      .output(changedSchema),
    /** Replaces the title, the request body or both of a job that has not been sent. */
    edit: base
      .input(
        z.object({
          id: z.string(),
          title: z.string().min(1).max(200).optional(),
          request: z.record(z.string(), jsonSchema).optional(),
        }),
      )
      .output(jobSchema),
    /**
     * The user's word on a job whose submission had an unknown outcome. `attempts` are those of the
     * job as the user saw it: a word on an earlier one, from a second click or another window, is
     * refused.
     */
    resolve: base
      .input(
        z.discriminatedUnion('as', [
          resolved.extend({ as: z.literal('made'), remoteId: z.string().min(1).max(200) }),
          resolved.extend({ as: z.literal('send-again') }),
          resolved.extend({ as: z.literal('let-go') }),
        ]),
      )
      .output(jobSchema),
  },

  batches: {
    /** Reads and checks a batch and forecasts it; stores, sends and spends nothing. */
    plan: base
      .input(
        z.object({
          source: batchSourceSchema,
          options: batchOptionsSchema.default({}),
          /** A row that is to be among the samples, wherever it is in the file. */
          show: z.int().positive().optional(),
        }),
      )
      .output(batchPlanSchema),
    /**
     * Queues a batch's rows. Rows that are already in a batch of this name and folder are not
     * queued again. Fails with the first fault, and adds nothing, if any row has one.
     */
    add: base
      .input(z.object({ source: batchSourceSchema, options: batchOptionsSchema.default({}) }))
      .output(addedBatchSchema),
  },

  /** What a request would look like as a video. Drawn by the service on this computer alone. */
  preview: {
    /** The frame that shows best what it is about. Costs no quota, stores nothing. */
    frame: base.input(z.object({ request: jsonSchema })).output(frameSchema),
  },

  queue: {
    /**
     * `sending` (the default): sends nothing more; what was sent is still watched and fetched.
     * `everything`: also stops watching and fetching until resumed. Either outlives a restart.
     */
    pause: base.input(
      z.object({ what: pausedPartSchema.default('sending') }).default({ what: 'sending' }),
    ),
    resume: base,
    /** Pauses sending by itself when this row's turn comes; `null` takes the mark away. */
    stopBefore: base.input(z.object({ id: z.string().nullable() })),
    /** Which process works it, now and whenever that changes. */
    worker: base.output(eventIterator(workerSchema)),
    /** Other services that the same queue has videos for. */
    otherServices: base.output(z.array(otherServiceSchema)),
  },

  transfers: {
    /**
     * Stops fetching these, or all and those to come; what is here of them stays. Outlives a
     * restart.
     */
    pause: base.input(z.object({ ids: jobIds.shape.ids.optional() }).default({})),
    /** Goes on with these, or with all. One that waited for something else is tried at once. */
    resume: base.input(z.object({ ids: jobIds.shape.ids.optional() }).default({})),
  },

  quota: {
    /** The user's own count of videos used in this cycle: the web studio shares the quota. */
    correct: base.input(z.object({ used: z.int().nonnegative().max(1_000_000) })),
    /** The present cycle day by day, in the zone of whoever looks; UTC when left out. */
    days: base.input(z.object({ zone: zoneSchema.optional() }).default({})).output(quotaDaysSchema),
  },

  activity: {
    /** What happened to videos and the quota, newest first, a page at a time. */
    list: base
      .input(
        activityFilterSchema.extend({
          /** `next` of the page before; the newest entries when left out. */
          after: z.string().max(100).optional(),
          limit: z.int().positive().max(1000).default(100),
        }),
      )
      .output(activityPageSchema),
    /** What each unit of quota bought, newest first, a page at a time. */
    units: base
      .input(
        unitFilterSchema.extend({
          /** `next` of the page before; the newest units when left out. */
          after: z.string().max(100).optional(),
          limit: z.int().positive().max(1000).default(100),
        }),
      )
      .output(unitPageSchema),
    /** Either of the two as a file that comes in pieces. */
    export: base.input(activityExportSchema).output(eventIterator(exportPieceSchema)),
  },

  files: {
    /** Looks whether every saved file is still there; rows whose file is gone become `missing`. */
    check: base.output(z.object({ missing: z.int().nonnegative() })),
    /**
     * Reads saved files once more, all of them or those of some jobs: length, container, SHA-256.
     * Rows whose file is gone or damaged become `missing`, a damaged one with the failure
     * `file-damaged`; `jobs.fetch` fetches either again without rendering. Rows whose file is whole
     * again become `done`. Tells how far it is at most four times a second; ending it stops it.
     */
    verify: base
      .input(z.object({ ids: jobIds.shape.ids.optional() }).default({}))
      .output(eventIterator(verificationSchema)),
    /** Says what files would be called by a template, and changes nothing. */
    planRename: base
      .input(renameSchema.extend({ limit: z.int().nonnegative().max(1000).default(200) }))
      .output(renamePlanSchema),
    /**
     * Gives saved files other names inside their batches' folders. No file is ever replaced, also
     * none that appeared after the plan: such a name gets a number, or the file keeps its own. Once
     * begun it is finished, by the next start if need be.
     */
    rename: base.input(renameSchema).output(renamedSchema),
    /**
     * A still picture (JPEG) of a saved video, made when it is first asked for. The path is for
     * hosts, which serve it under `/posters/` and the job's id; `null` when none can be made.
     */
    poster: base
      .input(z.object({ id: z.string() }))
      .output(z.object({ path: z.string().nullable() })),
  },

  service: {
    /** Ends the pause after an outage: the network is back, or the computer woke. */
    tryNow: base,
    /** The computer goes to sleep: no video is asked for until `tryNow`, or for a minute. */
    fallAsleep: base,
    /** Says what a word means that the service used and the profile does not know. */
    teach: base.input(z.object({ word: z.string().min(1).max(200), means: remoteStateSchema })),
  },

  settings: {
    get: base.output(settingsViewSchema),
    /** The settings now, and after every change of a setting or a profile, by any client. */
    watch: base.output(eventIterator(settingsViewSchema)),
    /**
     * Changes those that are named, at once. Another service gets a queue of its own: what was not
     * finished at the one before waits there until the engine comes back to it.
     */
    set: base.input(settingsPatchSchema).output(settingsChangedSchema),
    /** Everything but the key, as a JSON document for `import`. */
    export: base.output(z.object({ text: z.string() })),
    /** Says what a document would change, and changes nothing. */
    previewImport: base
      .input(z.object({ text: z.string().max(MAX_SETTINGS_LENGTH) }))
      .output(importPreviewSchema),
    /**
     * Makes the changes that were previewed and confirmed; what the document does not name stays.
     * Fails, and changes nothing, when the settings were changed since.
     */
    import: base
      .input(z.object({ text: z.string().max(MAX_SETTINGS_LENGTH), confirmation: z.string() }))
      .output(settingsChangedSchema),
  },

  profile: {
    /** How the service in use is asked, and its answers read. */
    get: base.output(profileViewSchema),
    /** Profiles to begin with. */
    startingPoints: base.output(z.array(profileDocumentSchema)),
    /** Works out from example answers how answers are to be read. Changes nothing. */
    propose: base.input(examplesSchema).output(ruleProposalSchema),
    /** Tries a profile's `answers` out on examples. Changes nothing. */
    test: base
      .input(z.object({ examples: examplesSchema, answers: z.unknown() }))
      .output(profileTriedSchema),
    /** Uses a profile for the service in use, from now on. */
    save: base.input(z.object({ profile: z.unknown() })).output(profileSavedSchema),
    /** Goes back to the usual profile. */
    reset: base.output(profileViewSchema),
  },

  setup: {
    state: base.output(setupStateSchema),
    /** Chooses the service on this computer, with an account and a key of its own. */
    tryHere: base.output(tryoutSchema),
  },

  key: {
    /** Replaces the key, label and all, and checks it as service-api.md §5.7 describes. */
    set: base
      .input(
        z.object({
          value: z.string().min(1).max(500),
          label: keyLabelSchema.nullable().optional(),
        }),
      )
      .output(keyStatusSchema),
    /** Calls the key something else, or nothing any more. */
    label: base.input(z.object({ label: keyLabelSchema.nullable() })).output(keyStatusSchema),
    check: base.output(keyStatusSchema),
    forget: base.output(keyStatusSchema),
  },

  /**
   * What only the computer can do, asked of the process that the page is in, whichever works the
   * queue. Files are named by their job, never by path.
   */
  computer: {
    abilities: base.output(abilitiesSchema),
    /** Opens a saved video in the program that plays videos. */
    openFile: base.input(z.object({ id: z.string() })),
    /** Shows a saved video, selected, in the file manager. */
    showFile: base.input(z.object({ id: z.string() })),
    /** Opens a batch's folder in the file manager; without a batch the usual one. */
    openFolder: base.input(z.object({ batchId: z.string().optional() })),
    /** Asks for a folder; `null` when the user thinks better of it. */
    chooseFolder: base
      .input(z.object({ startIn: z.string().max(4096).optional() }))
      .output(z.object({ folder: z.string().nullable() })),
    /** Call it while a drag begins in the page: saved videos go on as files. */
    dragOut: base.input(z.object({ ids: z.array(z.string()).min(1).max(1000) })),
    /** What somebody who helps needs to know, as a text without keys, links and titles. */
    diagnostics: base.output(z.object({ text: z.string() })),
    /** What is asked of the page from outside of it, from now on and what nobody has heard yet. */
    wishes: base.output(eventIterator(pageRequestSchema)),
    /** What is known of a newer version, now and whenever that changes. */
    updates: base.output(eventIterator(appUpdateSchema)),
    /** Ends at a safe point, puts the version that is ready in place and starts that. */
    restartToUpdate: base,
  },
};

/** The one way in which a UI knows an engine. */
export type Client = ContractRouterClient<typeof contract>;

const { watch, preview, settings, profile, setup, computer, queue, ...ofEngine } = contract;
const { worker, ...queueOfEngine } = queue;

/** What the engine answers, by the commands of the service in use. */
export const engineContract = { ...ofEngine, queue: queueOfEngine };

/** What the process around the engine answers. */
export const hostContract = {
  watch,
  preview,
  settings,
  profile,
  setup,
  computer,
  queue: { worker },
};
