/** `spool run`: reads tables, adds their rows, and shows the progress until every video is saved. */
import path from 'node:path';
import { MAX_BATCH_FILES } from '../../contract/batch-limits.ts';
import { errorsAmong } from '../../contract/errors-among.ts';
import {
  batchSourceSchema,
  type AddedBatch,
  type BatchOptions,
  type BatchPlan,
  type BatchSource,
  type Collision,
  type ColumnChoice,
  type DuplicateRows,
  type Duplicates,
} from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import type { Job } from '../../contract/job.ts';
import { isPending } from '../../contract/job-states.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import { BatchReadings } from '../../engine/intake/batch-readings.ts';
import type { BatchReading } from '../../engine/intake/read-batch.ts';
import { takesFiles } from '../../engine/profiles/taken-files.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { BatchFileError, readBatchFile } from '../../host/batch-file.ts';
import { isOfTable } from '../../host/picture-folder.ts';
import { failureOf } from '../../host/failures.ts';
import { PrimaryEndedError, type Queue } from '../../host/queue.ts';
import type { CommandContext } from '../command-context.ts';
import type { Display } from '../display/display.ts';
import { displayFor } from '../display/display-for.ts';
import { formatCount } from '../display/numbers.ts';
import { relativePath } from '../display/report.ts';
import { MAX_LISTED_ERRORS } from '../display/text-display.ts';
import { failureText } from '../display/failure-text.ts';
import { emptyPlaceholdersText } from '../display/summary-text.ts';
import {
  EXIT,
  type ExitCode,
  exitCodeOfBatch,
  exitCodeOfFailure,
  exitCodeOfInterruption,
  isInterruption,
} from '../exit-codes.ts';
import { accountOf, invalidRowsOf, saveLeftOut } from '../left-out-rows.ts';
import { readNamedJobs } from '../read-jobs.ts';
import { openReadOnlyQueue, openQueue, withQueue } from '../open-queue.ts';
import type { QueueOptions } from '../options.ts';
import {
  chosenService,
  effectiveProfile,
  resolveQueueSettings,
  type QueueSettings,
} from '../queue-settings.ts';
import { readingChoices, readingHints, type ReadingOptions } from '../reading-options.ts';
import { readTemplateFile } from '../template-file.ts';
import { asBeforeText, hintText, usedBefore } from '../used-before.ts';
import { spentOfBatches } from '../display/spent-text.ts';
import { listBatch, waitForBatches, type WaitResult } from '../wait-for-batch.ts';

export interface RunOptions extends QueueOptions, ReadingOptions {
  /** The folder for files, as typed; `renders` when left out. */
  readonly out?: string;
  readonly name?: string;
  readonly onCollision?: Collision;
  readonly column?: ColumnChoice;
  /** The path of a request template in JSON. */
  readonly template?: string;
  readonly duplicates?: Duplicates;
  /** By the rows' numbers. */
  readonly duplicateRow?: DuplicateRows;
  /** Several files form one batch instead of one each. */
  readonly oneBatch?: boolean;
  /** Rows with errors are saved beside their file, and the others added. */
  readonly leaveOutFaulty?: boolean;
  /** Whether a table of the results is kept; by the settings unless `false`. */
  readonly results?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** Uses the choices of the last file like this one. */
  readonly asBefore?: boolean;
}

/** Where files go when no folder is named. */
const DEFAULT_FOLDER = 'renders';

/** How often the free space of a full disk is checked, in milliseconds. */
const FREE_SPACE_CHECK_MS = 5000;

/** Batches without errors, and the settings for sending their rows. */
interface BatchRun {
  readonly sources: readonly BatchSource[];
  /** With the rows of this source that are left out. */
  readonly optionsOf: (source: BatchSource) => BatchOptions;
  /** Saves those rows; returns the file's path, or `null` when there are none. */
  readonly saveRows: (source: BatchSource) => Promise<string | null>;
  readonly options: BatchOptions;
  readonly settings: QueueSettings;
  /** The tables that were checked, which the queue plans and adds. */
  readonly readings: BatchReadings;
  readonly display: Display;
  readonly context: CommandContext;
}

