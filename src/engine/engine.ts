import type { OtherServiceStatus, PausedPart } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import type { Commands } from './commands/handlers.ts';
import { DEFAULT_TRANSFER_LIMITS, TransferThrottle } from './downloads/bandwidth.ts';
import { DiskRoom, KEEP_FREE_BYTES } from './downloads/disk.ts';
import { PartLocks } from './downloads/part-locks.ts';
import {
  EngineError,
  FolderLostError,
  FolderUnusableError,
  NotPossibleNowError,
} from './engine-error.ts';
import type { CommonOptions, ServiceSetup, SharedSettings } from './engine-options.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { EngineView } from './engine-view.ts';
import { createExternalServices } from './external-services.ts';
import { makeFolder } from './files/make-folder.ts';
import { assertOrdinary, closeToOthers } from './files/private-folder.ts';
import { rememberPause, type StartUp } from './flow/flow-control.ts';
import type { PlanOptions } from './flow/quota-tracker.ts';
import { assertReadableVersion } from './jobs/database.ts';
import { InstanceLock } from './jobs/instance-lock.ts';
import { QueueDatabase } from './jobs/queue-database.ts';
import { Serial } from './serial.ts';
import { ServiceSession } from './service-session.ts';
import type { CreateExternalServices, SharedContext } from './shared-context.ts';
import { ServiceList, type KnownService } from './view/service-list.ts';

/**
 * An engine without a service. Until one is shown, others can be connected, and calls about the one
 * shown reject.
 * @throws {EngineError} `in-use`, `store-newer` or `folder-unusable`
 */
