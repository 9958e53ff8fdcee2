import { setTimeout as pause } from 'node:timers/promises';
import { userMessage } from '../contract/user-message.ts';
import { InUseError } from '../engine/engine-error.ts';
import { DiskReserve } from '../engine/jobs/disk-reserve.ts';
import { type KeyStore, MemoryKeyStore, openKeyStore } from '../engine/keys/key-store.ts';
import { exposureOf } from '../engine/files/private-folder.ts';
import { environmentProxy } from '../engine/proxy.ts';
import { systemClock } from '../engine/system-clock.ts';
import { stateFolder } from '../host/data-folder.ts';
import { openLog } from '../host/log.ts';
import { openHost, type Host, type HostOptions, type ServiceChoice } from '../host/open-host.ts';
import { differenceOf, type PrimaryProcess, type WantedService } from '../host/primary-contract.ts';
import { joinOrOpen, OtherSettingsError, callError, type Queue } from '../host/queue.ts';
import { summaryOf } from '../host/summary-of.ts';
import { readCertificate, serviceName } from '../host/service-link.ts';
import { settingsOfChoice } from '../host/settings/effective-settings.ts';
import type { CommandContext } from './command-context.ts';
import { plainText } from './display/safe-text.ts';
import { chosenService, type QueueSettings } from './queue-settings.ts';

/**
 * A primary process that is starting answers once its service does; a read-only one soon ends. In
 * milliseconds.
 */
export const PRIMARY_TIMEOUT_MS = 20_000;
export const RETRY_INTERVAL_MS = 100;

const silentError = userMessage('primary-silent');

/**
 * Opens the queue by the settings and processes it, or uses the process that already does.
 *
 * @throws {OtherSettingsError} when that process has other settings
 * @throws {DiskFullError}
 */
export function openQueue(
  settings: QueueSettings,
  context: CommandContext,
  options: OpenerOptions = {},
): Promise<Queue> {
  return queueOpener(settings, context, options)();
}

export type OpenerOptions = Pick<
  HostOptions,
  'onOwned' | 'readOnlyIfFull' | 'readings' | 'startsAll'
>;

/** Same as `openQueue`, callable repeatedly, with the same keys each time. */
export function queueOpener(
  settings: QueueSettings,
  context: CommandContext,
  options: OpenerOptions = {},
): () => Promise<Queue> {
  // Opened once for all attempts: the keychain may prompt the user, and its warning is printed
  // once.
  let keys: Promise<KeyStore> | undefined;
  // A page shows the service that the running Spool shows.
  const wanted = options.startsAll ? undefined : () => wantedService(settings, true);
  return () =>
    openWithRetry(settings, context, wanted, async () => {
      keys ??= openKeysAndWarn(chosenService(settings), context);
      const { dataDir, logLevel } = settings;
      const host = await openHost({
        ...settings,
        stateDir: stateFolder(),
        serviceProgram: context.serviceProgram,
        findProxy: environmentProxy(context.proxySettings),
        keys: await keys,
        log: openLog(dataDir, logLevel),
        ...options,
        signal: context.interrupted,
      });
      warnIfExposed(dataDir, context);
      if (options.readOnlyIfFull) warnIfDiskFull(dataDir, context);
      return host;
    });
}

/** Same as `openQueue`, but starts nothing: without a running Spool, nothing is sent or spent. */
export async function openReadOnlyQueue(
  settings: QueueSettings,
  context: CommandContext,
  options: Pick<OpenerOptions, 'readings'> = {},
): Promise<Queue> {
  const wanted = (): Promise<WantedService> => wantedService(settings, false);
  return openWithRetry(settings, context, wanted, async () => {
    const { serviceProgram, interrupted: signal } = context;
    const keys = new MemoryKeyStore();
    const host = await openHost({
      ...settings,
      stateDir: stateFolder(),
      serviceProgram,
      keys,
      readOnly: true,
      signal,
      ...options,
    });
    warnIfDiskFull(settings.dataDir, context);
    return host;
  });
}

/** Prints how much space the queue needs, if its reserve is in use or it is read-only. */
function warnIfDiskFull(dataDir: string, { stderr }: CommandContext): void {
  const reserve = new DiskReserve(dataDir);
  if (!reserve.isWhole) stderr.write(`${plainText(reserve.fullError().message)}\n`);
}

/** Prints what other users can do with a data folder that Spool could not protect from them. */
export function warnIfExposed(dataDir: string, { stderr }: CommandContext): void {
  const exposure = exposureOf(dataDir);
  if (exposure !== null) stderr.write(`${plainText(exposure.message)}\n`);
}