/**
 * Imports batches, sends them, waits for them and saves them: the main job of the command line. If
 * one file has an error, nothing of any file is sent.
 */
export async function runBatches(
  files: readonly string[],
  options: RunOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const display = displayFor(context, options.json === true);
  try {
    const { sources, errors, folders } = await readSources(files, options, context.cwd);
    // Read before anything is started, so that errors in a table are reported at once.
    const out = path.resolve(context.cwd, options.out ?? DEFAULT_FOLDER);
    const settings = await resolveQueueSettings(options, out);
    const used = options.asBefore ? await usedBefore(sources, settings, context) : null;
    const profile = effectiveProfile(settings);
    const takes = takesFiles(profile, chosenService(settings).kind === 'local');
    const cache = new BatchReadings();
    const read = (source: BatchSource, how: BatchOptions): Promise<BatchReading> =>
      cache.read(source, profile.request, how, takes);
    if (used !== null) display.note(asBeforeText(used));
    const batch = { folder: out, ...used?.options, ...(await batchOptions(options, context.cwd)) };
    const readings = new Map<BatchSource, BatchReading>();
    const leaveOut = new Map<BatchSource, number[]>();
    for (const source of sources) {
      let reading = await read(source, batch);
      if (options.leaveOutFaulty === true && reading.errors.length > 0) {
        leaveOut.set(source, invalidRowsOf(reading));
        reading = await read(source, { ...batch, leaveOut: invalidRowsOf(reading) });
      }
      readings.set(source, reading);
      const isOnlyFile = files.length === 1;
      errors.push(
        ...reading.errors.map((error) => (isOnlyFile ? error : withFileName(error, source.name))),
        ...(reading.errors.length === 0 ? missingRowErrors(reading, options) : []),
      );
    }
    const work = options.dryRun ? forecastSources : runSources;
    if (errors.length === 0) {
      const optionsOf = (source: BatchSource): BatchOptions => {
        const rows = leaveOut.get(source) ?? [];
        return rows.length === 0 ? batch : { ...batch, leaveOut: rows };
      };
      const saveRows = (source: BatchSource): Promise<string | null> => {
        const reading = readings.get(source);
        if (reading === undefined || reading.leftOut.length === 0) return Promise.resolve(null);
        const beside = folders.get(source.content);
        return saveLeftOut(reading, [
          ...(beside === undefined ? [] : [beside]),
          batch.folder ?? out,
        ]);
      };
      const opening = { settings, readings: cache };
      const run = { sources, options: batch, optionsOf, saveRows, ...opening, display, context };
      return await work(run);
    }
    return endUnusable(errors, display);
  } catch (error) {
    const { interrupted } = context;
    if (isInterruption(error, interrupted)) return endInterrupted(display, context);
    const failure = failureOf(error);
    if (failure === null) throw error;
    const exitCode = interrupted.aborted
      ? exitCodeOfInterruption(interrupted)
      : exitCodeOfFailure(failure.code);
    display.failed([failure]);
    display.ended(exitCode);
    return exitCode;
  }
}

function endUnusable(errors: readonly Failure[], display: Display): ExitCode {
  display.failed(errors);
  for (const hint of readingHints(errors)) display.note(hint);
  display.ended(EXIT.usage);
  return EXIT.usage;
}

