import type { Engine, ServiceSetup } from '../engine/engine.ts';
import type { CallGate } from './call-gate.ts';
import {
  isSameService,
  originOfLink,
  serviceName,
  type ServiceChoice,
  type ServiceLink,
} from './service-link.ts';

/** After a service could not be started, or its process ended, it is started again. */
const RETRY_MS = 15_000;

export interface BackgroundServicesParts {
  readonly engine: Pick<Engine, 'workAlso' | 'stopWorking' | 'isWorked'>;
  /** Keeps calls from a session that is being replaced or closed. */
  readonly gate: Pick<CallGate, 'runExclusive'>;
  readonly connect: (choice: ServiceChoice, signal: AbortSignal) => Promise<ServiceLink>;
  /** What the engine works a service with. */
  readonly setupOf: (link: ServiceLink) => ServiceSetup;
  /** Resolves at once when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onError: (service: string, error: unknown) => void;
}

interface Worked {
  readonly choice: ServiceChoice;
  readonly stop: AbortController;
  /** Resolves when it is worked; rejects when the first attempt failed. */
  readonly started: PromiseWithResolvers<ServiceLink>;
  link: ServiceLink | null;
  ended: Promise<void>;
}

/**
 * Services that the engine works beside the one that is shown. Each is started again when that
 * failed or when its process ends, and none waits for another.
 */
export class BackgroundServices {
  readonly #parts: BackgroundServicesParts;
  readonly #byName = new Map<string, Worked>();
  #isClosed = false;

  constructor(parts: BackgroundServicesParts) {
    this.#parts = parts;
  }

  /** @param link of a service that the engine works already; connected in the background without one */
  work(choice: ServiceChoice, link: ServiceLink | null = null): void {
    if (this.#isClosed || this.#byName.has(serviceName(choice))) return;
    const started = Promise.withResolvers<ServiceLink>();
    started.promise.catch(() => undefined);
    const worked: Worked = {
      ...{ choice, link, started, stop: new AbortController() },
      ended: Promise.resolve(),
    };
    this.#byName.set(serviceName(choice), worked);
    worked.ended = this.#keepWorking(worked);
  }

  /**
   * The connection to a service, once it is worked; `null` for one that is not to be worked.
   * @throws what kept it from being worked, when it was first tried
   */
  async started(choice: ServiceChoice): Promise<ServiceLink | null> {
    return (await this.#byName.get(serviceName(choice))?.started.promise) ?? null;
  }

  linkAt(origin: string): ServiceLink | null {
    const links = [...this.#byName.values()].map(({ link }) => link);
    return links.find((link) => link && originOfLink(link) === origin) ?? null;
  }

  /**
   * Leaves a service to the caller, who shows it. The engine may work it already.
   * @returns its connection; `null` when there is none for this choice
   */
  async take(choice: ServiceChoice): Promise<ServiceLink | null> {
    const worked = this.#byName.get(serviceName(choice));
    if (!worked) return null;
    this.#byName.delete(serviceName(choice));
    worked.stop.abort();
    await worked.ended;
    if (isSameService(worked.choice, choice)) return worked.link;
    await worked.link?.close();
    return null;
  }

  /** Profiles changed: a service whose profile did is worked by the new one. */
  async applyProfiles(): Promise<void> {
    for (const { choice, link } of this.#byName.values()) {
      if (!link) continue;
      try {
        await this.#workAlso(link);
      } catch (error) {
        this.#parts.onError(serviceName(choice), error);
      }
    }
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

  /** A first session takes nothing from a call: a slow keychain is not waited for by all. */
  async #workAlso(link: ServiceLink): Promise<void> {
    const { engine, gate, setupOf } = this.#parts;
    const work = (): Promise<void> => engine.workAlso(setupOf(link));
    await (engine.isWorked(originOfLink(link)) ? gate.runExclusive(work) : work());
  }

  async #keepWorking(worked: Worked): Promise<void> {
    const { engine, gate, connect, sleep, onError } = this.#parts;
    const { choice, stop } = worked;
    const { signal } = stop;
    while (!signal.aborted) {
      try {
        worked.link ??= await connect(choice, signal);
        if (isAborted(signal)) return;
        await this.#workAlso(worked.link);
        worked.started.resolve(worked.link);
        await untilEnded(worked.link, signal);
        if (isAborted(signal)) return;
        const origin = originOfLink(worked.link);
        await gate.runExclusive(() => engine.stopWorking(origin));
        worked.link = null;
      } catch (error) {
        worked.started.reject(error);
        if (!isAborted(signal)) onError(serviceName(choice), error);
      }
      await sleep(RETRY_MS, signal);
    }
  }
}

/** Asked anew after each wait: the compiler takes what it knew before for true. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

async function untilEnded({ ended }: ServiceLink, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (!signal.aborted) await Promise.race([ended, aborted]);
}
