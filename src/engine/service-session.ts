/**
 * Keeps one service connected and its session open: the only place that connects, opens, replaces
 * and retries. `want` says what is wanted, and one loop makes it so.
 */
import { serviceIdOf } from '../contract/service-id.ts';
import type { PausedPart } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import {
  DiskFullError,
  EngineError,
  FolderUnusableError,
  NotPossibleNowError,
} from './engine-error.ts';
import type {
  OtherSessions,
  Service,
  ServiceLink,
  ServiceSetup,
  SharedContext,
} from './engine-options.ts';
import { EngineRuntime } from './engine-runtime.ts';
import { ApiKey } from './flow/api-key.ts';
import { rememberPause, type StartUp } from './flow/flow-control.ts';
import { errorOfOpening } from './jobs/transactions.ts';
import { KeyNotes } from './keys/key-notes.ts';

/** Time from a failure, or the end of a connection, to the next attempt, in milliseconds. */
export const RETRY_MS = 10_000;

/** How long a service may take to connect before its rows are shown offline, in milliseconds. */
export const OFFLINE_AFTER_MS = 10_000;

type State =
  /** @property error why no session is open so far */
  | { readonly kind: 'connecting'; readonly error: unknown }
  | { readonly kind: 'open' }
  /** Calls that arrive wait for `ended`. */
  | { readonly kind: 'replacing'; readonly ended: PromiseWithResolvers<undefined> }
  /** The previous session may be open. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly retryAt: number };

interface Opened {
  /** The `Service.connection` that it was opened for. */
  readonly connection: string;
  readonly setup: ServiceSetup;
  readonly runtime: EngineRuntime;
  readonly closing: AsyncDisposableStack;
}

export interface SessionHooks extends OtherSessions {
  /** A session was opened. */
  opened(): void;
}

export class ServiceSession {
  readonly id: string;
  readonly #shared: SharedContext;
  readonly #hooks: SessionHooks;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #wanted: Service;
  #state: State = { kind: 'connecting', error: notNow() };
  #attempt: Attempt;
  #link: ServiceLink | null = null;
  /** The latest call of `connect`, which may have been aborted. */
  #connecting: Promise<unknown> = Promise.resolve();
  /** `Service.connection` of the link. */
  #connection = '';
  #opened: Opened | null = null;
  #wasOpened = false;
  /** Whether the session that is opened next starts paused. */
  #startUp: StartUp;
  #runningCalls = 0;
  #onIdle: () => void = () => undefined;
  #changed = new AbortController();
  /** The reason for the last failure that was logged; `null` since it has worked. */
  #logged: string | null = null;

  /** @param after resolves when an earlier session of the service is closed */
  constructor(
    shared: SharedContext,
    wanted: Service,
    hooks: SessionHooks,
    after: Promise<unknown> = Promise.resolve(),
  ) {
    this.id = wanted.id;
    this.#shared = shared;
    this.#wanted = wanted;
    this.#startUp = wanted.startUp ?? 'as-last-time';
    this.#hooks = hooks;
    this.#attempt = new Attempt(this.#stop.signal);
    this.#ended = after.then(() => this.#run());
  }

