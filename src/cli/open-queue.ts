import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Client } from '../contract/contract.ts';
import { EngineError, InUseError } from '../engine/engine-error.ts';
import { MemoryKeyStore } from '../engine/keys/memory-key-store.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { openKeyStore, type OpenedKeyStore } from '../engine/keys/open-key-store.ts';
import type { Profile } from '../engine/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { desktopComputer } from '../host/desktop-computer.ts';
import { openLog } from '../host/log.ts';
import { peekAtSettings } from '../host/settings/settings-book.ts';
import { joinOwner, type JoinedOwner } from '../host/join-owner.ts';
import { openHost, type Host, type HostOptions } from '../host/open-host.ts';
import { profileHash, type Owner } from '../host/owner-contract.ts';
import { serveWebSocket, type OnDefect } from '../host/router.ts';
import type { CommandContext } from './command-context.ts';
import { failureOf } from './failure-of.ts';
import { readProfileFile } from './profile-file.ts';
import { serviceOptions, type EngineSettings } from './settings.ts';

/** An owner that has just started answers once its service does; one that only looks soon ends. */
const OWNER_ANSWERS_WITHIN_MS = 20_000;
const ASK_AGAIN_MS = 100;

/** Why a queue is not there any more although nobody closed it. */
export type Loss = 'service-ended' | 'owner-ended';

/** The queue of a data folder, whichever process works it. */
export interface Queue {
  readonly client: Client;
  /** Whether another process works it, and goes on when this one ends. */
  readonly isShared: boolean;
  readonly lost: Promise<Loss>;
  /** Answers the contract to a page, until its socket closes. */
  answer(page: WebSocket): void;
  close(): Promise<void>;
}

/** The process that works the queue ended, or fell over, in the middle of a call. */
export class OwnerEndedError extends EngineError {
  constructor(cause: unknown) {
    const message =
      'The Spool that works the queue has ended. Nothing is lost; run the same command again.';
    super({ code: 'not-possible-now', message }, { cause });
  }
}

/** The queue is worked with other settings than this command was given. */
export class OtherSettingsError extends EngineError {
  constructor({ pid, service }: Owner, differs: 'service' | 'profile') {
    const [what, remedy] =
      differs === 'service'
        ? [`the service ${service}`, 'Leave --service out to use that one']
        : ['another service profile', 'Leave --profile out to use that one'];
    super({
      code: 'in-use',
      message: `Spool is running with this data folder (process ${pid}), with ${what}. ${remedy}, end it first, or use another --data-dir.`,
    });
  }
}

/**
 * Opens the queue as the settings say and works it, or works with the process that already does.
 *
 * @param onOwned called when no other process works it, so that it takes a while
 * @throws {OtherSettingsError} when that one has other settings
 */
export async function openQueue(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
  onOwned: () => void = () => undefined,
): Promise<Queue> {
  const options = await hostOptions(settings, defaultFolder, context);
  // Once for however many attempts: the keychain may ask its owner something.
  let own: Promise<HostOptions> | undefined;
  return joinOrOpen(options, context, async () => {
    own ??= ownOptions(settings, options, context);
    return openHost({ ...(await own), onOwned });
  });
}

/** As `openQueue`, but starts nothing: without a running Spool, nothing is sent and nothing spent. */
export async function lookAtQueue(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
): Promise<Queue> {
  const options = await hostOptions(settings, defaultFolder, context);
  return joinOrOpen(options, context, () =>
    openHost({ ...options, keys: new MemoryKeyStore(), onlyLook: true }),
  );
}

/** What else it takes to work a queue, and not only to look at it. */
async function ownOptions(
  settings: EngineSettings,
  options: OptionsWithoutKeys,
  context: CommandContext,
): Promise<HostOptions> {
  return {
    ...options,
    keys: await keysFor(settings, context),
    computer: desktopComputer(process.platform, process.env),
    log: openLog(settings.dataDir),
  };
}

