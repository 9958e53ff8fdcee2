import type { PausedPart, Summary } from '../contract/summary.ts';
import { EngineView } from './engine-view.ts';
import { EngineError, FolderUnusableError } from './engine-error.ts';
import type {
  CommonOptions,
  EngineOptions,
  RuntimeSettings,
  ServiceSetup,
} from './engine-options.ts';
import { InstanceLock } from './jobs/instance-lock.ts';
import { makeFolder } from './files/make-folder.ts';
import { QueueDatabase } from './jobs/queue-database.ts';
import { createExternalServices, type CreateExternalServices } from './external-services.ts';
import { closeToOthers } from './files/private-folder.ts';
import type { StartUp } from './flow/flow-control.ts';
import type { ServiceSession } from './service-session.ts';
import { Sessions, type KnownService } from './sessions.ts';
import { createSharedResources } from './shared-resources.ts';

export type {
  EngineOptions,
  RuntimeSettings,
  ServiceOptions,
  ServiceSetup,
} from './engine-options.ts';
export type { StartUp } from './flow/flow-control.ts';
export type { PlanOptions } from './flow/quota-tracker.ts';
export type { EngineView } from './engine-view.ts';
export type { KnownService } from './sessions.ts';
export type { Logger } from './logger.ts';

/**
 * Takes the data folder's lock, sets right what a crash left, and starts working the queue.
 * @throws {EngineError} `in-use`, `store-newer` or `folder-unusable`
 */
export async function openEngine(
  options: EngineOptions,
  connectTo?: CreateExternalServices,
): Promise<Engine> {
  const engine = await createEngine(options, connectTo);
  try {
    await engine.show(options, options.startUp);
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}

/**
 * An engine that works no service yet. Until one is shown, others can be worked, and calls about the
 * one shown reject.
 * @throws {EngineError} `in-use`, `store-newer` or `folder-unusable`
 */
export async function createEngine(
  options: CommonOptions,
  connectTo: CreateExternalServices = createExternalServices,
): Promise<Engine> {
  // A lock that the host holds is the host's to release.
  const lock = options.lock ?? (await takeFolder(options.dataDir));
  const release = options.lock ? () => undefined : () => lock.release();
  try {
    const { dataDir, clock, onlyRead = false, transferLimits } = options;
    if (!onlyRead) lock.leaveMark();
    const database = await QueueDatabase.open({ folder: dataDir, now: clock.now(), onlyRead });
    const shared = createSharedResources(database, clock, transferLimits);
    return new Engine(new Sessions({ ...options, lock }, shared, connectTo), release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Makes a data folder if it is missing, closes it to other users, and takes its lock. A host calls
 * it when it has to start something before its engine and end it after.
 *
 * @throws {EngineError} `in-use` or `folder-unusable`
 */
export async function takeFolder(folder: string): Promise<InstanceLock> {
  try {
    await makeFolder(folder, 0o700);
    closeToOthers(folder);
  } catch (error) {
    throw error instanceof EngineError ? error : new FolderUnusableError(folder, error);
  }
  return InstanceLock.take(folder, process.pid);
}

/**
 * The batch engine: works the jobs of several services at the same time, each at its own limits, and
 * shows one of them. As a view, it is of the service that is shown.
 */
export class Engine extends EngineView {
  readonly #sessions: Sessions;
  readonly #releaseFolder: () => void;
  #isClosed = false;

  /** Use `openEngine`. */
  constructor(sessions: Sessions, releaseFolder: () => void) {
    super(sessions, { session: () => sessions.shown, changed: () => sessions.shownChanged });
    this.#sessions = sessions;
    this.#releaseFolder = releaseFolder;
  }

  /** A view of one service that is worked, whichever is shown. */
  at(origin: string): EngineView {
    const session = (): ServiceSession => this.#sessions.of(origin);
    return new EngineView(this.#sessions, { session, changed: () => session().changed });
  }

  /**
   * Shows another service, or the same one known by other means. Jobs belong to the origin that they
   * were added for. Those of the service before go on; one that is known by other means is closed at
   * a safe point first.
   *
   * Watchers are told to list rows again. Other calls under way keep their session. None may be under
   * way for a service that is worked, and not by these means (`isWorkedBy`): its session is replaced.
   * @throws {EngineError} when that failed. The engine then continues with the previous service, at
   *   once or as soon as its session can be opened. Until then every other call rejects with the
   *   reason.
   * @param startUp whether it starts paused, if it is not worked yet
   */
  show(setup: ServiceSetup, startUp?: StartUp): Promise<void> {
    return this.#sessions.show(setup, startUp);
  }

  /** Whether a service has a session, which is open or tried again. */
  isWorked(origin: string): boolean {
    return this.#sessions.isWorked(origin);
  }

  /**
   * Works a service beside the one that is shown. No effect for one that `isWorked`.
   * @param startUp whether it starts paused
   * @throws {EngineError} when it cannot be worked
   */
  work(setup: ServiceSetup, startUp: StartUp = 'as-last-time'): Promise<void> {
    return this.#sessions.work(setup, startUp);
  }

  /** Whether a service is worked by exactly these means, so that `adapt` has no effect. */
  isWorkedBy(setup: ServiceSetup): boolean {
    return this.#sessions.isWorkedBy(setup);
  }

  /**
   * Works a service that `isWorked` by other means than before. No other call may be under way: its
   * session is replaced.
   * @throws {EngineError} when that failed; see `show`
   */
  adapt(setup: ServiceSetup): Promise<void> {
    return this.#sessions.adapt(setup);
  }

  /** All services that have jobs, are worked or are known. */
  services(): Summary['others'] {
    return this.#sessions.list();
  }

  /** Services that summaries list although they have no jobs. */
  setKnownServices(known: readonly KnownService[]): void {
    this.#sessions.setKnown(known);
  }

  pauseAll(what: PausedPart): Promise<void> {
    return this.#sessions.pauseAll(what);
  }

  resumeAll(): Promise<void> {
    return this.#sessions.resumeAll();
  }

  /** Applies at once, to transfers under way as well, and until the engine closes. */
  applySettings(change: Partial<RuntimeSettings>): void {
    this.#sessions.applySettings(change);
  }

  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#sessions.close();
    } finally {
      this.#releaseFolder();
    }
  }
}