/** The files that could be read, and the errors of the others. */
async function readSources(
  files: readonly string[],
  { oneBatch, duplicateRow }: RunOptions,
  cwd: string,
): Promise<{
  sources: BatchSource[];
  errors: Failure[];
  folders: ReadonlyMap<BatchSource['content'], string>;
}> {
  const sources: BatchSource[] = [];
  const errors: Failure[] = [];
  const folders = new Map<BatchSource['content'], string>();
  const tables = files.filter((file) => !isOfTable(path.basename(file), files));
  // Those that a pattern such as `*.csv` names, too. Alone, they are refused with their reason.
  for (const file of tables.length === 0 ? files : tables) {
    try {
      const { name, bytes, folder } = await readBatchFile(path.resolve(cwd, file));
      const content = new Blob([bytes]);
      sources.push({ name, content, folder });
      folders.set(content, folder);
    } catch (error) {
      if (!(error instanceof BatchFileError)) throw error;
      errors.push(error.failure);
    }
  }
  if (files.length > 1 && duplicateRow !== undefined) {
    errors.push(wrongUsage(userMessage('row-choice-one-file')));
  }
  const [first, ...further] = sources;
  if (oneBatch !== true || first === undefined || further.length === 0)
    return { sources, errors, folders };
  if (sources.length > MAX_BATCH_FILES) {
    return {
      folders,
      sources: [],
      errors: [wrongUsage(userMessage('one-batch-too-many-files', { max: MAX_BATCH_FILES }))],
    };
  }
  const joined = { ...first, further };
  if (batchSourceSchema.safeParse(joined).success) return { sources: [joined], errors, folders };
  const tooLarge: Failure = { code: 'batch-unreadable', ...userMessage('files-too-large') };
  return { sources: [], errors: [...errors, tooLarge], folders };
}

function wrongUsage(message: UserMessage): Failure {
  return { code: 'value-invalid', ...message };
}

/** A decision about a row that is not there was meant for another one. */
function missingRowErrors(
  { rows }: BatchReading,
  { duplicateRow = {} }: Pick<RunOptions, 'duplicateRow'>,
): Failure[] {
  const present = new Set(rows.map(({ row }) => String(row)));
  return Object.keys(duplicateRow)
    .filter((row) => !present.has(row))
    .map((row) => wrongUsage(userMessage('row-choice-missing', { row })));
}

/** Adds the file's name to an error that only has a row or column. */
function withFileName(error: Failure, name: string): Failure {
  const hasPosition = error.row !== undefined || error.column !== undefined;
  const isNamed = error.says[0]?.sentence === 'in-file';
  return hasPosition && !isNamed
    ? { ...error, ...joinMessages(userMessage('in-file', { name }), error) }
    : error;
}

async function batchOptions(options: RunOptions, cwd: string): Promise<BatchOptions> {
  const { out, name, onCollision, column, template, duplicates, duplicateRow } = options;
  const reading = readingChoices(options);
  return {
    ...(out === undefined ? {} : { folder: path.resolve(cwd, out) }),
    ...(name === undefined ? {} : { nameTemplate: name }),
    ...(onCollision === undefined ? {} : { onCollision }),
    ...(column === undefined ? {} : { columns: column }),
    ...(template === undefined
      ? {}
      : { template: { body: await readTemplateFile(path.resolve(cwd, template)) } }),
    ...(reading === undefined ? {} : { reading }),
    ...(options.results === false ? { results: false } : {}),
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(duplicateRow === undefined ? {} : { duplicateRows: duplicateRow }),
  };
}

/** Says that a file like this one was added with choices, which are not used by themselves. */
async function noteUsedBefore(
  { name }: BatchSource,
  options: BatchOptions,
  client: Client,
  display: Display,
): Promise<void> {
  const used = await client.batches.recall({ name });
  const hint = used === null ? null : hintText(used, options);
  if (hint !== null) display.note(hint);
}

async function forecastSources(run: BatchRun): Promise<ExitCode> {
  const { sources, optionsOf, settings, readings, display, context } = run;
  return withQueue(await openReadOnlyQueue(settings, context, { readings }), async ({ client }) => {
    for (const source of sources) {
      const options = optionsOf(source);
      await noteUsedBefore(source, options, client, display);
      const plan = await client.batches.plan({ source, options, awaitsBalance: true });
      const errors = errorsAmong(plan.issues);
      if (errors.length > 0) return endUnusable(errors, display);
      display.forecast(plan, context.now());
      noteLeftOut(plan, display);
      noteWarnings(plan, display);
      noteLeftEmpty(plan, display);
    }
    if (sources.length > 1) display.note('Each batch is forecast as if it were added alone.');
    display.ended(EXIT.allSaved);
    return EXIT.allSaved;
  });
}