/** Does something with a queue and closes it, and tells a break of the connection for what it is. */
export async function withQueue<T>(queue: Queue, work: (queue: Queue) => Promise<T>): Promise<T> {
  const losses: Loss[] = [];
  void queue.lost.then((why) => losses.push(why));
  try {
    return await work(queue);
  } catch (error) {
    if (failureOf(error) === null && losses.includes('owner-ended'))
      throw new OwnerEndedError(error);
    throw error;
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

async function joinOrOpen(
  options: OptionsWithoutKeys,
  context: CommandContext,
  openOwn: () => Promise<Host>,
): Promise<Queue> {
  const patience = context.now() + OWNER_ANSWERS_WITHIN_MS;
  for (;;) {
    const joined = await joinOwner(options.dataDir);
    if (joined !== null) return sharedQueue(joined, options, context);
    try {
      return ownQueue(await openOwn(), defectsTo(context));
    } catch (error) {
      if (!(error instanceof InUseError) || context.now() > patience) throw error;
    }
    await pause(ASK_AGAIN_MS);
  }
}

function ownQueue(host: Host, onDefect: OnDefect): Queue {
  return {
    client: host.client,
    isShared: false,
    lost: host.serviceLost.then(() => 'service-ended' as const),
    answer: (page) => serveWebSocket(host.router, page, onDefect),
    close: () => host.close(),
  };
}

function sharedQueue(
  joined: JoinedOwner,
  options: OptionsWithoutKeys,
  context: CommandContext,
): Queue {
  const { owner, client, ended } = joined;
  const differs = differenceOf(owner, options);
  if (differs !== null) {
    joined.close();
    throw new OtherSettingsError(owner, differs);
  }
  if (context.keyFromEnvironment !== null && owner.service !== 'local') {
    context.stderr.write('SPOOL_API_KEY is not used: the Spool that is running has its own key.\n');
  }
  return {
    client,
    isShared: true,
    lost: ended.then(() => 'owner-ended' as const),
    answer: (page) => joined.relay(page),
    close() {
      joined.close();
      return Promise.resolve();
    },
  };
}

/** What the command was told and its owner does otherwise. */
function differenceOf(
  owner: Owner,
  { service, profile }: OptionsWithoutKeys,
): 'service' | 'profile' | null {
  if (service !== undefined) {
    const wanted = service.kind === 'local' ? 'local' : new URL(service.baseUrl).origin;
    if (wanted !== owner.service) return 'service';
  }
  return profile !== undefined && profileHash(profile) !== owner.profile ? 'profile' : null;
}

async function hostOptions(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
): Promise<OptionsWithoutKeys> {
  return {
    dataDir: settings.dataDir,
    ...serviceOptions(settings, context.now()),
    defaultFolder,
    profile: await profileOf(settings),
    serviceProgram: context.serviceProgram,
  };
}

/** A key from the environment is for this run alone and takes the place of any other. */
export async function openKeys(
  settings: EngineSettings,
  { keyFromEnvironment }: CommandContext,
): Promise<OpenedKeyStore> {
  const service = serviceOf(settings);
  if (service === 'local' || keyFromEnvironment === null) {
    return openKeyStore({ clock: systemClock });
  }
  const store = new MemoryKeyStore();
  await store.set(new URL(service).origin, keyFromEnvironment);
  return { store, reason: null };
}

async function keysFor(settings: EngineSettings, context: CommandContext): Promise<KeyStore> {
  const service = serviceOf(settings);
  const { store, reason } = await openKeys(settings, context);
  // The local service's key is made anew where it cannot be kept: nobody has to be told.
  if (reason !== null && service !== 'local') context.stderr.write(`${reason}\n`);
  return store;
}

/** What a page is not told of, to whoever started the command. */
function defectsTo({ stderr }: CommandContext): OnDefect {
  return (error) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`${words}\n`);
  };
}
