import type { EngineOptions, RuntimeSettings } from './engine-options.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { openSession, type LockedOptions, type Session } from './open-session.ts';
import type { CreateExternalServices } from './external-services.ts';

/** Time between two attempts to open the queue after neither service could be opened. */
const RETRY_MS = 5000;

/**
 * The one session that the engine has open, for one service. A change of the service replaces it.
 * While none can be opened (a full disk, a missing folder), `runtime` throws the reason, and the
 * previous session is tried again until it opens.
 */
export class CurrentSession {
  readonly #connectTo: CreateExternalServices;
  #options: LockedOptions;
  #session: Session | null;
  #failure: unknown = null;
  #retrying = new AbortController();
  #retried: Promise<void> = Promise.resolve();
  #replaced: Promise<void> = Promise.resolve();
  #changed = Promise.withResolvers<undefined>();

  constructor(session: Session, options: LockedOptions, connectTo: CreateExternalServices) {
    this.#session = session;
    this.#options = options;
    this.#connectTo = connectTo;
  }

  /** @throws {EngineError} why nothing is open, as long as nothing is */
  get runtime(): EngineRuntime {
    if (this.#session === null) throw this.#failure;
    return this.#session.runtime;
  }

  get isOpen(): boolean {
    return this.#session !== null;
  }

  /** Resolves when another session is opened, and when this one is closed for good. */
  get changed(): Promise<undefined> {
    return this.#changed.promise;
  }

  /** Changes the open session, and what the next one is opened with. */
  applySettings(change: Partial<RuntimeSettings>): void {
    this.#options = { ...this.#options, ...change };
    this.runtime.applySettings(this.#options);
  }

  /**
   * Closes the session and opens another one. If that fails, the previous one is opened again.
   * @throws what kept the other one from being opened
   */
  replace(change: Partial<EngineOptions>): Promise<void> {
    const replaced = this.#replace({ ...this.#options, ...change, startUp: 'as-last-time' });
    this.#replaced = replaced.catch(() => undefined);
    return replaced;
  }

  async close(): Promise<void> {
    await this.#replaced;
    await this.#stopRetrying();
    try {
      await this.#session?.close();
    } finally {
      this.#announce();
    }
  }

  async #replace(next: LockedOptions): Promise<void> {
    await this.#stopRetrying();
    await this.#closeSession();
    try {
      this.#session = await openSession(next, this.#connectTo);
      this.#options = next;
    } catch (error) {
      await this.#openAgain();
      throw error;
    } finally {
      this.#announce();
    }
  }

  /** Everything is closed afterwards, also when something fails, so that the queue can be opened. */
  async #closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    try {
      await session?.close();
    } catch (error) {
      this.#options.logger?.warn({ error: String(error) }, 'A session did not close as it should.');
    }
  }

  /** Opens the previous session. If that fails as well, tries again in the background. */
  async #openAgain(): Promise<void> {
    if (await this.#tryToOpen()) return;
    this.#retrying = new AbortController();
    this.#retried = this.#retry(this.#retrying.signal);
  }

  async #retry(stop: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await clock.sleep(RETRY_MS, stop).catch(() => undefined);
      if (stop.aborted) return;
      if (!(await this.#tryToOpen())) continue;
      this.#announce();
      return;
    }
  }

  async #tryToOpen(): Promise<boolean> {
    try {
      this.#session = await openSession(
        { ...this.#options, startUp: 'as-last-time' },
        this.#connectTo,
      );
      this.#failure = null;
      return true;
    } catch (error) {
      this.#failure = error;
      return false;
    }
  }

  async #stopRetrying(): Promise<void> {
    this.#retrying.abort();
    await this.#retried;
  }

  #announce(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }
}