/** Runs `work` with a queue, closes the queue, and translates the error of a broken connection. */
export async function withQueue<T>(queue: Queue, work: (queue: Queue) => Promise<T>): Promise<T> {
  try {
    return await work(queue);
  } catch (error) {
    throw callError(error, queue);
  } finally {
    await queue.close();
  }
}

/**
 * Retries while the process that holds the queue is starting, ending or read-only.
 *
 * @throws the reason of the interruption, when the command is interrupted before
 */
async function openWithRetry(
  settings: QueueSettings,
  context: CommandContext,
  wanted: (() => Promise<WantedService>) | undefined,
  openOwn: () => Promise<Host>,
): Promise<Queue> {
  const { dataDir } = settings;
  const checkPrimary = (primary: PrimaryProcess): void => assertCompatible(primary, settings);
  const deadline = context.now() + PRIMARY_TIMEOUT_MS;
  for (;;) {
    try {
      const queue = await joinOrOpen({
        dataDir,
        checkPrimary,
        openOwn,
        clock: systemClock,
        ...(wanted && { wanted }),
      });
      void reportSilence(queue, context);
      warnIfKeyUnused(queue, context);
      await warnIfPlanUnused(queue, settings, context);
      return queue;
    } catch (error) {
      context.interrupted.throwIfAborted();
      if (!(error instanceof InUseError) || context.now() > deadline) throw error;
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

/**
 * The service that the command names, which a running Spool opens beside its own; without a name,
 * the one that is shown.
 */
async function wantedService(settings: QueueSettings, start: boolean): Promise<WantedService> {
  const { service, profile: given } = settings;
  const profile = given ?? null;
  if (service === undefined) return null;
  if (service.kind === 'local') return { ...settingsOfChoice(service, null), profile, start };
  const { ca } = service;
  const pem = ca && ('pem' in ca ? ca.pem : await readCertificate(ca.file));
  return { ...settingsOfChoice(service, pem ?? null), profile, start };
}

/** Prints when the primary process stops answering: this command's output stops then too. */
async function reportSilence(
  { answering, lost }: Queue,
  { stderr }: CommandContext,
): Promise<void> {
  const ended = new AbortController();
  void lost.then(() => ended.abort());
  let wasAnswering = true;
  for await (const answers of answering.values(ended.signal)) {
    if (answers === wasAnswering) continue;
    wasAnswering = answers;
    const words = answers ? 'The Spool running this queue responds again.' : silentError.message;
    stderr.write(`${words}\n`);
  }
}

function warnIfKeyUnused({ primary }: Queue, { keyFromEnvironment, stderr }: CommandContext): void {
  if (keyFromEnvironment === null || primary === null || primary.service === 'local') return;
  stderr.write('SPOOL_API_KEY is not used: the running Spool has its own key.\n');
}

/** A Spool that runs already keeps the plan that it has. */
async function warnIfPlanUnused(
  { client, primary }: Queue,
  { givenPlan }: QueueSettings,
  { stderr }: CommandContext,
): Promise<void> {
  if (givenPlan === undefined || primary === null) return;
  const { quota } = await summaryOf(client);
  if (quota !== null && [quota.plan, String(quota.limit)].includes(givenPlan)) return;
  const inUse =
    quota === null ? 'has no quota for this service' : `uses ${quota.plan ?? quota.limit}`;
  stderr.write(`--account-plan ${givenPlan} is not used: the running Spool ${inUse}.\n`);
}

/** @throws {OtherSettingsError} when an option of the command contradicts the primary process */
function assertCompatible(primary: PrimaryProcess, { service, profile }: QueueSettings): void {
  const differs = differenceOf(primary, { service: service && serviceName(service), profile });
  if (differs !== null) {
    const remedy = userMessage('leave-option-out', { option: `--${differs}` });
    throw new OtherSettingsError(primary, differs, remedy);
  }
}

/** A key from the environment applies to this run only and overrides any stored one. */
export async function openKeys(
  service: ServiceChoice,
  { keyFromEnvironment, stderr }: CommandContext,
): Promise<KeyStore> {
  if (service.kind === 'local' || keyFromEnvironment === null) {
    const onUsable = (): void => void stderr.write('The keychain can be used now.\n');
    return openKeyStore({ clock: systemClock, onUsable });
  }
  const store = new MemoryKeyStore();
  await store.set(serviceName(service), keyFromEnvironment);
  return store;
}

async function openKeysAndWarn(service: ServiceChoice, context: CommandContext): Promise<KeyStore> {
  const store = await openKeys(service, context);
  // If the local service's key cannot be stored, a new one is made each time: no warning is needed.
  if (store.reason !== null && service.kind !== 'local')
    context.stderr.write(`${store.reason.message}\n`);
  return store;
}
