import type { Client } from '../contract/contract.ts';
import { DiskFullError } from '../engine/engine-error.ts';
import { openEngine, takeFolder, type Engine, type PlanOptions } from '../engine/engine.ts';
import { DiskReserve, freeBytes } from '../engine/jobs/disk-reserve.ts';
import type { InstanceLock } from '../engine/jobs/instance-lock.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import type { Profile } from '../engine/profiles/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { bareComputer } from './computer.ts';
import { CallGate } from './call-gate.ts';
import { noLog, type Log } from './log.ts';
import { profileHash, type PrimaryProcess } from './primary-contract.ts';
import { openPrimaryEndpoint, type PrimaryEndpoint } from './primary-endpoint.ts';
import { DECODER_FILE, decoderInNode, type StartDecoder } from './posters/decoder-process.ts';
import { PosterDecoder } from './posters/poster-decoder.ts';
import { clientInProcess, createRouter, type Router } from './router.ts';
import { linkService, newLocalKey, type ServiceChoice, type ServiceLink } from './service-link.ts';
import type { ServiceProgram } from './service-program.ts';
import { SettingsStore } from './settings/settings-store.ts';
import { SettingsService } from './settings/settings-service.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { engineSettings, profileFor, serviceChoiceOf } from './settings/settings-in-use.ts';

export type { ServiceChoice } from './service-link.ts';

/** How often the free space of a full disk is checked. */
const LOOK_AT_DISK_MS = 5000;

export interface HostOptions {
  /** Absolute path. */
  readonly dataDir: string;
  /** Which service renders in this run, whatever the settings say. */
  readonly service?: ServiceChoice | undefined;
  /** The account's plan in this run, at a service elsewhere, whatever the settings say. */
  readonly plan?: PlanOptions | undefined;
  /** Absolute path of the folder for files when neither a batch nor the settings name one. */
  readonly defaultFolder: string;
  readonly keys: KeyStore;
  readonly serviceProgram: ServiceProgram;
  /** Starts the process that decodes media, for posters of saved videos; by Node when left out. */
  readonly startDecoder?: StartDecoder;
  /** How the service is asked and answers in this run, whatever the settings say. */
  readonly profile?: Profile | undefined;
  /**
   * Opens the queue to look at it only: the local service is not started, and with a key store that
   * is empty nothing can be sent.
   */
  readonly onlyLook?: boolean;
  /** When the disk is too full to work the queue, opens it read-only until there is space. */
  readonly orLook?: boolean;
  /** This is the app that starts: the settings say whether its queue runs. Not when left out. */
  readonly isApp?: boolean;
  /** Gives up a local service that is being started when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Called once no other process can own the folder any more, before a service is started. */
  readonly onOwned?: () => void;
  /** Where what happens is written down; nowhere when left out. */
  readonly log?: Log;
}

export interface Host {
  readonly client: Client;
  readonly router: Router;
  /** Resolves if the local service's process ends before the host is closed. */
  readonly serviceLost: Promise<void>;
  /**
   * For a queue that is read-only because its disk is full: resolves when there is space. `null`
   * for any other queue.
   */
  readonly hasSpace: Promise<void> | null;
  /** Stops at a safe point, the engine first. */
  close(): Promise<void>;
}

/**
 * Opens an engine, its connection to the service, and the contract by which UIs use it.
 * @throws {DiskFullError} when the disk is too full to work the queue, unless it may be read-only
 */
export async function openHost(options: HostOptions): Promise<Host> {
  try {
    return await openHostAs(options);
  } catch (error) {
    const mayLook = options.onlyLook === true || options.orLook === true;
    if (!mayLook || !(error instanceof DiskFullError)) throw error;
    return await openHostAs({ ...options, onlyLook: true, fullDisk: error });
  }
}