export async function createEngine(
  options: CommonOptions,
  connectTo: CreateExternalServices = createExternalServices,
): Promise<Engine> {
  const { dataDir, stateDir, clock, logger, onlyRead = false, transferLimits } = options;
  // A lock that the host holds is the host's to release.
  const lock = options.lock ?? (await takeFolder(dataDir));
  const release = options.lock ? () => undefined : () => lock.release();
  try {
    if (!onlyRead) lock.leaveMark();
    const closing = new AbortController();
    const shared = {
      ...options,
      lock,
      connectTo,
      settings: options,
      database: await QueueDatabase.open({
        folder: dataDir,
        lock,
        stateDir,
        now: clock.now(),
        onlyRead,
        onWitnessFailure: (error) => logger?.warn({ err: error }, 'The witness is not usable.'),
      }),
      throttle: new TransferThrottle(transferLimits ?? DEFAULT_TRANSFER_LIMITS, clock),
      room: new DiskRoom(KEEP_FREE_BYTES),
      locks: new PartLocks(),
      naming: new Serial(),
      closed: closing.signal,
    };
    return new Engine(shared, closing, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Creates a data folder if it is missing, removes other users' rights to it, and takes its lock. A
 * host calls it if it has to start something before its engine and end it after.
 * @throws {EngineError} `in-use`, `store-newer`, `store-older` or `folder-unusable`
 */
export async function takeFolder(folder: string): Promise<InstanceLock> {
  // First: nothing in the folder of another version is touched.
  assertReadableVersion(folder);
  try {
    await makeFolder(folder, 0o700);
    assertOrdinary(folder);
    closeToOthers(folder);
  } catch (error) {
    throw error instanceof EngineError ? error : new FolderUnusableError(folder, error);
  }
  return InstanceLock.take(folder, process.pid);
}

/**
 * The batch engine: processes the jobs of several services at the same time, each in a session with
 * its own key, limits, quota, outages and loops, and shows one of them. As a view, it is of the
 * service that is shown.
 */
export class Engine extends EngineView {
  readonly #shared: SharedContext;
  readonly #closing: AbortController;
  readonly #releaseFolder: () => void;
  /** Sessions by origin, those that are being opened included. */
  readonly #sessions = new Map<string, ServiceSession>();
  readonly #services: ServiceList;
  /** Serialises which service is shown. */
  readonly #shows = new Serial();
  #shown: ServiceSession | null = null;
  #shownChanged = new AbortController();
  #stopped: Promise<PromiseSettledResult<void>[]> | null = null;
  #closed: Promise<void> | null = null;

  /** Use `createEngine`. */
  constructor(shared: SharedContext, closing: AbortController, releaseFolder: () => void) {
    super({
      session: () => this.#shownSession(),
      commands: () => this.#commandsOf(this.#shownSession()),
      changed: () => this.#shownChanged.signal,
    });
    this.#shared = shared;
    this.#services = new ServiceList(shared.database);
    this.#closing = closing;
    this.#releaseFolder = releaseFolder;
    const { lost } = shared.lock;
    const stop = (): void => void this.#stop(lost.reason);
    lost.addEventListener('abort', stop, { once: true, signal: closing.signal });
  }

  /** A view of one service that has a session, whichever is shown. */
  at(origin: string): EngineView {
    const session = (): ServiceSession => this.#sessionOf(origin);
    return new EngineView({ session, commands: () => this.#commandsOf(session()) });
  }

  /**
   * Shows another service, or the same one with other settings. Jobs belong to the origin that they
   * were added for. The previous service keeps its session; with other settings its session is
   * first closed at a safe point.
   *
   * Watchers are notified to list rows again. Other running calls keep their session. None may be
   * running for a service that has a session with other settings (`isActiveWith`): its session is
   * replaced.
   * @throws {EngineError} when that failed. The engine then continues with the previous service, at
   *   once or as soon as its session can be opened. Until then every other call rejects with the
   *   reason.
   * @param startUp whether it starts paused, if it has no session yet
   */
  show(setup: ServiceSetup, startUp: StartUp = 'as-last-time'): Promise<void> {
    return this.#shows.run(async () => {
      const before = this.#shown;
      const session = await this.#open(setup, startUp);
      await session.adapt(setup);
      if (session === before) return;
      if (before?.isOpen && session.isOpen)
        session.runtime.feed.continueAfter(before.runtime.feed.seq);
      this.#shown = session;
      const changed = this.#shownChanged;
      this.#shownChanged = new AbortController();
      changed.abort();
    });
  }

  /** Whether a service has a session, which is open or being retried. */
  isActive(origin: string): boolean {
    return this.#sessions.get(origin)?.isActive ?? false;
  }

  /**
   * Opens a session for a service beside the one that is shown. No effect if `isActive`.
   * @param startUp whether it starts paused
   * @throws {EngineError} when it cannot be opened
   */
  async start(setup: ServiceSetup, startUp: StartUp = 'as-last-time'): Promise<void> {
    await this.#open(setup, startUp);
  }

  /** Whether a service has a session with exactly these settings, so that `adapt` has no effect. */
  isActiveWith(setup: ServiceSetup): boolean {
    const session = this.#sessions.get(originOf(setup));
    return session?.isActive === true && session.hasSetup(setup);
  }

  /**
   * Replaces the session of a service that `isActive` by one with another profile, certificate or
   * plan. No other call may be running.
   * @throws {EngineError} when that failed; see `show`
   */
  async adapt(setup: ServiceSetup): Promise<void> {
    await this.#sessionOf(originOf(setup)).adapt(setup);
  }

  /**
   * All services that have jobs, a session or are set up, by name.
   * @param except the origin of one that is left out
   */
  services(except: string | null = null): OtherServiceStatus[] {
    const all = this.#services.all(this.#runtimes().map(({ status }) => status));
    return all.filter(({ origin }) => origin !== except);
  }

  /** Sets the services that are listed although they have no jobs. */
  setKnownServices(known: readonly KnownService[]): void {
    if (this.#services.setKnown(known)) this.#changed();
  }

  /**
   * Pauses every service that has a session.
   * @param starting origins of services that will be opened, which then start paused. Stored first:
   *   one of them can be opened while a session still stops its downloads.
   */
  async pauseAll(what: PausedPart, starting: readonly string[] = []): Promise<void> {
    this.#rememberPause(starting, what);
    await Promise.all([...this.#sessions.values()].map((session) => session.pause(what)));
  }

  /** @param starting as for `pauseAll` */
  async resumeAll(starting: readonly string[] = []): Promise<void> {
    this.#rememberPause(starting, null);
    await Promise.all([...this.#sessions.values()].map((session) => session.resume()));
  }

  /**
   * Applies at once, also to running transfers, and until the engine closes.
   * @param plan of the service that is shown; unchanged when left out
   */
  applySettings(change: Partial<SharedSettings>, plan?: PlanOptions): void {
    this.#shared.settings = { ...this.#shared.settings, ...change };
    if (change.transferLimits) this.#shared.throttle.limits = change.transferLimits;
    for (const session of this.#sessions.values()) {
      session.applySettings(session === this.#shown ? plan : undefined);
    }
  }

  /**
   * Stops at a safe point: waits for a running request, keeps part files. No session is opened
   * afterwards.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    try {
      const results = await this.#stop(new Error('The engine is closed.'));
      await this.#closeDatabase();
      const failed = results.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    } finally {
      this.#releaseFolder();
    }
  }

  /**
   * Stops every session, also when the folder is lost.
   * @param reason why no session is opened any more
   */
  #stop(reason: unknown): Promise<PromiseSettledResult<void>[]> {
    return (this.#stopped ??= this.#stopSessions(reason));
  }

  async #stopSessions(reason: unknown): Promise<PromiseSettledResult<void>[]> {
    this.#closing.abort(reason);
    const sessions = [...this.#sessions.values()];
    await Promise.allSettled(sessions.map(({ opened }) => opened));
    return Promise.allSettled(sessions.map((session) => session.close()));
  }

  /** @param starting origins; services with a session have stored the pause themselves */
  #rememberPause(starting: readonly string[], what: PausedPart | null): void {
    const { database } = this.#shared;
    const others = starting.filter((origin) => !this.#sessions.has(origin));
    if (others.length === 0) return;
    database.transactions.write(() => {
      for (const origin of others) rememberPause(database.notesOf(origin), what);
    });
  }

  #shownSession(): ServiceSession {
    throwIfLost(this.#shared.closed);
    if (this.#shown === null) throw new Error('No service is shown.');
    return this.#shown;
  }

  /** @throws {NotPossibleNowError} when that service has no session */
  #sessionOf(origin: string): ServiceSession {
    throwIfLost(this.#shared.closed);
    const session = this.#sessions.get(origin);
    if (!session?.isActive) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    return session;
  }

  /** Commands of one service; those that concern the computer go to every session. */
  #commandsOf({ runtime: { commands } }: ServiceSession): Commands {
    const toAll = async (work: (each: Commands['service']) => void | Promise<void>) => {
      await Promise.all(this.#runtimes().map(async (each) => work(each.commands.service)));
    };
    return {
      ...commands,
      service: {
        ...commands.service,
        tryNow: () => toAll((service) => service.tryNow()),
        fallAsleep: () => toAll((service) => service.fallAsleep()),
      },
    };
  }

  /**
   * The session of a service; opens it if there is none. Several sessions can be opened at the same
   * time.
   */
  async #open(setup: ServiceSetup, startUp: StartUp): Promise<ServiceSession> {
    this.#shared.closed.throwIfAborted();
    const session = this.#sessions.get(originOf(setup)) ?? this.#beginToOpen(setup, startUp);
    await session.opened;
    return session;
  }

  #beginToOpen(setup: ServiceSetup, startUp: StartUp): ServiceSession {
    const origin = originOf(setup);
    const session = new ServiceSession(this.#shared, setup, startUp, {
      list: () => this.services(origin),
      changed: () => this.#changed(origin),
    });
    this.#sessions.set(origin, session);
    session.opened.then(
      () => this.#changed(),
      () => this.#sessions.delete(origin),
    );
    return session;
  }

  #runtimes(): EngineRuntime[] {
    const open = [...this.#sessions.values()].filter(({ isOpen }) => isOpen);
    return open.map(({ runtime }) => runtime);
  }

  /** @param origin of the session that changed; left out when several have */
  #changed(origin: string | null = null): void {
    if (origin === null) this.#services.sessionsChanged();
    for (const session of this.#sessions.values()) {
      if (session.origin !== origin && session.isOpen) session.runtime.feed.summary();
    }
  }

  /** A failed backup loses no job: the database has all of them, and is closed properly. */
  async #closeDatabase(): Promise<void> {
    const { database, logger } = this.#shared;
    try {
      await database.close();
    } catch (error) {
      logger?.warn({ error: String(error) }, 'The queue was closed without a new backup of it.');
    }
  }
}

/** @param closed the reason of its abort tells whether the folder was lost */
function throwIfLost({ reason }: AbortSignal): void {
  if (reason instanceof FolderLostError) throw reason;
}

function originOf({ service }: ServiceSetup): string {
  return new URL(service.baseUrl).origin;
}
