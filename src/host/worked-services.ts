import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import type { Engine, ServiceSetup, StartUp } from '../engine/engine.ts';
import type { CallGate } from './call-gate.ts';
import { originOfLink, serviceName, type ServiceChoice, type ServiceLink } from './service-link.ts';

/** After a service could not be started, or its process ended, it is started again. */
const RETRY_MS = 15_000;

export interface WorkedServicesParts {
  readonly engine: Pick<Engine, 'work' | 'adapt' | 'isWorked' | 'isWorkedBy'>;
  /** Keeps calls from a session that is being replaced. */
  readonly gate: Pick<CallGate, 'runExclusive'>;
  readonly connect: (choice: ServiceChoice, signal?: AbortSignal) => Promise<ServiceLink>;
  /** What the engine works a service with, as of now. */
  readonly setupOf: (choice: ServiceChoice, link: ServiceLink) => ServiceSetup;
  /** Resolves at once when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onError: (service: string, error: unknown) => void;
}

export interface WorkOptions {
  /** Its connection; connected in the background without one. */
  readonly link?: ServiceLink | null;
  /** Whether it starts paused when it is worked first. */
  readonly startUp?: StartUp | undefined;
}

interface Worked {
  choice: ServiceChoice;
  /** Whether it starts paused when it is worked first. */
  startUp: StartUp;
  /** `null` while its process is started. */
  link: ServiceLink | null;
  /** Of the present attempt: resolves when it is worked, and rejects when that failed. */
  started: PromiseWithResolvers<undefined>;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/**
 * The services that the engine works, with their connections. Each is started again when that failed
 * or when its process ends, and none waits for another. The session of one whose process has ended
 * stays open: to it, the service cannot be reached.
 */
export class WorkedServices {
  readonly #parts: WorkedServicesParts;
  readonly #byName = new Map<string, Worked>();
  #isClosed = false;

  constructor(parts: WorkedServicesParts) {
    this.#parts = parts;
  }

  /** No effect for one that is worked, or that is being started. */
  work(choice: ServiceChoice, { link = null, startUp = 'as-last-time' }: WorkOptions = {}): void {
    if (this.#isClosed || this.has(choice)) return;
    const worked: Worked = {
      choice,
      link,
      startUp,
      started: unsettled(),
      stop: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#byName.set(serviceName(choice), worked);
    worked.ended = this.#keepWorking(worked);
  }

  /** Whether no service is worked or being started. */
  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  has(choice: ServiceChoice): boolean {
    return this.#byName.has(serviceName(choice));
  }

  /**
   * Resolves once a service is worked.
   * @throws what keeps it from being worked
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
   * Decides whether those start paused that could not be started yet.
   * @returns all that are worked, or will be
   */
  decideStartUp(startUp: StartUp): ServiceChoice[] {
    const all = [...this.#byName.values()];
    for (const worked of all) worked.startUp = startUp;
    return all.map(({ choice }) => choice);
  }

  /** The same service with another plan. */
  changePlan(choice: ServiceChoice): void {
    const worked = this.#byName.get(serviceName(choice));
    if (worked) worked.choice = choice;
  }

  /**
   * Leaves a service to the caller. The engine may work it already.
   * @returns how it was worked, for `work`; `null` when it was not
   */
  async take(choice: ServiceChoice): Promise<Pick<Worked, 'choice' | 'link'> | null> {
    const worked = this.#byName.get(serviceName(choice));
    if (!worked) return null;
    this.#byName.delete(serviceName(choice));
    worked.stop.abort();
    await worked.ended;
    return worked;
  }

  /** Profiles changed: a service whose profile did is worked by the new one. */
  async applyProfiles(): Promise<void> {
    const adapted = [...this.#byName.values()].map(async ({ choice, link }) => {
      // What is not worked yet takes the profile of then.
      if (!link || !this.#parts.engine.isWorked(originOfLink(link))) return;
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

  /** A session is replaced while no call is under way. */
  async #adapt(choice: ServiceChoice, link: ServiceLink): Promise<void> {
    const { engine, gate, setupOf } = this.#parts;
    if (engine.isWorkedBy(setupOf(choice, link))) return;
    await gate.runExclusive(originOfLink(link), () => engine.adapt(setupOf(choice, link)));
  }

  async #keepWorking(worked: Worked): Promise<void> {
    const { engine, connect, setupOf, sleep, onError } = this.#parts;
    const { signal } = worked.stop;
    while (!signal.aborted) {
      try {
        const link = (worked.link ??= await connect(worked.choice, signal));
        if (isAborted(signal)) break;
        // Takes nothing from a call: a slow keychain is not waited for by all.
        await unlessAborted(engine.work(setupOf(worked.choice, link), worked.startUp), signal);
        if (isAborted(signal)) break;
        // Its process may have a new certificate, or the service another profile meanwhile.
        await this.#adapt(worked.choice, link);
        worked.started.resolve(undefined);
        await unlessAborted(link.ended, signal);
        if (isAborted(signal)) break;
        worked.link = null;
        worked.started = unsettled();
        await sleep(RETRY_MS, signal);
      } catch (error) {
        worked.started.reject(error);
        if (isAborted(signal)) break;
        onError(serviceName(worked.choice), error);
        await sleep(RETRY_MS, signal);
        worked.started = unsettled();
      }
    }
    worked.started.reject(new NotPossibleNowError(userMessage('service-replaced')));
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

/** Resolves when `work` has, or when `signal` is aborted. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (!signal.aborted) await Promise.race([work, aborted]);
}
