/**
 * Opens everything that a primary process runs: engine, services, settings, posters and the socket
 * for others.
 */
import type { Client } from '../contract/contract.ts';
import type { Failure } from '../contract/failure.ts';
import { DiskFullError } from '../engine/engine-error.ts';
import { createEngine, takeFolder, type Engine } from '../engine/engine.ts';
import type { PlanOptions } from '../engine/flow/quota-tracker.ts';
import type { StartUp } from '../engine/flow/flow-control.ts';
import { Serial } from '../engine/serial.ts';
import { DiskReserve, freeBytes } from '../engine/jobs/disk-reserve.ts';
import { BatchReadings } from '../engine/intake/batch-readings.ts';
import type { InstanceLock } from '../engine/jobs/instance-lock.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import type { FindProxy } from '../engine/proxy.ts';
import { profileHash, type Profile } from '../engine/profiles/profile.ts';
import { storyboardProfile } from '../engine/profiles/storyboard.ts';
import { systemClock } from '../engine/system-clock.ts';
import { headlessComputer } from './computer.ts';
import { isOnBatteryHere } from './battery.ts';
import { localOrigin } from './local-port.ts';
import { LocalRenderer } from './local-renderer.ts';
import { startFailure } from './failures.ts';
import { ManagedServices } from './managed-services.ts';
import { noLog, type Log } from './log.ts';
import type { PrimaryProcess } from './primary-contract.ts';
import {
  openPrimaryEndpoint,
  type PrimaryEndpoint,
  type PrimaryEndpointOptions,
} from './primary-endpoint.ts';
import { DECODER_FILE, decoderInNode, type StartDecoder } from './posters/decoder-process.ts';
import type { FitPicture } from '../engine/pictures/picture-fit.ts';
import { PictureFitter } from './posters/picture-fitter.ts';
import { PosterDecoder } from './posters/poster-decoder.ts';
import { clientInProcess, createRouter, type Router } from './router.ts';
import {
  ensureLocalOrigin,
  linkService,
  localFolder,
  serviceName,
  type ServiceChoice,
} from './service-link.ts';
import type { ServiceProgram } from './service-program.ts';
import { watchedKeys } from './watched-keys.ts';
import { SettingsStore } from './settings/settings-store.ts';
import { Thumbnails, THUMBNAILS_AT_ONCE } from './thumbnails.ts';
import { SettingsService } from './settings/settings-service.ts';
import { PowerSupply } from './power-supply.ts';
import { QueueServices, type ServiceInUse } from './queue-services.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { choiceInForce, engineSettings } from './settings/effective-settings.ts';

export type { ServiceChoice } from './service-link.ts';

/** How often a process that may have nothing to do checks that it still has its folder. */
const FOLDER_CHECK_MS = 5000;

/** How often the power supply is checked, in milliseconds. */
const POWER_CHECK_MS = 15_000;

/** How often the free space of a full disk is checked, in milliseconds. */
const FREE_SPACE_CHECK_MS = 5000;

export interface HostOptions {
  /** Absolute path. */
  readonly dataDir: string;
  /** Absolute path of a folder elsewhere; see `CommonOptions`. */
  readonly stateDir?: string | undefined;
  /** The service that renders in this run; overrides the settings. */
  readonly service?: ServiceChoice | undefined;
  /** The account's plan in this run, at a remote service; overrides the settings. */
  readonly plan?: PlanOptions | undefined;
  /** Absolute path of the folder for files when neither the batch nor the settings name one. */
  readonly defaultFolder: string;
  readonly keys: KeyStore;
  readonly serviceProgram: ServiceProgram;
  /** Which proxy leads to a service or a file; none when left out. */
  readonly findProxy?: FindProxy;
  /** Starts the process that decodes media for posters of saved videos; Node when left out. */
  readonly startDecoder?: StartDecoder;
  /** Whether the computer runs on battery now; by default known on Linux only. */
  readonly isOnBattery?: () => boolean;
  /** How requests are made and responses read in this run; overrides the settings. */
  readonly profile?: Profile | undefined;
  /**
   * Opens the queue without sending: the local service is not started, and with an empty key store
   * nothing can be sent.
   */
  readonly readOnly?: boolean;
  /** When the disk is too full to process the queue, opens it read-only until there is space. */
  readonly readOnlyIfFull?: boolean;
  /** Set by the app: its settings decide whether the queue runs at start. Not for commands. */
  readonly isApp?: boolean;
  /** Starts every service that has unfinished videos, not only the selected one. */
  readonly startsAll?: boolean;
  /** What this process has read of batches already. */
  readonly readings?: BatchReadings;
  /** Aborts the start of a local service. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the folder is locked against other processes, before a service is started. */
  readonly onOwned?: () => void;
  /** Receives log lines; nothing is logged when left out. */
  readonly log?: Log;
}

