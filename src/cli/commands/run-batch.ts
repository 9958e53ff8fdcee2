import path from 'node:path';
import type {
  AddedBatch,
  BatchOptions,
  BatchSource,
  Collision,
  ColumnChoice,
  DuplicateRows,
  Duplicates,
} from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import { readBatch } from '../../engine/intake/read-batch.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';
import { readBatchFile } from '../../host/batch-file.ts';
import { failureOf } from '../../host/failures.ts';
import { OwnerEndedError, type Queue } from '../../host/queue.ts';
import type { CommandContext } from '../command-context.ts';
import type { Display } from '../display/display.ts';
import { displayFor } from '../display/display-for.ts';
import { EXIT, exitCodeOfBatch, exitCodeOfFailure, type ExitCode } from '../exit-codes.ts';
import { lookAtQueue, openQueue, profileOf, serviceOf, withQueue } from '../open-queue.ts';
import type { EngineSettings } from '../settings.ts';
import { readTemplateFile } from '../template-file.ts';
import { listBatch, waitForBatch } from '../wait-for-batch.ts';

export interface RunSettings extends EngineSettings {
  /** Where the files go, as typed. */
  readonly out: string;
  readonly name?: string;
  readonly onCollision?: Collision;
  readonly column?: ColumnChoice;
  /** A file that holds the request to fill, as JSON. */
  readonly template?: string;
  readonly duplicates?: Duplicates;
  /** By the rows' numbers. */
  readonly duplicateRow?: DuplicateRows;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The most faults that are told one by one. */
const TOLD_FAULTS = 10;

/** Imports a batch, sends it, waits for it and saves it: the main job of the command line. */
export async function runBatch(
  file: string,
  settings: RunSettings,
  context: CommandContext,
): Promise<ExitCode> {
  const display = displayFor(context, settings.json === true);
  try {
    const source = await readBatchFile(path.resolve(context.cwd, file));
    // Before anything is started, so that a mistake in a table is told at once.
    const { request } = (await profileOf(settings)) ?? storyboardProfile;
    const options = await batchOptions(settings, context.cwd);
    const { faults } = readBatch(source, request, options);
    if (faults.length === 0) return await runSource(source, options, settings, display, context);
    for (const fault of faults.slice(0, TOLD_FAULTS)) display.failed(fault);
    if (faults.length > TOLD_FAULTS) display.say(`… and ${faults.length - TOLD_FAULTS} more.`);
    display.ended(EXIT.usage);
    return EXIT.usage;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    const exitCode = exitCodeOfFailure(failure.code);
    display.failed(failure);
    display.ended(exitCode);
    return exitCode;
  }
}

async function batchOptions(settings: RunSettings, cwd: string): Promise<BatchOptions> {
  const { out, name, onCollision, column, template, duplicates, duplicateRow } = settings;
  return {
    folder: path.resolve(cwd, out),
    ...(name === undefined ? {} : { nameTemplate: name }),
    ...(onCollision === undefined ? {} : { onCollision }),
    ...(column === undefined ? {} : { columns: column }),
    ...(template === undefined
      ? {}
      : { template: { body: await readTemplateFile(path.resolve(cwd, template)) } }),
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(duplicateRow === undefined ? {} : { duplicateRows: duplicateRow }),
  };
}

async function runSource(
  source: BatchSource,
  options: BatchOptions,
  settings: RunSettings,
  display: Display,
  context: CommandContext,
): Promise<ExitCode> {
  const folder = path.resolve(context.cwd, settings.out);
  if (settings.dryRun) {
    return withQueue(await lookAtQueue(settings, folder, context), async ({ client }) => {
      display.forecast(await client.batches.plan({ source, options }), context.now());
      display.ended(EXIT.allSaved);
      return EXIT.allSaved;
    });
  }
  let isFirst = true;
  const onOwned = (): void => {
    if (!isFirst || serviceOf(settings) !== 'local') return;
    display.say('Starting the video service on this computer …');
  };
  for (;;) {
    const queue = await openQueue(settings, folder, context, onOwned);
    if (queue.owner !== null)
      display.say('A Spool is running with this queue: it takes this batch.');
    try {
      return await withQueue(queue, async ({ client }) => {
        const plan = await client.batches.plan({ source, options });
        if (isFirst) display.planned(plan, context.now());
        isFirst = false;
        const added = await queueBatch(client, source, options);
        return carryOut(queue, added, display, context);
      });
    } catch (error) {
      // Rows are queued once however often a batch is added, so another process can take over.
      if (!(error instanceof OwnerEndedError) || context.interrupted.aborted) throw error;
      display.say('The Spool that worked the queue has ended; this one goes on with it.');
    }
  }
}

/** Queues what is new in a batch, and has videos fetched again whose files are gone. */
async function queueBatch(
  client: Client,
  source: BatchSource,
  options: BatchOptions,
): Promise<AddedBatch> {
  await client.files.check();
  const added = await client.batches.add({ source, options });
  const jobs = await listBatch(client, added.batchId);
  const wanted = new Set(added.jobIds);
  const gone = jobs.filter((job) => job.state === 'missing' && wanted.has(job.id));
  if (gone.length > 0) await client.jobs.fetch({ ids: gone.map((job) => job.id) });
  return added;
}

/** @throws {OwnerEndedError} when the process that works the queue ended before the batch */
async function carryOut(
  queue: Queue,
  added: AddedBatch,
  display: Display,
  { interrupted }: CommandContext,
): Promise<ExitCode> {
  const lost = new AbortController();
  void queue.lost.then((why) => lost.abort(why));
  const { ending, progress } = await waitForBatch(
    queue.client,
    added,
    (now) => display.progressed(now),
    AbortSignal.any([interrupted, lost.signal]),
  );
  if (ending === null && !interrupted.aborted) {
    if (queue.owner !== null) throw new OwnerEndedError(lost.signal.reason);
    display.say('The local service ended by itself. The same command goes on from here.');
  }
  if (interrupted.aborted && queue.owner !== null) {
    display.say('The Spool that is running goes on with this batch.');
  }
  const exitCode =
    ending !== null && progress !== undefined
      ? exitCodeOfBatch(ending, progress)
      : interrupted.aborted
        ? EXIT.interrupted
        : EXIT.someFailed;
  display.ended(exitCode, progress);
  return exitCode;
}