/** @param fullDisk why the queue can only be read */
async function openHostAs(
  options: HostOptions & { readonly fullDisk?: DiskFullError },
): Promise<Host> {
  const { dataDir, fullDisk } = options;
  const opened = new AsyncDisposableStack();
  try {
    // Before the service starts, until after it ended: of two at once, the second hears of the
    // first.
    const lock = await takeFolder(dataDir);
    opened.defer(() => lock.release());
    // Before the service starts, which would fail for the same reason.
    if (!fullDisk) new DiskReserve(dataDir).makeRoomToOpen();
    options.onOwned?.();
    const book = new SettingsStore(new SettingsFile(options.dataDir, () => systemClock.now()));
    const choice = options.service ?? serviceChoiceOf(book.settings, options.plan);
    const link = await linkService(choice, options);
    const undoLink = opened.use(new AsyncDisposableStack());
    undoLink.defer(() => link.close());
    const decoder = new PosterDecoder(options.startDecoder ?? decoderInNode(DECODER_FILE));
    opened.defer(() => decoder.close());
    const engine = await openEngineFor(link, book, lock, decoder, options);
    const gate = new CallGate();
    const desk = new SettingsService({
      ...{ book, engine, gate, link },
      overrides: { service: options.service, plan: options.plan, profile: options.profile },
      usualFolder: options.defaultFolder,
      connect: (other) => linkService(other, options),
      newLocalKey: (plan) => newLocalKey(plan, options),
    });
    // The desk may go over to another service, and closes whichever it has.
    undoLink.move();
    opened.defer(() => desk.close());
    opened.defer(() => engine.close());
    // Whichever process a page is in has a computer for it, and asks nobody else's.
    const { log = noLog } = options;
    const router = createRouter({ engine, computer: bareComputer, log, desk, gate });
    // Whoever only looks sends nothing: a second one that wants to waits for its end instead.
    const endpoint = options.onlyLook ? null : await endpointOf(desk, router, options);
    opened.defer(() => endpoint?.close());
    const spaceWatch = new AbortController();
    opened.defer(() => spaceWatch.abort());
    const closing = opened.move();
    return {
      router,
      client: clientInProcess(router),
      serviceLost: desk.serviceLost,
      hasSpace: fullDisk ? spaceFor(fullDisk, dataDir, spaceWatch.signal) : null,
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Resolves when the disk has space for what it was too full for; never once `over` is aborted. */
async function spaceFor(
  { requiredBytes }: DiskFullError,
  dataDir: string,
  over: AbortSignal,
): Promise<void> {
  do {
    await systemClock.sleep(LOOK_AT_DISK_MS, over).catch(() => new Promise(() => undefined));
  } while (freeBytes(dataDir) < requiredBytes);
}

/** Which engine this is, for a second process that would like to work with it. */
function primaryProcessOf({ profileView }: SettingsService): PrimaryProcess {
  const { origin, profile, canChange } = profileView;
  return {
    protocol: 1,
    pid: process.pid,
    service: canChange ? origin : 'local',
    profile: profileHash(profile),
  };
}

/** `null` where the system has no room for one: the queue works without. */
async function endpointOf(
  desk: SettingsService,
  router: Router,
  { dataDir, log }: HostOptions,
): Promise<PrimaryEndpoint | null> {
  const warn = (message: string, error: unknown): void => log?.logger.warn({ err: error }, message);
  try {
    return await openPrimaryEndpoint({
      dataDir,
      router,
      primary: () => primaryProcessOf(desk),
      onDefect: (error) => warn('A call from another process met a defect.', error),
    });
  } catch (error) {
    warn('Other processes cannot work with this one.', error);
    return null;
  }
}

function openEngineFor(
  { choice, service, plan }: ServiceLink,
  book: SettingsStore,
  lock: InstanceLock,
  decoder: PosterDecoder,
  options: HostOptions & { readonly fullDisk?: DiskFullError },
): Promise<Engine> {
  const { dataDir, defaultFolder, keys, log } = options;
  const { settings } = book;
  const profile = options.profile ?? profileFor(choice, book.profiles);
  return openEngine({
    dataDir,
    lock,
    service: { ...service, ...(profile ? { profile } : {}) },
    plan: choice.kind === 'remote' ? (options.plan ?? plan) : plan,
    ...engineSettings(settings, defaultFolder),
    onlyRead: options.fullDisk !== undefined,
    startUp: options.isApp ? settings.startUp : 'as-last-time',
    keys,
    clock: systemClock,
    random: Math.random,
    makePoster: (video, signal) => decoder.make(video, signal),
    ...(log ? { logger: log.logger } : {}),
  });
}
