import { setTimeout as pause } from 'node:timers/promises';
import { userMessage } from '../contract/user-message.ts';
import { InUseError } from '../engine/engine-error.ts';
import { DiskReserve } from '../engine/jobs/disk-reserve.ts';
import { type KeyStore, MemoryKeyStore, openKeyStore } from '../engine/keys/key-store.ts';
import { exposureOf } from '../engine/private-folder.ts';
import type { Profile } from '../engine/profiles/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { openLog } from '../host/log.ts';
import { openHost, type Host, type HostOptions } from '../host/open-host.ts';
import { differenceOf, type PrimaryProcess } from '../host/primary-contract.ts';
import { joinOrOpen, OtherSettingsError, callError, type Queue } from '../host/queue.ts';
import { serviceName } from '../host/service-link.ts';
import { peekAtSettings } from '../host/settings/settings-store.ts';
import type { CommandContext } from './command-context.ts';
import { plainText } from './display/text-cells.ts';
import { readProfileFile } from './profile-file.ts';
import { serviceOptions, type EngineSettings } from './settings.ts';

/**
 * A primary process that has just started answers once its service does; one that only looks soon
 * ends.
 */
const OWNER_ANSWERS_WITHIN_MS = 20_000;
const ASK_AGAIN_MS = 100;

const silent = userMessage('owner-silent');

/**
 * Opens the queue as the settings say and works it, or works with the process that already does.
 *
 * @param onOwned called when no other process works it, so that it takes a while
 * @throws {OtherSettingsError} when that one has other settings
 * @throws {DiskFullError}
 */
export function openQueue(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
  onOwned: () => void = () => undefined,
): Promise<Queue> {
  return queueOpener(settings, defaultFolder, context, { onOwned })();
}

export interface OpenerOptions {
  readonly onOwned?: () => void;
  /** On a disk that is too full, opens the queue read-only, and again once there is space. */
  readonly readOnlyIfFull?: boolean;
}

/** As `openQueue`, as often as it is called, with the same keys each time. */
export function queueOpener(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
  { onOwned = () => undefined, readOnlyIfFull = false }: OpenerOptions = {},
): () => Promise<Queue> {
  // Once for however many attempts: the keychain may ask the user something, and what it is like is
  // told once.
  let keys: Promise<KeyStore> | undefined;
  return async () => {
    const options = await hostOptions(settings, defaultFolder, context);
    return patiently(options, context, async () => {
      keys ??= keysFor(settings, context);
      const log = openLog(settings.dataDir, settings.logLevel);
      const host = await openHost({ ...options, keys: await keys, log, onOwned, readOnlyIfFull });
      tellExposure(settings, context);
      if (readOnlyIfFull) tellFullDisk(settings, context);
      return host;
    });
  };
}

/**
 * As `openQueue`, but starts nothing: without a running Spool, nothing is sent and nothing spent.
 */
export async function lookAtQueue(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
): Promise<Queue> {
  const options = await hostOptions(settings, defaultFolder, context);
  return patiently(options, context, async () => {
    const host = await openHost({ ...options, keys: new MemoryKeyStore(), readOnly: true });
    tellFullDisk(settings, context);
    return host;
  });
}

/** Says how much space the queue needs, when its reserve is in use or it can only be read. */
function tellFullDisk({ dataDir }: EngineSettings, { stderr }: CommandContext): void {
  const reserve = new DiskReserve(dataDir);
  if (!reserve.isWhole) stderr.write(`${plainText(reserve.fullError().message)}\n`);
}

/** Says what other users can do with a data folder that Spool could not close to them. */
export function tellExposure(
  { dataDir }: Pick<EngineSettings, 'dataDir'>,
  { stderr }: CommandContext,
): void {
  const exposure = exposureOf(dataDir);
  if (exposure !== null) stderr.write(`${plainText(exposure.message)}\n`);
}

/**
 * Does something with a queue and closes it, and tells a break of the connection for what it is.
 */
