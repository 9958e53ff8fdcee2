import { isDeepStrictEqual } from 'node:util';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from './engine-error.ts';
import type { OtherServiceStatus, PausedPart } from '../contract/summary.ts';
import { Serial } from './serial.ts';
import type { Commands } from './commands/handlers.ts';
import type { RuntimeSettings, ServiceSetup } from './engine-options.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import type { CreateExternalServices } from './external-services.ts';
import type { StartUp } from './flow/flow-control.ts';
import { noCounts } from './jobs/state-counts.ts';
import type { LockedOptions } from './open-session.ts';
import { ServiceSession } from './service-session.ts';
import type { SharedResources } from './shared-resources.ts';

/** A service that the user has set up, whether or not it is worked. */
export type KnownService = Pick<OtherServiceStatus, 'name' | 'origin' | 'isLocal'>;

const NOT_WORKED = { flow: null, batches: [] };

/**
 * The sessions of all services that are worked, by their origins. Each has its own key, limits,
 * quota, outages and loops. One of them is shown: commands are about its jobs.
 */
export class Sessions {
  readonly #shared: SharedResources;
  readonly #connectTo: CreateExternalServices;
  readonly #byOrigin = new Map<string, ServiceSession>();
  /** One at a time: what opens and closes sessions. */
  readonly #changes = new Serial();
  #options: LockedOptions;
  #shown: ServiceSession | null = null;
  #shownChanged = new AbortController();
  #known: readonly KnownService[] = [];
  /** Of all services when a session was last opened or closed; only those without one are shown. */
  #resting: readonly OtherServiceStatus[] | null = null;
  #isClosed = false;

  private constructor(
    options: LockedOptions,
    shared: SharedResources,
    connectTo: CreateExternalServices,
  ) {
    this.#options = options;
    this.#shared = shared;
    this.#connectTo = connectTo;
  }

  /** Opens the session of the options' service and shows it. */
  static async open(
    options: LockedOptions,
    shared: SharedResources,
    connectTo: CreateExternalServices,
  ): Promise<Sessions> {
    const sessions = new Sessions(options, shared, connectTo);
    sessions.#shown = await sessions.#open(options, options.startUp ?? 'as-last-time');
    return sessions;
  }

