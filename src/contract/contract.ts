/**
 * All calls between a user interface and the primary process, by feature, with their inputs, results
 * and failures.
 */
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
  batchSchema,
  batchSourceSchema,
  notSavedSchema,
  usedBeforeSchema,
} from './batch.ts';
import { columnValuesSchema } from './column-values.ts';
import { batchResultSchema, costQuerySchema, costSumSchema } from './costs.ts';
import {
  abilitiesSchema,
  appUpdateSchema,
  fileQuestionSchema,
  pageRequestSchema,
} from './computer.ts';
import { frameSchema } from './frame.ts';
import { pictureReferenceSchema, thumbnailSchema } from './thumbnail.ts';
import { failureSchema } from './failure.ts';
import { renamedSchema, renamePlanSchema, renameSchema, verificationSchema } from './files.ts';
import { JOB_COMMAND_NAMES, type JobCommandName } from './job-commands.ts';
import {
  jobDetailsSchema,
  jobGroupSchema,
  jobQuerySchema,
  jobSchema,
  remoteStateSchema,
  rowEditSchema,
  rowsDetailsSchema,
  rowsEditSchema,
} from './job.ts';
import { choicesToMoveSchema, movedChoicesSchema } from './moved-choices.ts';
import { jsonSchema } from './json.ts';
import { keyLabelSchema } from './key-label.ts';
import {
  listedServiceSchema,
  removedRowsSchema,
  serviceNameSchema,
  serviceRemovedSchema,
} from './managed-service.ts';
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
  meantPatchSchema,
  settingsViewSchema,
  setupStateSchema,
  tryoutSchema,
} from './settings.ts';
import { serviceExamplesSchema, serviceProposalSchema } from './service-examples.ts';
import {
  profileCheckedSchema,
  profileToCheckSchema,
  serviceOfferSchema,
  serviceToTrySchema,
  serviceToUseSchema,
  serviceTriedSchema,
  serviceUsedSchema,
} from './service-offer.ts';
import { costEstimateSchema } from './service-cost.ts';
import { keyEnteredSchema, keyStatusSchema, pausedPartSchema, updateSchema } from './summary.ts';
import { workerSchema } from './worker.ts';
import { tableCopySchema, tableCopyWantedSchema, tableTemplateWantedSchema } from './table-copy.ts';
import { MAX_REMOTE_ID } from './text-limits.ts';
import { undoneSchema, undoStepSchema } from './undo.ts';

/** Every call may fail with a failure that its caller can show; any other error is a defect. */
const base = oc.errors({ FAILED: { status: 422, data: failureSchema } });

const resolved = jobSchema.pick({ id: true, attempts: true });

const jobIds = z.object({ ids: z.array(z.string()).min(1).max(100_000) });

/**
 * The service that a call is meant for, as the user saw it. The call is refused when it reaches
 * another one, which was shown meanwhile: a key is never sent to a service that it was not entered
 * for, nor rows to one that they were not planned for, and another service is not paused, resumed
 * or corrected. Every call that changes a service without naming a row of it has this field.
 */
const meantFor = z.object({ origin: z.string().max(2000) });

/** How many of the given jobs changed; and which did not, with the reason. */
export const changedSchema = z.object({
  changed: z.int().nonnegative(),
  refused: z.array(z.object({ id: z.string(), failure: failureSchema })),
  /** The step to undo it with; `null` if nothing changed that can be undone. */
  step: z.string().nullable(),
});

export type Changed = z.infer<typeof changedSchema>;

const changeJobs = base.input(jobIds).output(changedSchema);

/** The calls of `JOB_COMMANDS`. One that takes more than the jobs is defined below. */
const jobCommands = Object.fromEntries(
  JOB_COMMAND_NAMES.map((name) => [name, changeJobs]),
) as Readonly<Record<JobCommandName, typeof changeJobs>>;

/** Allows a retry to render videos again that were paid for; see `retryPlanSchema.gone`. */
const payAgain = z.boolean().default(false);

