import { createORPCClient, type ClientLink } from '@orpc/client';
import type { PausedPart } from '../../src/contract/summary.ts';
import { serviceIdOf } from '../../src/contract/service-id.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type {
  CommonOptions,
  CreateExternalServices,
  Service,
  ServiceSetup,
  SharedSettings,
} from '../../src/engine/engine-options.ts';
import type { EngineView } from '../../src/engine/engine-view.ts';
import type { StartUp } from '../../src/engine/flow/flow-control.ts';
import type { PlanOptions } from '../../src/engine/flow/quota-tracker.ts';
import { functionAt } from '../../src/host/implement-contract.ts';

/** Commands for their callers: each call returns a promise, and none throws synchronously. */
export type Calls<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...input: infer Input) => infer Output
    ? (
        ...input: undefined extends Input[0]
          ? [input?: undefined, options?: CallOptions]
          : [input: Input[0], options?: CallOptions]
      ) => Promise<Awaited<Output>>
    : Calls<Part[Name]>;
};

interface CallOptions {
  readonly signal: AbortSignal;
}

/** The commands of a view, without validation of their input. */
export function commandsOf(view: EngineView): Calls<Commands> {
  const link: ClientLink<object> = {
    call: (path, input, { signal }) =>
      view.run(input, (commands) => functionAt(commands, path)?.(input, signal)),
  };
  return createORPCClient(link) as object as Calls<Commands>;
}

/** Includes the service that is shown first. */
export interface EngineOptions extends CommonOptions, ServiceSetup {}

/** An engine that shows a service, and is closed where that fails. */
export async function openEngine(
  options: EngineOptions,
  connectTo?: CreateExternalServices,
): Promise<TestEngine> {
  const engine = new TestEngine(await createEngine(options, connectTo));
  try {
    await engine.show(options);
    return engine;
  } catch (error) {
    await engine.close().catch(() => undefined);
    throw error;
  }
}

/** An engine with a service that is shown, as a host has it, for services that connect at once. */
export class TestEngine {
  readonly engine: Engine;
  readonly commands: Calls<Commands>;
  readonly #running = new Map<string, Service>();
  readonly #view: EngineView;
  #shown = '';
  #shownChanged = new AbortController();

  constructor(engine: Engine) {
    this.engine = engine;
    this.#view = engine.view(
      () => this.#shown,
      () => this.#shownChanged.signal,
    );
    this.commands = commandsOf(this.#view);
  }

  /** The service that is shown, as it runs. */
  get shown(): Service {
    const shown = this.#running.get(this.#shown);
    if (!shown) throw new Error('No service is shown.');
    return shown;
  }

  get origin(): string {
    return this.#view.origin;
  }

  summary(): ReturnType<EngineView['summary']> {
    return this.#view.summary();
  }

  watch(...[since, signal]: Parameters<EngineView['watch']>): ReturnType<EngineView['watch']> {
    return this.#view.watch(since, signal);
  }

  at(origin: string): EngineView {
    return this.engine.view(() => origin);
  }

  async show(setup: ServiceSetup, startUp?: StartUp): Promise<void> {
    const origin = await this.#open(setup, startUp);
    const before = this.#shown;
    this.#shown = origin;
    if (before === '' || before === origin) return;
    this.engine.continueFeed(before, origin);
    const changed = this.#shownChanged;
    this.#shownChanged = new AbortController();
    changed.abort();
  }

  /** Has no effect for a service that runs. */
  async start(setup: ServiceSetup, startUp?: StartUp): Promise<void> {
    const origin = serviceIdOf(setup.service.baseUrl);
    if (this.#running.has(origin)) await this.engine.whenOpen(origin);
    else await this.#open(setup, startUp);
  }

  async adapt(setup: ServiceSetup): Promise<void> {
    await this.#open(setup);
  }

  /** Runs services without waiting for their sessions. */
  want(setup: ServiceSetup, startUp?: StartUp): void {
    const { service, plan } = setup;
    this.#run({
      id: serviceIdOf(service.baseUrl),
      connection: JSON.stringify(service),
      connect: () =>
        Promise.resolve({
          service,
          plan,
          drawFrame: null,
          ended: new Promise(() => undefined),
          close: () => Promise.resolve(),
        }),
      profile: undefined,
      plan,
      startUp,
    });
  }

  pauseAll(what: PausedPart): Promise<void> {
    return this.engine.pauseAll(what);
  }

  resumeAll(): Promise<void> {
    return this.engine.resumeAll();
  }

  /** @param plan of the service that is shown; unchanged when left out */
  applySettings(change: Partial<SharedSettings>, plan?: PlanOptions): void {
    if (plan) this.#run({ ...this.shown, plan });
    this.engine.applySettings(change);
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  /** Leaves all as it was where that fails. */
  async #open(setup: ServiceSetup, startUp?: StartUp): Promise<string> {
    const origin = serviceIdOf(setup.service.baseUrl);
    const before = this.#running.get(origin);
    this.want(setup, startUp);
    try {
      await this.engine.whenOpen(origin);
      return origin;
    } catch (error) {
      this.#running.delete(origin);
      if (before) this.#running.set(origin, before);
      this.engine.want([...this.#running.values()]);
      throw error;
    }
  }

  #run(service: Service): void {
    this.#running.set(service.id, service);
    this.engine.want([...this.#running.values()]);
  }
}