export async function withQueue<T>(queue: Queue, work: (queue: Queue) => Promise<T>): Promise<T> {
  try {
    return await work(queue);
  } catch (error) {
    throw callError(error, queue);
  } finally {
    await queue.close();
  }
}

/** The profile that the settings name; `undefined` for the usual one. */
export async function profileOf({ profile }: EngineSettings): Promise<Profile | undefined> {
  return profile === undefined ? undefined : readProfileFile(profile);
}

/** The service that this run is for: `local` or an address, of the options or else the settings. */
export function serviceOf({ service, dataDir }: EngineSettings): string {
  if (service !== undefined) return service;
  const chosen = peekAtSettings(dataDir).service;
  return chosen.kind === 'local' ? chosen.kind : chosen.baseUrl;
}

type OptionsWithoutKeys = Omit<HostOptions, 'keys'>;

/** Asks again while the process that has the queue only starts, ends or looks at it. */
async function patiently(
  options: OptionsWithoutKeys,
  context: CommandContext,
  openOwn: () => Promise<Host>,
): Promise<Queue> {
  const { dataDir } = options;
  const admit = (primary: PrimaryProcess): void => admitPrimary(primary, options, context);
  const patience = context.now() + OWNER_ANSWERS_WITHIN_MS;
  for (;;) {
    try {
      const queue = await joinOrOpen({ dataDir, checkPrimary: admit, openOwn, clock: systemClock });
      void tellSilence(queue, context);
      return queue;
    } catch (error) {
      if (!(error instanceof InUseError) || context.now() > patience) throw error;
    }
    await pause(ASK_AGAIN_MS);
  }
}

/** A command that shows what another process does stands still when that one does. */
async function tellSilence({ answering, lost }: Queue, { stderr }: CommandContext): Promise<void> {
  const over = new AbortController();
  void lost.then(() => over.abort());
  let answered = true;
  for await (const answers of answering.values(over.signal)) {
    if (answers === answered) continue;
    answered = answers;
    const words = answers ? 'The Spool that works the queue answers again.' : silent.message;
    stderr.write(`${words}\n`);
  }
}

/**
 * @throws {OtherSettingsError} when the command was told what the primary process does otherwise
 */
function admitPrimary(
  primary: PrimaryProcess,
  { service, profile }: OptionsWithoutKeys,
  context: CommandContext,
): void {
  const differs = differenceOf(primary, { service: service && serviceName(service), profile });
  if (differs !== null) {
    const remedy = `Leave --${differs} out to use that one, end it first, or use another --data-dir.`;
    throw new OtherSettingsError(primary, differs, remedy);
  }
  if (context.keyFromEnvironment !== null && primary.service !== 'local') {
    context.stderr.write('SPOOL_API_KEY is not used: the Spool that is running has its own key.\n');
  }
}

async function hostOptions(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
): Promise<OptionsWithoutKeys> {
  return {
    dataDir: settings.dataDir,
    ...serviceOptions(settings),
    defaultFolder,
    profile: await profileOf(settings),
    serviceProgram: context.serviceProgram,
  };
}

/** A key from the environment is for this run alone and takes the place of any other. */
export async function openKeys(
  settings: EngineSettings,
  { keyFromEnvironment, stderr }: CommandContext,
): Promise<KeyStore> {
  const service = serviceOf(settings);
  if (service === 'local' || keyFromEnvironment === null) {
    const onUsable = (): void => void stderr.write('The keychain can be used now.\n');
    return openKeyStore({ clock: systemClock, onUsable });
  }
  const store = new MemoryKeyStore();
  await store.set(new URL(service).origin, keyFromEnvironment);
  return store;
}

async function keysFor(settings: EngineSettings, context: CommandContext): Promise<KeyStore> {
  const service = serviceOf(settings);
  const store = await openKeys(settings, context);
  // The local service's key is made anew where it cannot be kept: nobody has to be told.
  if (store.reason !== null && service !== 'local')
    context.stderr.write(`${store.reason.message}\n`);
  return store;
}
