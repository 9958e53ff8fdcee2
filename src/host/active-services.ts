import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import type { Engine } from '../engine/engine.ts';
import type { ServiceSetup } from '../engine/engine-options.ts';
import type { StartUp } from '../engine/flow/flow-control.ts';
import type { CallGate } from './call-gate.ts';
import { originOfLink, serviceName, type ServiceChoice, type ServiceLink } from './service-link.ts';

/** Milliseconds after a failure, or the end of its process, until a service is started again. */
const RETRY_MS = 15_000;

export interface ActiveServicesParts {
  readonly engine: Pick<Engine, 'start' | 'adapt' | 'isActive' | 'isActiveWith'>;
  /** Blocks calls to a session that is being replaced. */
  readonly gate: Pick<CallGate, 'runExclusive'>;
  readonly connect: (choice: ServiceChoice, signal?: AbortSignal) => Promise<ServiceLink>;
  /** The engine's present options for the session of a service. */
  readonly setupOf: (choice: ServiceChoice, link: ServiceLink) => ServiceSetup;
  /** Resolves at once when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called once for each reason, not at each retry. */
  readonly onError: (service: string, error: unknown) => void;
}

export interface StartOptions {
  /** Its connection; without one, it is connected in the background. */
  readonly link?: ServiceLink | null;
  /** Whether its first session starts paused. */
  readonly startUp?: StartUp | undefined;
}

interface ActiveService {
  choice: ServiceChoice;
  /** Whether its first session starts paused. */
  startUp: StartUp;
  /** `null` while its process is being started. */
  link: ServiceLink | null;
  /** Of the present attempt: resolves when the session is open, and rejects when that failed. */
  started: PromiseWithResolvers<undefined>;
  /** The reason for the last failed start that was reported; `null` since it has started. */
  reported: string | null;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/**
 * The services that run, with their connections. Each is restarted after a failure or when its
 * process ends, and none waits for another. If a service's process ends, its session stays open and
 * treats the service as unreachable.
 */
export class ActiveServices {
  readonly #parts: ActiveServicesParts;
  readonly #byName = new Map<string, ActiveService>();
  #isClosed = false;

  constructor(parts: ActiveServicesParts) {
    this.#parts = parts;
  }

  /** No effect for a service that runs or is being started. */
  start(choice: ServiceChoice, { link = null, startUp = 'as-last-time' }: StartOptions = {}): void {
    if (this.#isClosed || this.has(choice)) return;
    const service: ActiveService = {
      choice,
      link,
      startUp,
      started: unsettled(),
      reported: null,
      stop: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#byName.set(serviceName(choice), service);
    service.ended = this.#keepRunning(service);
  }

  /** Whether no service runs or is being started. */
  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  has(choice: ServiceChoice): boolean {
    return this.#byName.has(serviceName(choice));
  }

  /**
   * Resolves once the session of a service is open.
   * @throws the error that keeps it from being opened
   */
  async started(choice: ServiceChoice): Promise<void> {
    await this.#byName.get(serviceName(choice))?.started.promise;
  }

  /** The connection to a service, while there is one. */
  linkOf(choice: ServiceChoice): ServiceLink | null {
    return this.#byName.get(serviceName(choice))?.link ?? null;
  }

  choiceAt(origin: string): ServiceChoice | null {
    const all = [...this.#byName.values()];
    return all.find(({ link }) => link && originOfLink(link) === origin)?.choice ?? null;
  }

  /**
   * Sets whether services that could not be started yet start paused.
   * @returns all services that run or will run
   */
  decideStartUp(startUp: StartUp): ServiceChoice[] {
    const all = [...this.#byName.values()];
    for (const service of all) service.startUp = startUp;
    return all.map(({ choice }) => choice);
  }

  /** The same service with another plan. */
  changePlan(choice: ServiceChoice): void {
    const service = this.#byName.get(serviceName(choice));
    if (service) service.choice = choice;
  }

  /**
   * Removes a service from this list and leaves it to the caller. The engine may have a session for
   * it.
   * @returns its settings, for `start`; `null` if it was not in the list
   */
  async take(choice: ServiceChoice): Promise<Pick<ActiveService, 'choice' | 'link'> | null> {
    const service = this.#byName.get(serviceName(choice));
    if (!service) return null;
    this.#byName.delete(serviceName(choice));
    service.stop.abort();
    await service.ended;
    return service;
  }

  /** Replaces the sessions of services whose profile has changed. */
  async applyProfiles(): Promise<void> {
    const adapted = [...this.#byName.values()].map(async ({ choice, link }) => {
      // A service that has no session yet gets the profile when it is started.
      if (!link || !this.#parts.engine.isActive(originOfLink(link))) return;
      try {
        await this.#adapt(choice, link);
      } catch (error) {
        this.#parts.onError(serviceName(choice), error);
      }
    });
    await Promise.all(adapted);
  }

  /** Starts nothing more. The connections stay until `closeLinks`. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#byName.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  /** Also ends processes of services, so the engine must be closed first. */
  async closeLinks(): Promise<void> {
    await Promise.allSettled([...this.#byName.values()].map(async ({ link }) => link?.close()));
  }

  /** Logs each reason once, not at each retry: a profile stays unusable until it is corrected. */
  #report(service: ActiveService, error: unknown): void {
    const reason = String(error);
    if (reason === service.reported) return;
    service.reported = reason;
    this.#parts.onError(serviceName(service.choice), error);
  }

  /** Replaces a session while no call is running. */
  async #adapt(choice: ServiceChoice, link: ServiceLink): Promise<void> {
    const { engine, gate, setupOf } = this.#parts;
    if (engine.isActiveWith(setupOf(choice, link))) return;
    await gate.runExclusive(originOfLink(link), () => engine.adapt(setupOf(choice, link)));
  }

  async #keepRunning(service: ActiveService): Promise<void> {
    const { engine, connect, setupOf, sleep } = this.#parts;
    const { signal } = service.stop;
    while (!signal.aborted) {
      try {
        const link = (service.link ??= await connect(service.choice, signal));
        if (isAborted(signal)) break;
        // Does not block calls: a slow keychain must not delay all of them.
        await unlessAborted(engine.start(setupOf(service.choice, link), service.startUp), signal);
        if (isAborted(signal)) break;
        // Meanwhile its process may have a new certificate, or the service another profile.
        await this.#adapt(service.choice, link);
        service.started.resolve(undefined);
        service.reported = null;
        await unlessAborted(link.ended, signal);
        if (isAborted(signal)) break;
        service.link = null;
        service.started = unsettled();
        await sleep(RETRY_MS, signal);
      } catch (error) {
        service.started.reject(error);
        if (isAborted(signal)) break;
        this.#report(service, error);
        await sleep(RETRY_MS, signal);
        service.started = unsettled();
      }
    }
    service.started.reject(new NotPossibleNowError(userMessage('service-replaced')));
  }
}

/** A rejection that no caller awaits must not end the process. */
function unsettled(): PromiseWithResolvers<undefined> {
  const started = Promise.withResolvers<undefined>();
  started.promise.catch(() => undefined);
  return started;
}

/** A function, since the compiler keeps the narrowed type of `signal.aborted` across an await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Resolves when `work` has resolved, or when `signal` is aborted. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (!signal.aborted) await Promise.race([work, aborted]);
}