/** What a retry would do, in numbers of jobs. Jobs that cannot be retried are not counted. */
export const retryPlanSchema = z.object({
  /** Of the service that would render them. */
  origin: z.string(),
  /** Downloaded again, which costs no quota. */
  downloads: z.int().nonnegative(),
  /** Rendered. Each video that the service finishes costs a unit of quota. */
  renders: z.int().nonnegative(),
  /**
   * Paid for, while the service says that it no longer has them. A retry asks the service about
   * them again, which is free. Only with `payAgain` are they rendered again, for one unit each.
   */
  gone: z.int().nonnegative(),
  /**
   * Refused because of their content. A retry of all that failed leaves them out: the same request
   * would probably be refused, and may cost, again. Of named jobs, they are part of `renders`.
   */
  contentRefused: z.int().nonnegative(),
  /** What `renders` cost by the profile's rule; `null` if the quota counts videos. */
  cost: costEstimateSchema.nullable().default(null),
  /** The same of `gone`, if they are rendered again. */
  goneCost: costEstimateSchema.nullable().default(null),
});

export type RetryPlan = z.infer<typeof retryPlanSchema>;

/**
 * All calls between a UI and the engine. Hosts implement them with `host/router.ts`; the renderer,
 * the CLI and tests call them through a `Client`, independent of the transport.
 */