export interface Host {
  readonly client: Client;
  readonly router: Router;
  /**
   * For a queue that is read-only because its disk is full: resolves when there is space. `null`
   * for any other queue.
   */
  readonly hasSpace: Promise<void> | null;
  /** Aborted when the data folder is lost: the engine has stopped, and every call fails. */
  readonly folderLost: AbortSignal;
  /** Stops at a safe point, the engine first. */
  close(): Promise<void>;
}

/**
 * Opens an engine, its connection to the service, and the contract that UIs use.
 * @throws {DiskFullError} when the disk is too full to run the queue, unless it may be read-only
 */
export async function openHost(given: HostOptions): Promise<Host> {
  const keys = watchedKeys(given.keys, (key) => given.log?.hide(key));
  const options = { ...given, keys };
  try {
    return await openHostAs(options);
  } catch (error) {
    const mayOpenReadOnly = options.readOnly === true || options.readOnlyIfFull === true;
    if (!mayOpenReadOnly || !(error instanceof DiskFullError)) throw error;
    return await openHostAs({ ...options, readOnly: true, fullDisk: error });
  }
}

/** @param fullDisk why the queue is read-only */
async function openHostAs(
  options: HostOptions & { readonly fullDisk?: DiskFullError },
): Promise<Host> {
  const { dataDir, fullDisk } = options;
  const opened = new AsyncDisposableStack();
  try {
    // Locked from before the service starts until after it has ended, so that a second process
    // finds the lock.
    const lock = await takeFolder(dataDir);
    opened.defer(() => lock.release());
    // Before the service starts, which would fail for the same reason.
    if (!fullDisk) new DiskReserve(dataDir).makeRoomToOpen();
    options.onOwned?.();
    const settingsStore = new SettingsStore(
      new SettingsFile(options.dataDir, () => systemClock.now()),
    );
    const choice = choiceInForce(settingsStore.settings, options);
    const decoder = new PosterDecoder(options.startDecoder ?? decoderInNode(DECODER_FILE));
    opened.defer(() => decoder.close());
    const fitter = new PictureFitter(options.startDecoder ?? decoderInNode(DECODER_FILE));
    opened.defer(() => fitter.close());
    const fitPicture = fitter.fit;
    const { readings = new BatchReadings() } = options;
    const programs = { ...options, readings, decoder, fitPicture };
    const engine = await createEngineFor(settingsStore, lock, programs);
    const shared = { settingsStore, engine, changes: new Serial() };
    const power = new PowerSupply(options.isOnBattery ?? isOnBatteryHere);
    const renderer = new LocalRenderer(
      () => settingsStore.settings.lessPower,
      () => power.isOnBattery,
    );
    opened.defer(power.onChange(() => renderer.update()));
    const services = new QueueServices({
      ...shared,
      connect: (other, stop) => {
        const signals = [options.signal, stop].filter((signal) => signal !== undefined);
        const { pictures } = readings.files;
        const signal = AbortSignal.any(signals);
        return linkService(other, { ...options, pictures, renderer, fitPicture, signal });
      },
      unavailability: (error) => (options.signal?.aborted ? null : unavailability(error)),
      findProxy: options.findProxy,
      canCorrectProfiles: options.startsAll === true,
      localOrigin: () => localOrigin(localFolder(dataDir)),
      ensureLocalOrigin: () => ensureLocalOrigin(options),
    });
    opened.defer(() => engine.close());
    const startUp = startUpOf(settingsStore, options);
    // Earlier services must not wait for this one's process or key.
    if (options.startsAll && !fullDisk && !options.readOnly) services.startEarlier(choice, startUp);
    await services.showFirst(choice, options.profile, startUp);
    const settingsService = new SettingsService({
      ...shared,
      services,
      power,
      overrides: { service: options.service, plan: options.plan, profile: options.profile },
      fallbackFolder: options.defaultFolder,
    });
    // Calls about the computer are answered by the process that the page is connected to, not this
    // one.
    const { log = noLog } = options;
    // Not by the one that sends: a list that is scrolled must not delay it.
    const startDecoder = options.startDecoder ?? decoderInNode(DECODER_FILE);
    const previewer = new PictureFitter(startDecoder, THUMBNAILS_AT_ONCE);
    opened.defer(() => previewer.close());
    const thumbnails = new Thumbnails(readings.files.pictures, previewer.fit);
    const managedServices = new ManagedServices({
      ...shared,
      services,
      settingsService,
      keys: options.keys,
      dataDir,
    });
    const common = {
      computer: headlessComputer,
      log,
      settingsService,
      services,
      managedServices,
      thumbnails,
    };
    const router = createRouter({ engine: services.view, ...common });
    const routerAt = (origin: string): Router =>
      createRouter({ engine: engine.view(() => origin), ...common });
    // A read-only host sends nothing, so a second process that wants to send waits until it ends.
    const endpoint = options.readOnly
      ? null
      : await tryOpenEndpoint(services, { router, routerAt }, options);
    opened.defer(() => endpoint?.close());
    const closed = new AbortController();
    opened.defer(() => closed.abort());
    void watchFolder(lock, closed.signal);
    void watchPower(power, closed.signal);
    opened.defer(settingsStore.onChange(() => renderer.update()));
    const closing = opened.move();
    return {
      router,
      client: clientInProcess(router),
      hasSpace: fullDisk ? waitForSpace(fullDisk, dataDir, closed.signal) : null,
      folderLost: lock.lost,
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Resolves when the disk has the space it lacked; stays pending once `closed` is aborted. */
async function waitForSpace(
  { requiredBytes }: DiskFullError,
  dataDir: string,
  closed: AbortSignal,
): Promise<void> {
  do {
    await systemClock.sleep(FREE_SPACE_CHECK_MS, closed).catch(() => new Promise(() => undefined));
  } while (freeBytes(dataDir) < requiredBytes);
}

/** Checks the lock, which announces when it is lost, until `closed` is aborted. */
async function watchFolder(lock: InstanceLock, closed: AbortSignal): Promise<void> {
  while (!closed.aborted && !lock.lost.aborted) {
    lock.check();
    await systemClock.sleep(FOLDER_CHECK_MS, closed).catch(() => undefined);
  }
}

/** Applies changes of the power supply until `closed` is aborted. */
async function watchPower(power: PowerSupply, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    power.update();
    await systemClock.sleep(POWER_CHECK_MS, closed).catch(() => undefined);
  }
}

/** Why a service could not be opened. */
function unavailability(error: unknown): Failure {
  const failure = startFailure(error);
  return failure.code === 'profile-unusable'
    ? failure
    : { ...failure, code: 'service-unreachable' };
}

/** Identifies a service of this engine to a second process that wants to use it. */
function describePrimaryProcess({ choice, profile }: ServiceInUse): PrimaryProcess {
  return {
    protocol: 1,
    pid: process.pid,
    service: serviceName(choice),
    profile: profileHash(profile ?? storyboardProfile),
  };
}

/** `null` where the system cannot provide an endpoint: the queue works without one. */
async function tryOpenEndpoint(
  services: QueueServices,
  routers: Pick<PrimaryEndpointOptions, 'router' | 'routerAt'>,
  { dataDir, log }: HostOptions,
): Promise<PrimaryEndpoint | null> {
  const warn = (message: string, error: unknown): void => log?.logger.warn({ err: error }, message);
  try {
    return await openPrimaryEndpoint({
      dataDir,
      ...routers,
      primary: (origin) => describePrimaryProcess(services.inUse(origin)),
      use: async (wanted) => {
        const inUse = await services.startFor(wanted);
        return { ...describePrimaryProcess(inUse), origin: inUse.origin };
      },
      onDefect: (error) => warn('A call from another process met a defect.', error),
    });
  } catch (error) {
    warn('Other processes cannot work with this one.', error);
    return null;
  }
}

/** For services that run from the start, not for those that are started later. */
function startUpOf({ settings }: SettingsStore, { isApp }: HostOptions): StartUp {
  return isApp ? settings.startUp : 'as-last-time';
}

function createEngineFor(
  settingsStore: SettingsStore,
  lock: InstanceLock,
  options: HostOptions & {
    readonly fullDisk?: DiskFullError;
    readonly decoder: PosterDecoder;
    readonly fitPicture: FitPicture;
  },
): Promise<Engine> {
  const { dataDir, stateDir, defaultFolder, keys, log, decoder } = options;
  return createEngine({
    dataDir,
    stateDir,
    lock,
    ...engineSettings(settingsStore.settings, defaultFolder),
    onlyRead: options.fullDisk !== undefined,
    isStopped: options.readOnly === true && options.fullDisk === undefined,
    ...(options.readings && { readings: options.readings }),
    keys,
    clock: systemClock,
    random: Math.random,
    ...(options.findProxy ? { findProxy: options.findProxy } : {}),
    makePoster: (video, signal) => decoder.make(video, signal),
    fitPicture: options.fitPicture,
    ...(log ? { logger: log.logger } : {}),
  });
}
