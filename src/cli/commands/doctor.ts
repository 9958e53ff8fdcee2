import { obstacleOf } from '../../contract/flow.ts';
import type { Summary } from '../../contract/summary.ts';
import { MemoryKeyStore, openKeyStore } from '../../engine/keys/key-store.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { defaultVideoFolder } from '../../host/video-folder.ts';
import { failureOf } from '../../host/failures.ts';
import type { Queue } from '../../host/queue.ts';
import { linkService } from '../../host/service-link.ts';
import { peekAtSettings } from '../../host/settings/settings-store.ts';
import { serviceChoiceOf } from '../../host/settings/effective-settings.ts';
import { summaryOf } from '../../host/summary-of.ts';
import type { CommandContext } from '../command-context.ts';
import {
  checkDatabase,
  checkDisk,
  checkElectron,
  checkKeychain,
  checkPrivacy,
  checkQueueSpace,
} from '../doctor/check-computer.ts';
import { checkFiles, faultLines, isLost } from '../doctor/check-files.ts';
import {
  checkKey,
  checkKeyOfPrimary,
  checkLocalService,
  checkRemoteService,
  checkServiceOfPrimary,
} from '../doctor/check-service.ts';
import { fetchAgain } from '../doctor/fetch-again.ts';
import { Report } from '../doctor/report.ts';
import { failureWords } from '../display/sentences.ts';
import type { ExitCode } from '../exit-codes.ts';
import { lookAtQueue, openKeys, openQueue, withQueue } from '../open-queue.ts';
import { isDistrusted } from '../batch-progress.ts';
import { serviceOptions, type EngineSettings } from '../settings.ts';

export interface DoctorSettings extends EngineSettings {
  /** Mends the database, and fetches again what is missing or damaged. */
  readonly fix?: boolean;
  /** Only the files of this batch, by its name or id. */
  readonly batch?: string;
  /** False: saved files are not read. */
  readonly files: boolean;
  readonly json?: boolean;
}

/** What a look at the queue left to do. */
interface Rest {
  /** Jobs whose file is missing or damaged. */
  readonly lost: readonly string[];
  /** Whether sending was paused so that nothing but those is seen to. */
  readonly hasPaused: boolean;
}

/**
 * Says what works here and what does not, and mends what can be mended without spending anything.
 */
export async function doctor(settings: DoctorSettings, context: CommandContext): Promise<ExitCode> {
  const report = new Report(context, settings.json === true);
  const { reason } = await openKeyStore({ clock: systemClock });
  report.tell(checkKeychain(reason?.message ?? null));
  report.tell(await checkElectron());
  const database = checkDatabase(settings.dataDir);
  report.tell(database);
  const space = checkQueueSpace(settings.dataDir);
  if (space !== null) report.tell(space);
  if (database.state === 'bad' && !settings.fix) {
    // Opening it would repair it, which the user has not asked for.
    for (const finding of await checkDisk([usualFolder(settings)])) report.tell(finding);
    return report.end();
  }
  try {
    const queue = await lookAtQueue(settings, defaultVideoFolder(), context);
    const rest = await withQueue(queue, () => examine(queue, settings, context, report));
    if (rest.lost.length > 0) await mend(rest, settings, context, report);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    report.tell({ check: 'queue', state: 'bad', message: failureWords(failure) });
  }
  return report.end();
}

async function examine(
  queue: Queue,
  settings: DoctorSettings,
  context: CommandContext,
  report: Report,
): Promise<Rest> {
  const { client, primary } = queue;
  // After the queue was opened, which closes the folder to other users where that is possible.
  const exposed = checkPrivacy(settings.dataDir);
  if (exposed !== null) report.tell(exposed);
  const summary = await summaryOf(client);
  const { flow, batches } = summary;
  const obstacle = obstacleOf(flow);
  if (obstacle !== null && isDistrusted(flow)) {
    const finding = { check: 'queue', state: 'note', message: failureWords(obstacle) } as const;
    if (obstacle.code === 'store-damaged') report.mended(finding);
    else report.tell(finding);
  }
  const folders = batches.filter(({ counts }) => counts.queued > 0).map(({ folder }) => folder);
  for (const finding of await checkDisk([usualFolder(settings), ...folders])) report.tell(finding);
  if (primary !== null) await inspectPrimary(queue, summary, report);
  else await examineService(settings, context, report);
  if (!settings.files) return { lost: [], hasPaused: false };
  const { finding, faults } = await checkFiles(client, {
    batch: settings.batch,
    terminal: settings.json || !context.stdout.isTTY ? undefined : context.stdout,
    interrupted: context.interrupted,
  });
  report.tell(finding, faultLines(faults), { faults });
  const lost = settings.fix ? faults.filter(isLost).map(({ id }) => id) : [];
  // Nothing else is sent meanwhile. A queue that sends nothing anyway is left as it is.
  const hasPaused =
    lost.length > 0 && primary === null && flow.state !== 'paused' && !isDistrusted(flow);
  if (hasPaused) await client.queue.pause({ what: 'sending' });
  return { lost, hasPaused };
}

async function inspectPrimary({ client }: Queue, summary: Summary, report: Report): Promise<void> {
  report.tell(checkServiceOfPrimary(summary));
  if (summary.service.isLocal) return;
  const key = await client.key.check();
  report.tell(checkKeyOfPrimary({ ...summary, key }));
}

async function examineService(
  settings: DoctorSettings,
  context: CommandContext,
  report: Report,
): Promise<void> {
  const { dataDir } = settings;
  const { serviceProgram } = context;
  const choice = serviceOptions(settings).service ?? serviceChoiceOf(peekAtSettings(dataDir));
  if (choice.kind === 'local') {
    report.tell(await checkLocalService(serviceProgram, dataDir));
    return;
  }
  const link = await linkService(choice, { dataDir, serviceProgram, keys: new MemoryKeyStore() });
  const findings = await checkRemoteService(link);
  for (const finding of findings) report.tell(finding);
  // Where the service is not, its word on the key is not either.
  if (findings.some(({ state }) => state === 'bad')) return;
  const store = await openKeys(settings, context);
  report.tell(await checkKey(link, store));
}

/** Fetches what is lost, and leaves the queue as it was. */
async function mend(
  { lost, hasPaused }: Rest,
  settings: DoctorSettings,
  context: CommandContext,
  report: Report,
): Promise<void> {
  const { interrupted, now } = context;
  try {
    await withQueue(
      await openQueue(settings, defaultVideoFolder(), context),
      async ({ client }) => {
        report.mended(await fetchAgain(client, { ids: lost, interrupted, now }));
      },
    );
  } finally {
    if (hasPaused) {
      const queue = await lookAtQueue(settings, defaultVideoFolder(), context);
      await withQueue(queue, ({ client }) => client.queue.resume());
    }
  }
}

function usualFolder({ dataDir }: DoctorSettings): string {
  return peekAtSettings(dataDir).folder ?? defaultVideoFolder();
}