async function runSources(run: BatchRun): Promise<ExitCode> {
  const { sources, optionsOf, saveRows, settings, readings, display, context } = run;
  /** What was added of each source: adding it again would render again what `options` say. */
  const added = new Map<BatchSource, AddedBatch>();
  let isStartNoted = false;
  const planned = new Set<BatchSource>();
  const onOwned = (): void => {
    if (added.size > 0 || isStartNoted || chosenService(settings).kind !== 'local') return;
    isStartNoted = true;
    display.note('Starting the video service on this computer …');
  };
  let fullDiskReported = false;
  for (;;) {
    try {
      const queue = await openQueue(settings, context, { onOwned, readings });
      if (queue.primary !== null)
        display.note('Another Spool is running this queue. It processes this batch.');
      return await withQueue(queue, async ({ client }) => {
        for (const source of sources) {
          if (await isThere(client, added.get(source))) continue;
          const options = optionsOf(source);
          const plan = await client.batches.plan({ source, options, awaitsBalance: true });
          // From then on, the user expects nothing new to be sent.
          if (context.interrupted.aborted) return endInterrupted(display, context);
          const errors = errorsAmong(plan.issues);
          if (errors.length > 0) return endUnusable(errors, display);
          if (!planned.has(source)) {
            await noteUsedBefore(source, options, client, display);
            display.planned(plan, context.now());
            noteWarnings(plan, display);
            noteLeftEmpty(plan, display);
          }
          planned.add(source);
          // Before anything is sent, so that no row is lost.
          const file = await saveRows(source);
          const batch = await queueBatch(client, plan, source, options);
          added.set(source, batch);
          if (file !== null) display.accounted(accountOf(plan, batch, file));
        }
        return waitForEnd(queue, added, run);
      });
    } catch (error) {
      if (context.interrupted.aborted) throw error;
      const failure = failureOf(error);
      if (error instanceof PrimaryEndedError) {
        display.note('The Spool running this queue has ended; this one takes over.');
      } else if (failure?.code === 'plan-outdated') {
        display.note(failureText(failure));
        planned.clear();
      } else if (failure?.code === 'disk-full') {
        if (!fullDiskReported) display.note(failureText(failure));
        fullDiskReported = true;
        await systemClock.sleep(FREE_SPACE_CHECK_MS, context.interrupted).catch(() => undefined);
      } else throw error;
    }
  }
}

/** What is likely wrong with the rows, before they are sent. */
function noteLeftOut({ leftOut }: BatchPlan, display: Display): void {
  if (leftOut.length === 0) return;
  display.note(
    `${formatCount(leftOut.length, 'row')} ${leftOut.length === 1 ? 'is' : 'are'} left out:`,
  );
  noteIssues(
    leftOut.flatMap(({ issues }) => issues),
    display,
  );
}

function noteWarnings({ issues }: BatchPlan, display: Display): void {
  noteIssues(
    issues.filter(({ severity }) => severity === 'warning'),
    display,
  );
}

function noteIssues(issues: BatchPlan['issues'], display: Display): void {
  for (const issue of issues.slice(0, MAX_LISTED_ERRORS)) display.note(failureText(issue));
  if (issues.length > MAX_LISTED_ERRORS)
    display.note(`… and ${issues.length - MAX_LISTED_ERRORS} more.`);
}

function noteLeftEmpty({ naming }: BatchPlan, display: Display): void {
  const leftEmpty = emptyPlaceholdersText(naming.unknown);
  if (leftEmpty !== null) display.note(leftEmpty);
}

function endInterrupted(display: Display, { interrupted }: CommandContext): ExitCode {
  const exitCode = exitCodeOfInterruption(interrupted);
  display.ended(exitCode);
  return exitCode;
}

function rendersAgain({ duplicates, duplicateRows = {} }: BatchOptions): boolean {
  return duplicates === 'render' || Object.values(duplicateRows).includes('render');
}

/**
 * Adds the rows of a batch that other batches had. Its other rows are there, and what the user
 * wanted rendered again was: that choice is not repeated.
 */
