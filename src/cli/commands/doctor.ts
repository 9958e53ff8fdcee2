/** `spool doctor`: checks keychain, disk, queue, services and saved files, and repairs what costs nothing. */
import { obstacleOf } from '../../contract/flow.ts';
import { isUnlimited } from '../../contract/this-computer.ts';
import type { Summary } from '../../contract/summary.ts';
import { MemoryKeyStore, openKeyStore } from '../../engine/keys/key-store.ts';
import { environmentProxy } from '../../engine/proxy.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { defaultVideoFolder } from '../../host/video-folder.ts';
import { failureOf } from '../../host/failures.ts';
import type { Queue } from '../../host/queue.ts';
import { linkService } from '../../host/service-link.ts';
import { peekAtSettings } from '../../host/settings/settings-store.ts';
import { summaryOf } from '../../host/summary-of.ts';
import type { CommandContext } from '../command-context.ts';
import {
  checkDatabase,
  checkDisk,
  checkElectron,
  checkKeychain,
  checkPrivacy,
  checkProxy,
  checkQueueSpace,
} from '../doctor/check-computer.ts';
import { checkFiles, errorLines, needsDownload } from '../doctor/check-files.ts';
import {
  checkKey,
  checkKeyOfPrimary,
  checkLocalService,
  checkRemoteService,
  checkServiceOfPrimary,
} from '../doctor/check-service.ts';
import { downloadAgain } from '../doctor/download-again.ts';
import { Report } from '../doctor/report.ts';
import { failureText } from '../display/failure-text.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openReadOnlyQueue, openKeys, openQueue, withQueue } from '../open-queue.ts';
import { awaitsQueueCheck } from '../batch-progress.ts';
import type { QueueOptions } from '../options.ts';
import {
  chosenService,
  effectiveProfile,
  resolveQueueSettings,
  type QueueSettings,
} from '../queue-settings.ts';

export interface DoctorOptions extends QueueOptions {
  /** Repairs the database, and downloads missing or damaged files again. */
  readonly fix?: boolean;
  /** Only the files of this batch, by its name or id. */
  readonly batch?: string;
  /** False: saved files are not read. */
  readonly files: boolean;
  readonly json?: boolean;
}

/** What remains to be fixed after the checks. */
interface RemainingWork {
  /** Jobs whose file is missing or damaged. */
  readonly lost: readonly string[];
  /** Whether this command paused sending, so that only those jobs are downloaded. */
  readonly sendingPaused: boolean;
}

/**
 * Reports what works on this computer and what does not, and fixes what can be fixed without
 * spending quota.
 */
export async function doctor(options: DoctorOptions, context: CommandContext): Promise<ExitCode> {
  const { dataDir } = options;
  const report = new Report(context, options.json === true);
  const { reason } = await openKeyStore({ clock: systemClock });
  report.add(checkKeychain(reason?.message ?? null));
  report.add(await checkElectron());
  report.add(checkProxy(context.proxySettings));
  const database = checkDatabase(dataDir);
  report.add(database);
  const space = checkQueueSpace(dataDir);
  if (space !== null) report.add(space);
  if (database.state === 'bad' && !options.fix) {
    // Opening a damaged database would repair it, which the user has not asked for.
    for (const finding of await checkDisk([chosenFolder(dataDir)])) report.add(finding);
    return report.end();
  }
  try {
    const settings = await resolveQueueSettings(options);
    const queue = await openReadOnlyQueue(settings, context);
    const remaining = await withQueue(queue, () =>
      checkQueue(queue, settings, options, context, report),
    );
    if (remaining.lost.length > 0) await downloadLost(remaining, settings, context, report);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    report.add({ check: 'queue', state: 'bad', message: failureText(failure) });
  }
  return report.end();
}

