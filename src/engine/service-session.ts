import type { PausedPart } from '../contract/summary.ts';
import { Serial } from './serial.ts';
import type { ServiceSetup } from './engine-options.ts';
import { EngineRuntime } from './engine-runtime.ts';
import { ApiKey } from './flow/api-key.ts';
import { rememberPause, type StartUp } from './flow/flow-control.ts';
import { errorOfOpening } from './jobs/transactions.ts';
import { KeyNotes } from './keys/key-notes.ts';
import type { OtherSessions, SharedContext } from './shared-context.ts';

/** Time between two attempts to open a session after it could not be replaced. */
const RETRY_MS = 5000;

/**
 * The session of one service. It is replaced when the profile or certificate of the service
 * changes. While none can be opened (a full disk), `runtime` throws the reason, and the previous
 * session is retried until it opens.
 */
export class ServiceSession {
  readonly origin: string;
  /**
   * Rejects with the error that keeps the first session from being opened; this one is useless
   * then.
   */
  readonly opened: Promise<void>;
  readonly #shared: SharedContext;
  readonly #others: OtherSessions;
  /** Serialises what opens, replaces and closes the session. */
  readonly #changes = new Serial();
  #setup: ServiceSetup;
  #runtime: EngineRuntime | null = null;
  #isActive = false;
  #closing = new AsyncDisposableStack();
  #failure: unknown = new Error('The session is being opened.');
  /** Whether the session that is opened next starts paused. */
  #startUp: StartUp;
  #changed = new AbortController();
  #retrying = new AbortController();
  #retried: Promise<void> = Promise.resolve();

  constructor(
    shared: SharedContext,
    { service, plan }: ServiceSetup,
    startUp: StartUp,
    others: OtherSessions,
  ) {
    this.origin = new URL(service.baseUrl).origin;
    this.#shared = shared;
    this.#setup = { service, plan };
    this.#startUp = startUp;
    this.#others = others;
    this.opened = this.#changes.run(() => this.#open());
  }

  /** @throws {EngineError} why no session is open, as long as none is */
  get runtime(): EngineRuntime {
    if (this.#runtime === null) throw this.#failure;
    return this.#runtime;
  }

  get isOpen(): boolean {
    return this.#runtime !== null;
  }

  /** Whether it was opened at all: it is open, or being retried. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** Then no session is opened any more. */
  get isEngineClosed(): boolean {
    return this.#shared.closed.aborted;
  }

  /** Aborted when another session replaces it, and when it is closed. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** The settings changed, or the plan: for the open session, and the next one. */
  applySettings(plan = this.#setup.plan): void {
    this.#setup = { ...this.#setup, plan };
    this.#runtime?.applySettings(plan);
  }

  /**
   * Pauses the open session; without one, the next from its start, also after a restart of Spool.
   */
  async pause(what: PausedPart): Promise<void> {
    if (this.#runtime) await this.#runtime.commands.queue.pause({ origin: this.origin, what });
    else this.#rememberPause(what);
  }

  /** Resumes the open session; without one, the next from its start. */
  async resume(): Promise<void> {
    if (this.#runtime) await this.#runtime.commands.queue.resume({ origin: this.origin });
    else this.#rememberPause(null);
  }

  #rememberPause(what: PausedPart | null): void {
    this.#startUp = what === null ? 'run' : { pause: what };
    const { database } = this.#shared;
    database.transactions.write(() => rememberPause(database.notesOf(this.origin), what));
  }

  /** Uses these settings; replaces the session if it was opened with others. */
  adapt({ service, plan }: ServiceSetup): Promise<void> {
    return this.#changes.run(async () => {
      this.#shared.closed.throwIfAborted();
      const before = this.#setup;
      if (!isSame(before.service, service)) await this.#replace({ service, plan });
      else if (!isSame(before.plan, plan)) this.applySettings(plan);
    });
  }

  /** Whether `adapt` would change nothing. */
  hasSetup({ service, plan }: ServiceSetup): boolean {
    return isSame(this.#setup.service, service) && isSame(this.#setup.plan, plan);
  }

  /** No other call may be running. */
  close(): Promise<void> {
    return this.#changes.run(async () => {
      await this.#stopRetrying();
      try {
        await this.#closing.disposeAsync();
      } finally {
        this.#announce();
      }
    });
  }

  /**
   * Closes the session and opens another one. If that fails, the previous one is opened again.
   * @throws the error that kept the other one from being opened
   */
  async #replace(setup: ServiceSetup): Promise<void> {
    await this.#stopRetrying();
    await this.#closeSession();
    try {
      await this.#open(setup);
    } catch (error) {
      await this.#openAgain();
      throw error;
    } finally {
      this.#announce();
    }
  }

  /** @param setup of a changed session */
  async #open(setup?: ServiceSetup): Promise<void> {
    const key = await this.#lookUpKey();
    const others = this.#others;
    // Read now: the look-up may have taken long.
    const opened = setup ?? this.#setup;
    const closing = new AsyncDisposableStack();
    try {
      const runtime = new EngineRuntime(this.#shared, { ...opened, key, others }, closing);
      runtime.start(this.#startUp);
      this.#runtime = runtime;
    } catch (error) {
      await closing.disposeAsync();
      throw errorOfOpening(this.#shared.dataDir, error);
    }
    this.#closing = closing;
    this.#setup = opened;
    this.#startUp = 'as-last-time';
    this.#failure = null;
    this.#isActive = true;
  }

  /**
   * If the look-up fails for an unavailable service, its session still opens: no request needs the
   * key.
   * @throws when the engine is closed meanwhile: a keychain may wait for the user's password
   */
  async #lookUpKey(): Promise<ApiKey> {
    const { keys, dataDir, closed } = this.#shared;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(closed.reason as Error);
    closed.throwIfAborted();
    closed.addEventListener('abort', abort, { once: true });
    const notes = new KeyNotes(dataDir);
    try {
      const key = ApiKey.open(keys, notes, this.origin);
      return await Promise.race([key, aborted.promise]);
    } catch (error) {
      if (!this.#setup.service.unavailable || closed.aborted) throw error;
      return ApiKey.unread(keys, notes, this.origin);
    } finally {
      closed.removeEventListener('abort', abort);
    }
  }

  /** Everything is closed afterwards, even if something fails, so that the queue can be opened. */
  async #closeSession(): Promise<void> {
    this.#runtime = null;
    try {
      await this.#closing.disposeAsync();
    } catch (error) {
      this.#shared.logger?.warn({ error: String(error) }, 'A session did not close as it should.');
    }
  }

  /** Opens the previous session. If that fails as well, retries in the background. */
  async #openAgain(): Promise<void> {
    if (await this.#tryToOpen()) return;
    this.#retrying = new AbortController();
    this.#retried = this.#retry(this.#retrying.signal);
  }

  async #retry(stop: AbortSignal): Promise<void> {
    const { clock } = this.#shared;
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
      await this.#open();
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
  }
}

/** Compared as JSON, in which a property that is undefined equals one that is left out. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