  /** @throws why no session is open, as long as none is */
  get runtime(): EngineRuntime {
    if (this.#opened) return this.#opened.runtime;
    throw this.#failure;
  }

  get isOpen(): boolean {
    return this.#opened !== null;
  }

  /** Whether it was opened at all: it is open, or being retried. */
  get wasOpened(): boolean {
    return this.#wasOpened;
  }

  /** The connection, while there is one. */
  get link(): ServiceLink | null {
    return this.#link;
  }

  /** Then no session is opened any more. */
  get isEngineClosed(): boolean {
    return this.#shared.closed.aborted;
  }

  /** Aborted when another session replaces it, and when it is closed. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** Resolves when the session has been replaced; `null` if it is not being replaced. */
  get replaced(): Promise<unknown> | null {
    return this.#state.kind === 'replacing' ? this.#state.ended.promise : null;
  }

  /** Runs a call, during which the session is not replaced. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.#runningCalls += 1;
    try {
      return await call();
    } finally {
      this.#runningCalls -= 1;
      if (this.#runningCalls === 0) this.#onIdle();
    }
  }

  /**
   * The session becomes one with this service's connection, profile and plan, now or when that is
   * possible.
   */
  want(service: Service): void {
    const before = this.#wanted;
    this.#wanted = service;
    const isOther =
      service.connection !== before.connection || !isSame(service.profile, before.profile);
    if (isOther) this.#supersede();
    else if (!isSame(service.plan, before.plan)) this.applySettings();
  }

  /**
   * Resolves when the session is open as it is wanted. After a failure, it is tried again at once.
   * @throws the error that prevents it. It is tried again later.
   */
  async whenOpen(): Promise<void> {
    if (this.#state.kind === 'failed') this.#supersede();
    await this.#attempt.promise;
  }

  /** The settings or the plan changed: for the open session, and the next one. */
  applySettings(): void {
    if (this.#opened === null) return;
    const { setup, runtime } = this.#opened;
    const plan = this.#wanted.plan ?? this.#link?.plan ?? setup.plan;
    this.#opened = { ...this.#opened, setup: { ...setup, plan } };
    runtime.applySettings(plan);
  }

  /**
   * Pauses the open session; without one, the next from its start, also after a restart of Spool.
   */
  async pause(what: PausedPart): Promise<void> {
    if (this.#opened) await this.#opened.runtime.commands.queue.pause({ origin: this.id, what });
    else this.#rememberPause(what);
  }

  /** Resumes the open session; without one, the next from its start. */
  async resume(): Promise<void> {
    if (this.#opened) await this.#opened.runtime.commands.queue.resume({ origin: this.id });
    else this.#rememberPause(null);
  }

  #rememberPause(what: PausedPart | null): void {
    this.#startUp = what === null ? 'run' : { pause: what };
    const { database } = this.#shared;
    database.transactions.write(() => rememberPause(database.notesOf(this.id), what));
  }

  /**
   * Stops at a safe point, then ends the connection. No call may be running.
   * @param reason why it is not open afterwards
   */
  async close(reason: unknown): Promise<void> {
    this.#stop.abort(reason);
    await this.#ended;
    try {
      await this.#opened?.closing.disposeAsync();
    } finally {
      this.#announce();
      await this.#disconnect();
    }
  }

  async #run(): Promise<void> {
    const { signal: stopped } = this.#stop;
    while (!stopped.aborted) {
      const attempt = this.#attempt;
      const { signal } = attempt;
      this.#enter({ kind: 'connecting', error: this.#failure });
      try {
        const { ended } = await this.#makeAsWanted(signal);
        this.#enter({ kind: 'open' });
        this.#logged = null;
        attempt.resolve();
        await unlessAborted(ended, signal).catch(() => undefined);
        if (signal.aborted) continue;
        this.#link = null;
        this.#fail(notNow());
      } catch (error) {
        if (signal.aborted) continue;
        this.#log(error);
        const isShown = await this.#showOffline(error);
        this.#fail(error);
        if (isShown) attempt.resolve();
        else attempt.reject(error);
      }
      // A call of `whenOpen` ends the pause.
      this.#supersede();
      await this.#shared.clock.sleep(RETRY_MS, this.#attempt.signal).catch(() => undefined);
    }
    this.#enter({ kind: 'failed', error: stopped.reason, retryAt: Infinity });
    this.#attempt.reject(stopped.reason);
  }

  get #failure(): unknown {
    return 'error' in this.#state ? this.#state.error : notNow();
  }

  async #makeAsWanted(signal: AbortSignal): Promise<ServiceLink> {
    const wanted = this.#wanted;
    if (this.#connection !== wanted.connection) await this.#disconnect();
    const link = (this.#link ??= await this.#connect(wanted, signal));
    this.#connection = wanted.connection;
    const setup = (): ServiceSetup => setupOf(this.#wanted, link);
    if (this.#opened === null) await this.#open(setup, signal);
    else if (!isSame(this.#opened.setup.service, setup().service)) {
      await this.#replace(setup, signal);
    } else if (!isSame(this.#opened.setup.plan, setup().plan)) this.applySettings();
    return link;
  }

  async #connect(wanted: Service, signal: AbortSignal): Promise<ServiceLink> {
    const connecting = wanted.connect(signal).then((link) => this.#checked(link, signal));
    this.#connecting = connecting;
    const connected = unlessAborted(connecting, signal);
    if (!wanted.offline || this.#opened) return connected;
    const timer = new AbortController();
    const late = this.#shared.clock.sleep(OFFLINE_AFTER_MS, timer.signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    try {
      const first = await Promise.race([connected, late]);
      if (first !== 'late') return first;
    } finally {
      timer.abort();
    }
    const message = userMessage('service-still-starting');
    const reason = new EngineError({ code: 'service-unreachable', ...message });
    if ((await this.#showOffline(reason)) && !signal.aborted) this.#attempt.resolve();
    return connected;
  }

  /** @throws when it is not needed any more, or leads to another service */
  async #checked(link: ServiceLink, signal: AbortSignal): Promise<ServiceLink> {
    if (!signal.aborted && serviceIdOf(link.service.baseUrl) === this.id) return link;
    await link.close();
    signal.throwIfAborted();
    throw new Error(`The connection to ${this.id} leads to another service.`);
  }

  /** A service's process has ended afterwards. */
  async #disconnect(): Promise<void> {
    await this.#connecting.catch(() => undefined);
    const link = this.#link;
    this.#link = null;
    await link?.close();
  }

  /** @param setup read when the key was looked up, which may take long */
  async #open(
    setup: () => ServiceSetup,
    signal: AbortSignal,
    { connection }: Pick<Service, 'connection'> = this.#wanted,
  ): Promise<void> {
    const key = await this.#lookUpKey(setup(), signal);
    const opened = setup();
    const closing = new AsyncDisposableStack();
    try {
      const options = { ...opened, key, others: this.#hooks };
      const runtime = new EngineRuntime(this.#shared, options, closing);
      runtime.start(this.#startUp);
      this.#opened = { connection, setup: opened, runtime, closing };
    } catch (error) {
      await closing.disposeAsync();
      throw errorOfOpening(this.#shared.dataDir, error);
    }
    this.#startUp = 'as-last-time';
    this.#wasOpened = true;
    this.#hooks.opened();
    this.#announce();
  }

  /**
   * Replaces the session when no call is running. If that fails, the previous one is opened again.
   * @throws the error that prevents it
   */
  async #replace(setup: () => ServiceSetup, signal: AbortSignal): Promise<void> {
    this.#enter({ kind: 'replacing', ended: Promise.withResolvers() });
    if (this.#runningCalls > 0) {
      const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
      await unlessAborted(idle, signal);
    }
    const previous = this.#opened;
    await this.#closeRuntime();
    try {
      await this.#open(setup, signal);
    } catch (error) {
      if (previous) {
        const { signal: stopped } = this.#stop;
        await this.#open(() => previous.setup, stopped, previous).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Everything is closed afterwards, even if something fails, so that the queue can be opened. */
  async #closeRuntime(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    try {
      await opened?.closing.disposeAsync();
    } catch (error) {
      this.#shared.logger?.warn({ error: String(error) }, 'A session did not close as it should.');
    }
  }

  /**
   * Opens a session that shows the rows of a service that cannot be connected, and makes no request.
   * A session that was opened for this connection stays: it may only be interrupted.
   * @returns whether a session is open that may stay
   */
  async #showOffline(reason: unknown): Promise<boolean> {
    const { signal } = this.#stop;
    const { offline, connection } = this.#wanted;
    const isOfQueue = reason instanceof DiskFullError || reason instanceof FolderUnusableError;
    const setup = isOfQueue ? null : (offline?.(reason) ?? null);
    if (setup === null) return false;
    if (this.#opened?.connection === connection) return true;
    try {
      if (this.#opened) await this.#replace(() => setup, signal);
      else await this.#open(() => setup, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) this.#log(error);
      return false;
    }
  }

  /**
   * If the look-up fails for a session that makes no request, it still opens: nothing needs the key.
   * @throws when `signal` is aborted: a keychain may wait for the user's password
   */
  async #lookUpKey({ service }: ServiceSetup, signal: AbortSignal): Promise<ApiKey> {
    const { keys, dataDir } = this.#shared;
    const notes = new KeyNotes(dataDir);
    try {
      signal.throwIfAborted();
      return await unlessAborted(ApiKey.open(keys, notes, this.id), signal);
    } catch (error) {
      if (!service.unavailable || signal.aborted) throw error;
      return ApiKey.unread(keys, notes, this.id);
    }
  }

  /** What is wanted or due differs from the present attempt: those who wait, wait for the next. */
  #supersede(): void {
    const before = this.#attempt;
    this.#attempt = new Attempt(this.#stop.signal);
    before.supersede(this.#attempt);
  }

  #fail(error: unknown): void {
    this.#enter({ kind: 'failed', error, retryAt: this.#shared.clock.now() + RETRY_MS });
  }

  #enter(state: State): void {
    const before = this.#state;
    this.#state = state;
    if (before.kind === 'replacing') before.ended.resolve(undefined);
  }

  /** Logs each reason once, not at each retry: a profile stays unusable until it is corrected. */
  #log(error: unknown): void {
    const reason = String(error);
    if (reason === this.#logged) return;
    this.#logged = reason;
    const fields = { err: error, service: this.id };
    this.#shared.logger?.warn(fields, 'A service could not be started.');
  }

  #announce(): void {
    const before = this.#changed;
    this.#changed = new AbortController();
    before.abort();
  }
}

/** One attempt to make a session as it is wanted. */
class Attempt {
  /** Settles like the last of the attempts that supersede each other. */
  readonly promise: Promise<void>;
  /** Aborted when it is superseded, and when the session is closed. */
  readonly signal: AbortSignal;
  readonly resolve: (result?: Promise<void>) => void;
  readonly reject: (error: unknown) => void;
  readonly #superseded = new AbortController();

  constructor(stop: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    // There may be no caller that waits.
    promise.catch(() => undefined);
    this.promise = promise;
    this.resolve = (result) => resolve(result as Promise<undefined> | undefined);
    this.reject = reject;
    this.signal = AbortSignal.any([stop, this.#superseded.signal]);
  }

  supersede(next: Attempt): void {
    this.resolve(next.promise);
    this.#superseded.abort(new Error('Something else is wanted.'));
  }
}

function notNow(): EngineError {
  return new NotPossibleNowError(userMessage('service-replaced'));
}

function setupOf({ profile, plan }: Service, link: ServiceLink): ServiceSetup {
  const { service } = link;
  return { service: { ...service, ...(profile ? { profile } : {}) }, plan: plan ?? link.plan };
}

/** Compared as JSON, in which a property that is undefined equals one that is left out. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @throws the signal's reason when it is aborted first */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  // The outcome may not be needed any more.
  work.catch(() => undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