async function checkQueue(
  queue: Queue,
  settings: QueueSettings,
  { files, batch, fix, json }: DoctorOptions,
  context: CommandContext,
  report: Report,
): Promise<RemainingWork> {
  const { client, primary } = queue;
  // Checked after opening the queue, which denies other users access to the folder where possible.
  const exposed = checkPrivacy(settings.dataDir);
  if (exposed !== null) report.add(exposed);
  const summary = await summaryOf(client);
  const { flow, batches, service } = summary;
  const obstacle = obstacleOf(flow);
  if (obstacle !== null && awaitsQueueCheck(flow)) {
    const finding = { check: 'queue', state: 'note', message: failureText(obstacle) } as const;
    if (obstacle.code === 'store-damaged') report.addFixed(finding);
    else report.add(finding);
  }
  const folders = batches.filter(({ counts }) => counts.queued > 0).map(({ folder }) => folder);
  for (const finding of await checkDisk([chosenFolder(settings.dataDir), ...folders]))
    report.add(finding);
  if (primary !== null) await checkPrimaryProcess(queue, summary, report);
  else await checkService(settings, context, report);
  if (!files) return { lost: [], sendingPaused: false };
  const { finding, errors } = await checkFiles(client, {
    batch,
    terminal: json || !context.stdout.isTTY ? undefined : context.stdout,
    interrupted: context.interrupted,
  });
  report.add(finding, errorLines(errors), { errors });
  const lost = fix ? errors.filter(needsDownload).map(({ id }) => id) : [];
  // Nothing that costs may be sent meanwhile. A queue that sends nothing anyway is left unchanged.
  const sendingPaused =
    lost.length > 0 &&
    !isUnlimited(summary) &&
    primary === null &&
    flow.state !== 'paused' &&
    !awaitsQueueCheck(flow);
  if (sendingPaused) await client.queue.pause({ origin: service.origin, what: 'sending' });
  return { lost, sendingPaused };
}

async function checkPrimaryProcess(
  { client }: Queue,
  summary: Summary,
  report: Report,
): Promise<void> {
  report.add(checkServiceOfPrimary(summary));
  if (summary.service.isLocal) return;
  const key = await client.key.check();
  report.add(checkKeyOfPrimary({ ...summary, key }));
}

async function checkService(
  settings: QueueSettings,
  context: CommandContext,
  report: Report,
): Promise<void> {
  const { dataDir } = settings;
  const { serviceProgram } = context;
  const choice = chosenService(settings);
  if (choice.kind === 'local') {
    const local = { dataDir, plan: choice.plan, signal: context.interrupted };
    report.add(await checkLocalService(serviceProgram, local));
    return;
  }
  const link = await linkService(choice, { dataDir, serviceProgram, keys: new MemoryKeyStore() });
  const profile = effectiveProfile(settings);
  const findProxy = environmentProxy(context.proxySettings);
  const findings = await checkRemoteService(link, profile, findProxy);
  for (const finding of findings) report.add(finding);
  // If the service cannot be reached, the key cannot be checked.
  if (findings.some(({ state }) => state === 'bad')) return;
  const store = await openKeys(choice, context);
  report.add(await checkKey(link, profile, store, findProxy));
}

/** Downloads lost files again, and restores the queue's previous state. */
async function downloadLost(
  { lost, sendingPaused }: RemainingWork,
  settings: QueueSettings,
  context: CommandContext,
  report: Report,
): Promise<void> {
  const { interrupted, now } = context;
  try {
    await withQueue(await openQueue(settings, context), async ({ client }) => {
      report.addFixed(await downloadAgain(client, { ids: lost, interrupted, now }));
    });
  } finally {
    if (sendingPaused) {
      // Also after an interruption.
      const uninterrupted = { ...context, interrupted: new AbortController().signal };
      const queue = await openReadOnlyQueue(settings, uninterrupted);
      await withQueue(queue, async ({ client }) => {
        const { origin } = (await summaryOf(client)).service;
        await client.queue.resume({ origin });
      });
    }
  }
}

function chosenFolder(dataDir: string): string {
  return peekAtSettings(dataDir).folder ?? defaultVideoFolder();
}