export const contract = {
  /** The first update contains everything; later ones contain changes, at most 20 a second. */
  watch: base
    .input(z.object({ since: z.int().nonnegative().optional() }))
    .output(eventIterator(updateSchema)),

  jobs: {
    /** Rows in the list's order. Between two pages, a row may leave the list or move in it. */
    list: base
      .input(
        jobQuerySchema.extend({
          offset: z.int().nonnegative().default(0),
          limit: z.int().positive().max(1000).default(200),
        }),
      )
      .output(
        z.object({
          total: z.int().nonnegative(),
          jobs: z.array(jobSchema),
          /** In the list's order; empty without `grouping`. `total` counts lines of unfolded ones. */
          groups: z.array(jobGroupSchema).default([]),
        }),
      ),
    /** The ids of the videos of all these lines, in the list's order, as of one moment. */
    ids: base
      .input(
        jobQuerySchema.extend({
          /** One id for each line, even if it stands for several videos. */
          oneALine: z.boolean().optional(),
          offset: z.int().nonnegative().default(0),
          limit: z.int().positive().optional(),
        }),
      )
      .output(z.object({ ids: z.array(z.string()) })),
    /** The named rows, in this order. */
    read: base
      .input(z.object({ ids: z.array(z.string()).max(1000) }))
      .output(z.object({ jobs: z.array(jobSchema) })),
    show: base.input(z.object({ id: z.string() })).output(jobDetailsSchema),
    ...jobCommands,
    /**
     * Cancels videos. With `onlyUnsent`, one that was sent is refused, because its quota stays spent:
     * without it, it is abandoned.
     */
    cancel: base.input(jobIds.extend({ onlyUnsent: z.boolean().optional() })).output(changedSchema),
    /**
     * Retries failed, rejected or cancelled jobs, as `planRetry` reports. A job whose file name was
     * taken meanwhile gets a number, or is refused if its batch keeps existing files.
     */
    retry: base.input(jobIds.extend({ payAgain })).output(changedSchema),
    /**
     * Retries every failed or rejected job of the plan's service, in queue order, and at most `limit`
     * of them; not those that were refused because of their content.
     */
    retryFailed: base
      .input(
        meantFor.extend({
          batchId: z.string().optional(),
          limit: z.int().positive().max(100_000),
          payAgain,
        }),
      )
      .output(changedSchema),
    /** The cost of a retry of these jobs; without `ids`, of every failed or rejected job. */
    planRetry: base
      .input(z.object({ ids: jobIds.shape.ids.optional(), batchId: z.string().optional() }))
      .output(retryPlanSchema),
    /**
     * Downloads videos again whose file is missing or that were abandoned. Costs no quota: one that
     * its service deleted is rendered again if there is no quota, and refused otherwise.
     */
    downloadAgain: base.input(jobIds).output(changedSchema),
    /** Moves rows, in their present order, before another one or (`null`) to the end. */
    move: base.input(jobIds.extend({ before: z.string().nullable() })).output(changedSchema),
    /** Higher is sent first; rows of the same priority keep their order. New rows have 0. */
    prioritise: base
      .input(jobIds.extend({ priority: z.int().min(-1).max(1) }))
      .output(changedSchema),
    /** The commands of late that changed jobs, newest first, also those that are undone. */
    undoSteps: base.output(z.array(undoStepSchema)),
    /**
     * Undoes a command. Each of its jobs is as it was, its place in the queue too, or is refused
     * with the reason: it was sent, or changed again.
     */
    undo: base.input(z.object({ step: z.string().max(20) })).output(undoneSchema),
    /**
     * Changes values of a row, or its template, and with them the request and the title of its
     * video. For a job that has not been sent, or that the service refused: such a job is sent by
     * `retry`.
     */
    edit: base
      .input(rowEditSchema.extend({ id: z.string() }))
      .output(z.object({ job: jobSchema, step: changedSchema.shape.step })),
    /**
     * Changes values of many rows as `edit` does, or replaces a text in one column. A row is changed
     * with all its values or not at all.
     */
    editMany: base.input(rowsEditSchema).output(changedSchema),
    /** What `edit` or `editMany` would make of a row: its request and its title. Stores nothing. */
    planEdit: base
      .input(rowEditSchema.extend({ id: z.string(), replace: rowsEditSchema.shape.replace }))
      .output(z.object({ title: z.string(), request: jsonSchema })),
    /** The fields that all these rows have, with the values that are the same in all of them. */
    describeRows: base.input(z.object({ ids: jobIds.shape.ids })).output(rowsDetailsSchema),
    /**
     * The user's decision about a job whose submission had an unknown outcome. `attempts` is the
     * job's number of attempts as the user saw it: a decision about an earlier attempt, from a
     * second click or another window, is refused.
     */
    resolve: base
      .input(
        z.discriminatedUnion('as', [
          resolved.extend({
            as: z.literal('accepted'),
            remoteId: z.string().min(1).max(MAX_REMOTE_ID),
          }),
          resolved.extend({ as: z.literal('resend') }),
          resolved.extend({ as: z.literal('abandon') }),
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
          /** A row to include in the samples, wherever it is in the file. */
          show: z.int().positive().optional(),
          /** For a plan that is shown once: waits up to two seconds for a first balance. */
          awaitsBalance: z.boolean().optional(),
        }),
      )
      .output(batchPlanSchema),
    /**
     * Counts the distinct values of one column, to correct equal ones together: with the edits of the
     * options, and without the rows that they leave out. Stores nothing. None for a file that cannot
     * be read.
     */
    columnValues: base
      .input(
        z.object({
          source: batchSourceSchema,
          options: batchOptionsSchema.default({}),
          /** One of `BatchPlan.fileColumns`. */
          column: z.string(),
        }),
      )
      .output(columnValuesSchema),
    /**
     * Moves choices that name rows and columns to another version of the files: to the rows with the
     * same texts. Those that cannot be moved for certain are named. Stores nothing.
     */
    moveChoices: base.input(choicesToMoveSchema).output(movedChoicesSchema),
    /** A file with the user's corrections, or with the rows that are left out. Stores nothing. */
    copy: base.input(tableCopyWantedSchema).output(tableCopySchema),
    /** A table to start from: the columns of the service, an example row and the allowed values. */
    template: base
      .input(tableTemplateWantedSchema)
      .output(tableCopySchema.pick({ name: true, type: true, base64: true })),
    /**
     * Queues a batch's rows. Rows that are already in a batch of this name and folder are not
     * queued again. If any row has an error, fails with the first one and adds nothing. The service
     * and the profile are those of the plan: fails with `plan-outdated` when the service has
     * another profile since. Without a profile, there was no plan.
     */
    add: base
      .input(
        meantFor.extend({
          profile: z.string().max(200).optional(),
          source: batchSourceSchema,
          options: batchOptionsSchema.default({}),
        }),
      )
      .output(addedBatchSchema),
    /**
     * The choices with which the last file like this one was added, for whichever service; `null` if
     * there was none. Nothing is applied by itself.
     */
    recall: base
      .input(z.object({ name: z.string().max(1000) }))
      .output(usedBeforeSchema.nullable()),
    /** Every batch, oldest first, also those whose videos are all archived. */
    list: base.output(
      z.array(batchSchema.pick({ id: true, name: true, folder: true, addedAt: true })),
    ),
    /** What became of a batch so far, and what it cost. Archived videos count. */
    result: base.input(z.object({ batchId: z.string() })).output(batchResultSchema),
    /** Why videos of a batch have no file, by how many; those that are still in work do not count. */
    notSaved: base.input(z.object({ batchId: z.string() })).output(z.array(notSavedSchema)),
  },

  /** Previews a request as a video. Only the service on this computer can draw it. */
  preview: {
    /** The most representative frame. Uses no quota, stores nothing. */
    frame: base.input(z.object({ request: jsonSchema })).output(frameSchema),
    /** A small copy of a picture that a row of a plan names (`PlannedRow.picture`). */
    thumbnail: base.input(z.object({ picture: pictureReferenceSchema })).output(thumbnailSchema),
  },

  queue: {
    /**
     * `sending` (the default): sends nothing more; submitted videos are still tracked and
     * downloaded. `everything`: also stops tracking and downloading until resumed. Both survive a
     * restart.
     */
    pause: base.input(meantFor.extend({ what: pausedPartSchema.default('sending') })),
    resume: base.input(meantFor),
    /** Pauses sending automatically before this row; `null` removes the mark. */
    stopBefore: base.input(meantFor.extend({ id: z.string().nullable() })),
    /** Which process runs the queue: the present state, then each change. */
    worker: base.output(eventIterator(workerSchema)),
    /** Other services for which the same queue contains videos. */
    otherServices: base.output(z.array(otherServiceSchema)),
  },

  transfers: {
    /**
     * Stops downloading these, or all present and future ones; received bytes are kept. Survives a
     * restart.
     */
    pause: base.input(meantFor.extend({ ids: jobIds.shape.ids.optional() })),
    /** Resumes these, or all. One that waited for another reason is tried at once. */
    resume: base.input(meantFor.extend({ ids: jobIds.shape.ids.optional() })),
  },

  quota: {
    /** The user's own count of videos used in this cycle: the web studio shares the quota. */
    correct: base.input(meantFor.extend({ used: z.int().nonnegative().max(1_000_000) })),
    /**
     * The present cycle day by day, in the caller's time zone; UTC when left out. `null` without a
     * quota.
     */
    days: base
      .input(z.object({ zone: zoneSchema.optional() }).default({}))
      .output(quotaDaysSchema.nullable()),
  },

  activity: {
    /** Events of videos and the quota, newest first, page by page. */
    list: base
      .input(
        activityFilterSchema.extend({
          /** `next` of the previous page; the newest entries when left out. */
          after: z.string().max(100).optional(),
          limit: z.int().positive().max(1000).default(100),
        }),
      )
      .output(activityPageSchema),
    /** What each unit of quota paid for, newest first, page by page. */
    units: base
      .input(
        unitFilterSchema.extend({
          /** `next` of the previous page; the newest units when left out. */
          after: z.string().max(100).optional(),
          limit: z.int().positive().max(1000).default(100),
        }),
      )
      .output(unitPageSchema),
    /** What videos have cost; weeks and months in order, without those that cost nothing. */
    costs: base.input(costQuerySchema).output(z.object({ sums: z.array(costSumSchema) })),
    /** Either list as a file, sent in chunks. */
    export: base.input(activityExportSchema).output(eventIterator(exportPieceSchema)),
  },

  files: {
    /** Checks that every saved file still exists; rows with missing files become `missing`. */
    check: base.output(z.object({ missing: z.int().nonnegative() })),
    /**
     * Reads saved files, all or those of some jobs, and checks length, container and SHA-256. Rows
     * whose file is missing or damaged become `missing`, a damaged one with the failure
     * `file-damaged`; `jobs.downloadAgain` gets either again. Rows whose file is
     * intact again become `done`. Reports progress at most four times a second; ending the stream
     * stops the check.
     */
    verify: base
      .input(z.object({ ids: jobIds.shape.ids.optional() }).default({}))
      .output(eventIterator(verificationSchema)),
    /** The file names that a template would give; changes nothing. */
    planRename: base
      .input(renameSchema.extend({ limit: z.int().nonnegative().max(1000).default(200) }))
      .output(renamePlanSchema),
    /**
     * Renames saved files inside their batches' folders. No file is ever overwritten, even one that
     * appeared after the plan: in that case the name gets a number, or the file keeps its name. A
     * rename that was begun is completed, at the next start if necessary.
     */
    rename: base.input(renameSchema).output(renamedSchema),
    /**
     * A still frame (JPEG) of a saved video, made on first request. The path is for hosts, which
     * serve it under `/posters/` and the job's id; `null` when none can be made.
     */
    poster: base
      .input(z.object({ id: z.string() }))
      .output(z.object({ path: z.string().nullable() })),
  },

  service: {
    /** Ends the back-off after an outage: the network is back, or the computer woke. */
    tryNow: base,
    /** The computer is going to sleep: nothing is submitted until `tryNow`, or for a minute. */
    fallAsleep: base,
    /** Defines the meaning of a status word that the profile does not know. */
    defineWord: base.input(
      meantFor.extend({ word: z.string().min(1).max(200), means: remoteStateSchema }),
    ),
  },

  services: {
    /** Shows another service of the queue. The previous one keeps running. */
    show: base.input(z.object({ origin: z.string().max(2000) })).output(settingsChangedSchema),
    /** Pauses every service that has a session, as `queue.pause` does for the one that is shown. */
    pauseAll: base.input(
      z.object({ what: pausedPartSchema.default('sending') }).default({ what: 'sending' }),
    ),
    resumeAll: base,
    /** Every service of the queue, by name. */
    list: base.output(z.array(listedServiceSchema)),
    /** Names a service; `null` for the name of its profile. Not for this computer. */
    rename: base.input(
      z.object({ origin: z.string().max(2000), name: serviceNameSchema.nullable() }),
    ),
    /**
     * Removes a service: its unsent videos are cancelled, all are archived or removed, and its key,
     * profile and settings are forgotten. Refused while videos that may be paid for are not saved.
     */
    remove: base
      .input(z.object({ origin: z.string().max(2000), rows: removedRowsSchema }))
      .output(serviceRemovedSchema),
  },

  settings: {
    get: base.output(settingsViewSchema),
    /** The present settings, then each change of a setting, a profile or the power supply. */
    watch: base.output(eventIterator(settingsViewSchema)),
    /**
     * Changes the given settings at once. Another service has separate rows, limits and a key: it
     * is shown instead of the previous one, whose videos continue. With an origin, refused when
     * that service is no longer shown, because its plan applies to no other.
     */
    set: base.input(meantPatchSchema).output(settingsChangedSchema),
    /**
     * Switches to a service and saves its profile, both or neither. Errors are named `service…` or
     * `profile…`. The profile of another service at the same address is replaced only with the
     * user's consent.
     */
    useService: base.input(serviceToUseSchema).output(serviceUsedSchema),
    /**
     * Checks a service, one thing after the other: its address and certificate, whether it accepts a
     * key (service-api.md §5.7), and the balance. Reports each step. Stores nothing.
     */
    tryService: base.input(serviceToTrySchema).output(eventIterator(serviceTriedSchema)),
    /** Everything except the key, as a JSON document for `import`. */
    export: base.output(z.object({ text: z.string() })),
    /** What a document would change; changes nothing. */
    previewImport: base
      .input(z.object({ text: z.string().max(MAX_SETTINGS_LENGTH) }))
      .output(importPreviewSchema),
    /**
     * Applies the changes that were previewed and confirmed; settings that the document does not
     * name stay. Fails, and changes nothing, if the settings were changed since the preview.
     */
    import: base
      .input(z.object({ text: z.string().max(MAX_SETTINGS_LENGTH), confirmation: z.string() }))
      .output(settingsChangedSchema),
  },

  profile: {
    /** How requests to the current service are made, and its responses read. */
    get: base.output(profileViewSchema),
    /** Profiles to start from. */
    startingPoints: base.output(z.array(profileDocumentSchema)),
    /** Services that can be chosen. */
    services: base.output(z.array(serviceOfferSchema)),
    /** Validates a profile and shows where the key and the rows would go. Changes nothing. */
    check: base.input(profileToCheckSchema).output(profileCheckedSchema),
    /** Derives response rules from example responses. Changes nothing. */
    propose: base.input(examplesSchema).output(ruleProposalSchema),
    /** Derives a profile from requests and responses in documentation. Changes nothing. */
    proposeService: base.input(serviceExamplesSchema).output(serviceProposalSchema),
    /** Applies a profile's `answers` to examples. Changes nothing. */
    test: base
      .input(z.object({ examples: examplesSchema, answers: z.unknown() }))
      .output(profileTriedSchema),
    /** Saves a profile for a service, which is shown, and applies it. */
    save: base.input(meantFor.extend({ profile: z.unknown() })).output(profileSavedSchema),
    /** Restores the default profile. */
    reset: base.input(meantFor).output(profileViewSchema),
  },

  setup: {
    state: base.output(setupStateSchema),
    /** Chooses the service on this computer, with a new account and key. */
    tryHere: base.output(tryoutSchema),
  },

  key: {
    /**
     * Checks a key as service-api.md §5.7 describes. If the service accepts it, it replaces the
     * key and its label. Not for the service on this computer, whose key Spool makes.
     */
    set: base
      .input(
        meantFor.extend({
          value: z.string().min(1).max(500),
          label: keyLabelSchema.nullable().optional(),
        }),
      )
      .output(keyEnteredSchema),
    /** Makes a new key for the account on this computer, in place of its present one. */
    renew: base.input(meantFor).output(keyStatusSchema),
    /** Changes or removes the key's label. */
    label: base
      .input(meantFor.extend({ label: keyLabelSchema.nullable() }))
      .output(keyStatusSchema),
    check: base.output(keyStatusSchema),
    forget: base.input(meantFor).output(keyStatusSchema),
  },

  /**
   * Calls about the computer, answered by the process that the page is connected to, even if
   * another process runs the queue. Files are identified by their job, never by a path.
   */
  computer: {
    abilities: base.output(abilitiesSchema),
    /** Opens a saved video in the default video player. */
    openFile: base.input(z.object({ id: z.string() })),
    /** Shows a saved video, selected, in the file manager. */
    showFile: base.input(z.object({ id: z.string() })),
    /**
     * Moves files of saved videos to the system's trash. One that is no longer as it was saved stays,
     * and is reported.
     */
    trashFiles: base
      .input(z.object({ ids: jobIds.shape.ids }))
      .output(changedSchema.pick({ changed: true, refused: true })),
    /** Opens a batch's folder in the file manager; without a batch, the default folder. */
    openFolder: base.input(z.object({ batchId: z.string().optional() })),
    /** Asks for a folder; `null` when the user cancelled. */
    chooseFolder: base
      .input(z.object({ startIn: z.string().max(4096).optional() }))
      .output(z.object({ folder: z.string().nullable() })),
    /** Asks for files; their absolute paths, none when the user cancelled. */
    chooseFiles: base.input(fileQuestionSchema).output(z.object({ files: z.array(z.string()) })),
    /** Call it when a drag begins in the page: it continues as a drag of saved videos' files. */
    dragOut: base.input(z.object({ ids: z.array(z.string()).min(1).max(1000) })),
    /** Diagnostics for support, as a text without keys, links and titles. */
    diagnostics: base.output(z.object({ text: z.string() })),
    /** Requests to the page from outside: those not yet delivered, then each new one. */
    pageRequests: base.output(eventIterator(pageRequestSchema)),
    /** What is known about a newer version: the present state, then each change. */
    updates: base.output(eventIterator(appUpdateSchema)),
    /** Stops at a safe point, installs the downloaded version and starts it. */
    restartToUpdate: base,
  },
};

/** A UI's only access to an engine. */
export type Client = ContractRouterClient<typeof contract>;

/** The calls that the process around the engine implements. */
export type HostContract = Pick<
  typeof contract,
  'watch' | 'preview' | 'services' | 'settings' | 'profile' | 'setup' | 'computer'
> & { readonly queue: Pick<QueueContract, 'worker'> };

/** The calls that the engine implements, by the commands of the service in use. */
export type EngineContract = Omit<typeof contract, keyof HostContract> & {
  readonly queue: Omit<QueueContract, 'worker'>;
};

type QueueContract = (typeof contract)['queue'];
