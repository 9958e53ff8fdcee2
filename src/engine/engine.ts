/** The batch engine: the registry of the services that it runs, each in a session. */
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
import type {
  CommonOptions,
  CreateExternalServices,
  Service,
  ServiceLink,
  SharedContext,
  SharedSettings,
} from './engine-options.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { EngineView } from './engine-view.ts';
import { createExternalServices } from './external-services.ts';
import { makeFolder } from './files/make-folder.ts';
import { assertOrdinary, closeToOthers } from './files/private-folder.ts';
import { assertReadableVersion } from './jobs/database.ts';
import { InstanceLock } from './jobs/instance-lock.ts';
import { QueueDatabase } from './jobs/queue-database.ts';
import { BatchReadings } from './intake/batch-readings.ts';
import { Serial } from './serial.ts';
import { ServiceSession } from './service-session.ts';
import { ServiceList, type KnownService } from './view/service-list.ts';

/**
 * An engine without a service; `want` says which ones it runs.
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
      readings: options.readings ?? new BatchReadings(),
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
 * Processes the jobs of several services at the same time, each in a session with its own key,
 * limits, quota, outages and loops.
 */
export class Engine {
  readonly #shared: SharedContext;
  readonly #closing: AbortController;
  readonly #releaseFolder: () => void;
  readonly #sessions = new Map<string, ServiceSession>();
  /** Resolve when the session of a service that is not wanted any more is closed. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #services: ServiceList;
  #stopped: Promise<PromiseSettledResult<void>[]> | null = null;
  #closed: Promise<void> | null = null;

  /** Use `createEngine`. */
  constructor(shared: SharedContext, closing: AbortController, releaseFolder: () => void) {
    this.#shared = shared;
    this.#services = new ServiceList(shared.database);
    this.#closing = closing;
    this.#releaseFolder = releaseFolder;
    const { lost } = shared.lock;
    const stop = (): void => void this.#stop(lost.reason);
    lost.addEventListener('abort', stop, { once: true, signal: closing.signal });
  }

  /**
   * Sets which services run, and how: opens, replaces and closes sessions, concurrently, so that one
   * that does not connect delays no other. What fails is tried again (`ServiceSession`).
   *
   * A session is closed and replaced at a safe point, and replaced when no call to it is running;
   * calls that arrive meanwhile wait.
   * @param services all of them, by their `id`
   */
  want(services: readonly Service[]): void {
    if (this.#shared.closed.aborted) return;
    const ids = new Set(services.map(({ id }) => id));
    for (const session of [...this.#sessions.values()]) {
      if (!ids.has(session.id)) this.#leave(session);
    }
    for (const service of services) {
      const session = this.#sessions.get(service.id);
      if (session) session.want(service);
      else this.#sessions.set(service.id, this.#sessionFor(service));
    }
  }

  /**
   * Resolves when the session of a service is open as it is wanted.
   * @throws {EngineError} the reason that prevents it. It is tried again until it is not wanted any
   *   more; meanwhile the previous session is open if that is possible, and otherwise calls reject
   *   with the reason.
   */
  async whenOpen(id: string): Promise<void> {
    this.#shared.closed.throwIfAborted();
    const session = this.#sessions.get(id);
    if (!session) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    await session.whenOpen();
  }

  /** The connection to a service, while there is one. */
  linkOf(id: string): ServiceLink | null {
    return this.#sessions.get(id)?.link ?? null;
  }

  /**
   * A view of one service.
   * @param id looked up at each call
   * @param changed aborted when `id` changes
   */
  view(id: () => string, changed?: () => AbortSignal): EngineView {
    const session = (): ServiceSession => this.#sessionOf(id());
    return new EngineView({ session, commands: (of) => this.#commandsOf(of), changed });
  }

  /** Watchers of one service continue with another: they list rows again. */
  continueFeed(from: string, to: string): void {
    const [before, after] = [this.#sessions.get(from), this.#sessions.get(to)];
    if (before?.isOpen && after?.isOpen) after.runtime.feed.continueAfter(before.runtime.feed.seq);
  }

  /** All services that have jobs, a session or are set up, by name. */
  services(): OtherServiceStatus[] {
    return this.#services.all(this.#runtimes().map(({ status }) => status));
  }

  /** Sets the services that are listed although they have no jobs. */
  setKnownServices(known: readonly KnownService[]): void {
    if (this.#services.setKnown(known)) this.#changed();
  }

  /**
   * Forgets a service that is not wanted any more, once its session is closed: its unsent videos are
   * cancelled, and all are archived or removed. It is listed again when it is wanted again.
   * @throws {NotPossibleNowError} while it has other open videos; nothing is changed then
   */
  async forget(id: string, rows: 'archive' | 'remove'): Promise<void> {
    await this.#leaving.get(id);
    this.#shared.database.forget(id, rows, this.#shared.clock.now());
    this.#changed();
  }

  /** Pauses every service that is wanted, also one whose session is not open yet. */
  async pauseAll(what: PausedPart): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.pause(what)));
  }

  async resumeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.resume()));
  }

  /** Applies at once, also to running transfers, and until the engine closes. */
  applySettings(change: Partial<SharedSettings>): void {
    this.#shared.settings = { ...this.#shared.settings, ...change };
    if (change.transferLimits) this.#shared.throttle.limits = change.transferLimits;
    for (const session of this.#sessions.values()) session.applySettings();
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
    if (this.#stopped) return this.#stopped;
    this.#closing.abort(reason);
    const sessions = [...this.#sessions.values()].map((session) => session.close(reason));
    this.#stopped = Promise.allSettled([...sessions, ...this.#leaving.values()]);
    return this.#stopped;
  }

  /** @throws {NotPossibleNowError} when that service has no session */
  #sessionOf(id: string): ServiceSession {
    throwIfLost(this.#shared.closed);
    const session = this.#sessions.get(id);
    if (!session?.wasOpened) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
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

  #sessionFor(service: Service): ServiceSession {
    const { id } = service;
    const hooks = {
      list: () => this.services().filter(({ origin }) => origin !== id),
      changed: () => this.#changed(id),
      opened: () => this.#changed(),
    };
    return new ServiceSession(this.#shared, service, hooks, this.#leaving.get(id));
  }

  /** Closes the session of a service that is not wanted any more. */
  #leave(session: ServiceSession): void {
    const { id } = session;
    this.#sessions.delete(id);
    const closed = session
      .close(new NotPossibleNowError(userMessage('service-not-in-queue')))
      .catch((error: unknown) => {
        this.#shared.logger?.warn(
          { error: String(error) },
          'A session did not close as it should.',
        );
      })
      .then(() => {
        if (this.#leaving.get(id) === closed) this.#leaving.delete(id);
        this.#changed();
      });
    this.#leaving.set(id, closed);
  }

  #runtimes(): EngineRuntime[] {
    const open = [...this.#sessions.values()].filter(({ isOpen }) => isOpen);
    return open.map(({ runtime }) => runtime);
  }

  /** @param id of the session that changed; left out when several have */
  #changed(id: string | null = null): void {
    if (id === null) this.#services.sessionsChanged();
    for (const session of this.#sessions.values()) {
      if (session.id !== id && session.isOpen) session.runtime.feed.summary();
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
