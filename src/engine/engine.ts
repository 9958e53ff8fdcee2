import { engineContract } from '../contract/contract.ts';
import type { Summary, Update } from '../contract/summary.ts';
import { callsOf, type Calls, type Commands } from './commands/handlers.ts';
import { CurrentSession } from './current-session.ts';
import { EngineError, FolderUnusableError } from './engine-error.ts';
import type { EngineOptions, RuntimeSettings } from './engine-options.ts';
import { InstanceLock } from './jobs/instance-lock.ts';
import { makeFolder } from './files/make-folder.ts';
import { openSession } from './open-session.ts';
import { createExternalServices, type CreateExternalServices } from './external-services.ts';
import { closeToOthers } from './files/private-folder.ts';

export type {
  EngineOptions,
  RuntimeSettings,
  PlanOptions,
  ServiceOptions,
} from './engine-options.ts';
export type { Logger } from './logger.ts';

/**
 * Takes the data folder's lock, sets right what a crash left, and starts working the queue.
 * @throws {EngineError} `in-use`, `store-newer` or `folder-unusable`
 */
export async function openEngine(
  options: EngineOptions,
  connectTo: CreateExternalServices = createExternalServices,
): Promise<Engine> {
  // A lock that the host holds is the host's to release.
  const lock = options.lock ?? (await takeFolder(options.dataDir));
  const release = options.lock ? () => undefined : () => lock.release();
  try {
    const held = { ...options, lock };
    const session = new CurrentSession(await openSession(held, connectTo), held, connectTo);
    return new Engine(session, release);
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

/** The batch engine: opens, reopens and closes the session of one service. */
export class Engine {
  /**
   * Whatever people and programs may ask of the service in use. While the queue cannot be opened,
   * each call rejects with the reason.
   */
  readonly commands: Calls<Commands>;
  readonly #session: CurrentSession;
  readonly #releaseFolder: () => void;
  #isClosed = false;

  /** Use `openEngine`. */
  constructor(session: CurrentSession, releaseFolder: () => void) {
    this.#session = session;
    this.commands = callsOf(engineContract, () => session.runtime.commands);
    this.#releaseFolder = releaseFolder;
  }

  /**
   * Goes on with another service, or with the same one known by other means. Jobs belong to the
   * origin that they were added for: those of the service before stay where they are, a request on
   * its way gets its answer first, and they go on when the engine comes back to that service.
   *
   * No other call may be under way but `watch`, whose watchers list rows again.
   * @throws {EngineError} when that failed. The engine then continues with the previous service, at
   *   once or as soon as the queue can be opened. Until then every other call rejects with the reason.
   */
  reopen(change: Pick<EngineOptions, 'service' | 'plan'>): Promise<void> {
    return this.#session.replace(change);
  }

  /** Applies at once, to transfers under way as well, and until the engine closes. */
  applySettings(change: Partial<RuntimeSettings>): void {
    this.#session.applySettings(change);
  }

  /** Ends when `signal` is aborted or the engine is closed. */
  async *watch(since: number | undefined, signal: AbortSignal): AsyncGenerator<Update, void> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (let from = since; ; from = undefined) {
      const { changed, isOpen } = this.#session;
      if (isOpen) yield* this.#session.runtime.view.updates(from, signal);
      if (signal.aborted || this.#isClosed) return;
      await Promise.race([changed, aborted]);
    }
  }

  /** What `watch` begins with, for a caller that needs it once. */
  summary(): Summary {
    return this.#session.runtime.view.summary();
  }

  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#session.close();
    } finally {
      this.#releaseFolder();
    }
  }
}
