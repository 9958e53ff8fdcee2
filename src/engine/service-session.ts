import type { RuntimeSettings, ServiceSetup } from './engine-options.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import {
  openSession,
  type LockedOptions,
  type Session,
  type SessionSurroundings,
} from './open-session.ts';

/** Time between two attempts to open a session after it could not be replaced. */
const RETRY_MS = 5000;

/**
 * The session of one service. It is replaced when the service is known by other means: another
 * profile or certificate. While none can be opened (a full disk), `runtime` throws the reason, and
 * the previous session is tried again until it opens.
 */
export class ServiceSession {
  readonly origin: string;
  readonly #surroundings: SessionSurroundings;
  readonly #onChange: (session: ServiceSession) => void;
  #options: LockedOptions;
  #session: Session | null;
  #failure: unknown = null;
  #changed = new AbortController();
  #retrying = new AbortController();
  #retried: Promise<void> = Promise.resolve();

  private constructor(
    session: Session,
    options: LockedOptions,
    surroundings: SessionSurroundings,
    onChange: (session: ServiceSession) => void,
  ) {
    this.origin = new URL(options.service.baseUrl).origin;
    this.#session = session;
    this.#options = options;
    this.#surroundings = surroundings;
    this.#onChange = onChange;
  }

  /** @param onChange called when another session is opened, and when this one is closed for good */
  static async open(
    options: LockedOptions,
    surroundings: SessionSurroundings,
    onChange: (session: ServiceSession) => void,
  ): Promise<ServiceSession> {
    const session = await openSession(options, surroundings);
    return new ServiceSession(session, options, surroundings, onChange);
  }

  /** @throws {EngineError} why nothing is open, as long as nothing is */
  get runtime(): EngineRuntime {
    if (this.#session === null) throw this.#failure;
    return this.#session.runtime;
  }

  get isOpen(): boolean {
    return this.#session !== null;
  }

  /** Aborted when another session is opened in its place, and when it is closed for good. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** What it was opened with. */
  get setup(): ServiceSetup {
    return this.#options;
  }

  /** Changes the open session, and what the next one is opened with. */
  applySettings(change: Partial<RuntimeSettings>): void {
    this.#options = { ...this.#options, ...change };
    this.#session?.runtime.applySettings(this.#options);
  }

  /**
   * Closes the session and opens another one. If that fails, the previous one is opened again.
   * @throws what kept the other one from being opened
   */
  async replace(setup: ServiceSetup): Promise<void> {
    const next: LockedOptions = { ...this.#options, ...setup, startUp: 'as-last-time' };
    await this.#stopRetrying();
    await this.#closeSession();
    try {
      this.#session = await openSession(next, this.#surroundings);
      this.#options = next;
    } catch (error) {
      await this.#openAgain();
      throw error;
    } finally {
      this.#announce();
    }
  }

  /** No other call may be under way. */
  async close(): Promise<void> {
    await this.#stopRetrying();
    try {
      await this.#session?.close();
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
        this.#surroundings,
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
    const before = this.#changed;
    this.#changed = new AbortController();
    before.abort();
    this.#onChange(this);
  }
}