async function addRest(
  client: Client,
  source: BatchSource,
  before: AddedBatch,
  options: BatchOptions,
): Promise<AddedBatch> {
  const { duplicates = 'reuse', duplicateRows = {} } = options;
  const once: BatchOptions = {
    ...options,
    duplicates: duplicates === 'render' ? 'reuse' : duplicates,
    duplicateRows: Object.fromEntries(
      Object.entries(duplicateRows).filter(([, choice]) => choice !== 'render'),
    ),
  };
  const plan = await client.batches.plan({ source, options: once });
  const added = await queueBatch(client, plan, source, once);
  return { ...added, jobIds: [...new Set([...added.jobIds, ...before.jobIds])] };
}

/** Whether a batch was added, and the process that took over has all of its jobs. */
async function isThere(client: Client, batch: AddedBatch | undefined): Promise<boolean> {
  let missing = batch?.jobIds.length ?? Infinity;
  for await (const page of readNamedJobs(client, batch?.jobIds ?? [])) missing -= page.length;
  return missing === 0;
}

/** @param plan of these rows, which names the service and its profile */
async function queueBatch(
  client: Client,
  { origin, profile }: BatchPlan,
  source: BatchSource,
  options: BatchOptions,
): Promise<AddedBatch> {
  await client.files.check();
  const added = await client.batches.add({ origin, profile, source, options });
  const jobs = await listBatch(client, added.batchId);
  const addedIds = new Set(added.jobIds);
  const missing = jobs.filter((job) => job.state === 'missing' && addedIds.has(job.id));
  if (missing.length > 0) await client.jobs.downloadAgain({ ids: missing.map((job) => job.id) });
  return added;
}

/**
 * Waits for the batches, and for the videos of other batches that have the same requests: once one
 * is finished, the row that was not added gets it too.
 * @throws {PrimaryEndedError} when the process that runs the queue ended before the batch
 */
async function waitForEnd(
  queue: Queue,
  added: Map<BatchSource, AddedBatch>,
  { optionsOf, display, context }: BatchRun,
): Promise<ExitCode> {
  const { interrupted } = context;
  const lost = new AbortController();
  void queue.lost.then(() => lost.abort());
  const wait = (): Promise<WaitResult> =>
    waitForBatches(
      queue.client,
      [...added.values()],
      (now) => display.progressed(now),
      AbortSignal.any([interrupted, lost.signal]),
    );
  let { ending, progress } = await wait();
  const tried = new Set<string>();
  const isNews = (job: Job): boolean => !isPending(job) && !tried.has(job.id);
  while (ending?.kind === 'settled' && progress?.awaited.some(isNews) === true) {
    for (const { id } of progress.awaited.filter(isNews)) tried.add(id);
    for (const [source, batch] of added) {
      if (batch.inOtherBatches.length > 0) {
        added.set(source, await addRest(queue.client, source, batch, optionsOf(source)));
      }
    }
    ({ ending, progress } = await wait());
  }
  if (ending === null && !interrupted.aborted) throw new PrimaryEndedError(null);
  if (ending !== null && progress !== undefined) {
    const ids = [...new Set([...added.values()].map(({ batchId }) => batchId))];
    const spent = await spentOfBatches(queue.client, ids, progress.summary);
    progress = { ...progress, spent };
  }
  if (interrupted.aborted && queue.primary !== null) {
    display.note('The other Spool continues with this batch.');
  }
  if (ending === null && [...added.keys()].some((source) => rendersAgain(optionsOf(source)))) {
    display.note('To continue, leave out “render”: it would render again what is saved by now.');
  }
  const ids = new Set([...added.values()].map(({ batchId }) => batchId));
  for (const { id, results } of progress?.summary.batches ?? []) {
    if (!ids.has(id) || results === null) continue;
    const file = relativePath(results.file, context.cwd);
    display.note(results.problem?.message ?? `Results: ${file}.`);
  }
  const exitCode =
    ending !== null && progress !== undefined
      ? exitCodeOfBatch(ending, progress)
      : exitCodeOfInterruption(interrupted);
  display.ended(exitCode, progress);
  return exitCode;
}