  get shown(): ServiceSession {
    if (this.#shown === null) throw new Error('No service is shown.');
    return this.#shown;
  }

  /** Aborted when another session is shown, when the shown one is replaced, and at the end. */
  get shownChanged(): AbortSignal {
    return this.#shownChanged.signal;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws {NotPossibleNowError} when that service is not worked */
  of(origin: string): ServiceSession {
    const session = this.#byOrigin.get(origin);
    if (!session) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    return session;
  }

  isWorked(origin: string): boolean {
    return this.#byOrigin.has(origin);
  }

  /** Those of one service; what is about the computer goes to every session. */
  commandsOf({ runtime: { commands } }: ServiceSession): Commands {
    return {
      ...commands,
      service: {
        ...commands.service,
        tryNow: () => this.#each(({ commands: { service } }) => service.tryNow()),
        fallAsleep: () => this.#each(({ commands: { service } }) => service.fallAsleep()),
      },
    };
  }

  /** Shows a service, and works it if it was not worked. The one before goes on. */
  show(setup: ServiceSetup): Promise<void> {
    return this.#changes.run(async () => {
      const before = this.shown;
      const worked = this.#byOrigin.get(originOf(setup));
      if (worked) await adapt(worked, setup);
      const session = worked ?? (await this.#open(setup, 'as-last-time'));
      if (session === before) return;
      if (before.isOpen && session.isOpen) session.runtime.continueAfter(before.runtime.seq);
      this.#shown = session;
      this.#announce(session);
    });
  }

  /** Works a service beside the one that is shown, if it is not worked. */
  work(setup: ServiceSetup, startUp: StartUp): Promise<void> {
    return this.#changes.run(async () => {
      if (!this.isWorked(originOf(setup))) await this.#open(setup, startUp);
    });
  }

  /** Works a service by other means than before: another profile, certificate or plan. */
  adapt(setup: ServiceSetup): Promise<void> {
    return this.#changes.run(() => adapt(this.of(originOf(setup)), setup));
  }

  /** Whether `adapt` would change nothing. */
  isWorkedBy(setup: ServiceSetup): boolean {
    const session = this.#byOrigin.get(originOf(setup));
    if (!session) return false;
    const { service, plan } = session.setup;
    return isSame(service, setup.service) && isSame(plan, setup.plan);
  }

  /** Services that are listed although they have no jobs. */
  setKnown(known: readonly KnownService[]): void {
    if (isDeepStrictEqual(known, this.#known)) return;
    this.#known = known;
    this.#changed();
  }

  /** The plan is that of the service that is shown; everything else holds for all. */
  applySettings({ plan, ...change }: Partial<RuntimeSettings>): void {
    this.#options = { ...this.#options, ...change };
    if (change.transferLimits) this.#shared.throttle.limits = change.transferLimits;
    for (const session of this.#byOrigin.values()) {
      session.applySettings(session === this.#shown && plan ? { ...change, plan } : change);
    }
  }

  pauseAll(what: PausedPart): Promise<void> {
    return this.#eachToCome(({ commands }) => commands.queue.pause({ what }));
  }

  resumeAll(): Promise<void> {
    return this.#eachToCome(({ commands }) => commands.queue.resume());
  }

  /** Closes all sessions at a safe point, then the database. */
  close(): Promise<void> {
    return this.#changes.run(async () => {
      this.#isClosed = true;
      const closed = [...this.#byOrigin.values()].map((session) => session.close());
      const [failed] = (await Promise.allSettled(closed)).filter(
        ({ status }) => status === 'rejected',
      );
      await this.#closeDatabase();
      this.#announce(this.shown);
      if (failed?.status === 'rejected') throw failed.reason;
    });
  }

  async #open(setup: ServiceSetup, startUp: StartUp): Promise<ServiceSession> {
    const origin = originOf(setup);
    if (this.#isClosed) throw new Error('The engine is closed.');
    const session = await ServiceSession.open(
      { ...this.#options, ...setup, startUp },
      {
        shared: this.#shared,
        connectTo: this.#connectTo,
        others: { list: () => this.#others(origin), changed: () => this.#changed(origin) },
      },
      (changed) => this.#announce(changed),
    );
    this.#byOrigin.set(origin, session);
    this.#changed();
    return session;
  }

  /** All services but one, by name. */
  #others(origin: string): OtherServiceStatus[] {
    const worked = [...this.#byOrigin.values()].flatMap((session) =>
      session.isOpen ? session.runtime.status : [],
    );
    this.#resting ??= this.#shared.database
      .counts()
      .map((counted) => ({ ...counted, name: new URL(counted.origin).host, isLocal: false }))
      .map((counted) => ({ ...counted, ...NOT_WORKED }));
    const known = this.#known.map((each) => ({ ...each, ...NOT_WORKED, counts: noCounts() }));
    const byOrigin = new Map<string, OtherServiceStatus>();
    // Later ones know more.
    for (const { counts, ...each } of [...known, ...this.#resting]) {
      byOrigin.set(each.origin, { ...each, ...byOrigin.get(each.origin), counts });
    }
    for (const each of worked) byOrigin.set(each.origin, each);
    byOrigin.delete(origin);
    return [...byOrigin.values()].toSorted((one, other) => one.name.localeCompare(other.name));
  }

  /** @param origin of the session that changed; of several when left out */
  #changed(origin: string | null = null): void {
    if (origin === null) this.#resting = null;
    for (const session of this.#byOrigin.values()) {
      if (session.origin !== origin && session.isOpen) session.runtime.othersChanged();
    }
  }

  #announce(session: ServiceSession): void {
    if (session !== this.#shown) return;
    const before = this.#shownChanged;
    this.#shownChanged = new AbortController();
    before.abort();
  }

  async #each(work: (runtime: EngineRuntime) => void | Promise<void>): Promise<void> {
    const open = [...this.#byOrigin.values()].filter(({ isOpen }) => isOpen);
    await Promise.all(open.map(async ({ runtime }) => work(runtime)));
  }

  /** The sessions that are open at once, and those that are being opened as soon as they are. */
  async #eachToCome(work: (runtime: EngineRuntime) => void | Promise<void>): Promise<void> {
    const done = new Set<EngineRuntime>();
    const once = async (runtime: EngineRuntime): Promise<void> => {
      if (done.has(runtime)) return;
      done.add(runtime);
      await work(runtime);
    };
    await this.#each(once);
    await this.#changes.run(() => this.#each(once));
  }

  /** A failed backup loses no job: the database has all of them, and is closed. */
  async #closeDatabase(): Promise<void> {
    try {
      await this.#shared.database.close();
    } catch (error) {
      const { logger } = this.#options;
      logger?.warn({ error: String(error) }, 'The queue was closed without a new backup of it.');
    }
  }
}

/** Replaces a session whose service is known by other means now. */
async function adapt(session: ServiceSession, { service, plan }: ServiceSetup): Promise<void> {
  const before = session.setup;
  if (!isSame(before.service, service)) await session.replace({ service, plan });
  else if (!isSame(before.plan, plan)) session.applySettings({ plan });
}

function originOf({ service }: ServiceSetup): string {
  return new URL(service.baseUrl).origin;
}

/** As JSON, to which a property that is undefined is one that is left out. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
