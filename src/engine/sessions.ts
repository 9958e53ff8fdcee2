import { isDeepStrictEqual } from 'node:util';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from './engine-error.ts';
import type { OtherServiceStatus, PausedPart } from '../contract/summary.ts';
import { Serial } from './serial.ts';
import type { Commands } from './commands/handlers.ts';
import type { CommonOptions, RuntimeSettings, ServiceSetup } from './engine-options.ts';
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

type SharedOptions = CommonOptions & Pick<LockedOptions, 'lock'>;

interface OpeningSession {
  readonly session: ServiceSession;
  /** Rejects with what keeps it from being opened. */
  readonly opened: Promise<void>;
}

/**
 * The sessions of all services that are worked, by their origins. Each has its own key, limits,
 * quota, outages and loops. One of them is shown: commands are about its jobs.
 */
export class Sessions {
  readonly #shared: SharedResources;
  readonly #connectTo: CreateExternalServices;
  readonly #byOrigin = new Map<string, ServiceSession>();
  /** Not among the others until they are open for the first time. */
  readonly #opening = new Map<string, OpeningSession>();
  /** One at a time: which service is shown. */
  readonly #shows = new Serial();
  readonly #closed = new AbortController();
  #options: SharedOptions;
  #shown: ServiceSession | null = null;
  #shownChanged = new AbortController();
  #known: readonly KnownService[] = [];
  /** Of all services when a session was last opened or closed; only those without one are shown. */
  #resting: readonly OtherServiceStatus[] | null = null;

  constructor(options: SharedOptions, shared: SharedResources, connectTo: CreateExternalServices) {
    this.#options = options;
    this.#shared = shared;
    this.#connectTo = connectTo;
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
    return this.#closed.signal.aborted;
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
  show(setup: ServiceSetup, startUp: StartUp = 'as-last-time'): Promise<void> {
    return this.#shows.run(async () => {
      const before = this.#shown;
      const session = await this.#open(setup, startUp);
      await session.adapt(setup);
      if (session === before) return;
      if (before?.isOpen && session.isOpen) session.runtime.continueAfter(before.runtime.seq);
      this.#shown = session;
      this.#announce(session);
    });
  }

  /** Works a service beside the one that is shown, if it is not worked. */
  async work(setup: ServiceSetup, startUp: StartUp): Promise<void> {
    await this.#open(setup, startUp);
  }

  /** Works a service by other means than before: another profile, certificate or plan. */
  async adapt(setup: ServiceSetup): Promise<void> {
    await this.of(originOf(setup)).adapt(setup);
  }

  /** Whether `adapt` would change nothing. */
  isWorkedBy(setup: ServiceSetup): boolean {
    return this.#byOrigin.get(originOf(setup))?.isWorkedBy(setup) ?? false;
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
    for (const session of this.#all()) {
      session.applySettings(session === this.#shown && plan ? { ...change, plan } : change);
    }
  }

  async pauseAll(what: PausedPart): Promise<void> {
    await Promise.all(this.#all().map((session) => session.pause(what)));
  }

  async resumeAll(): Promise<void> {
    await Promise.all(this.#all().map((session) => session.resume()));
  }

  /** Closes all sessions at a safe point, then the database. Opens none any more. */
  async close(): Promise<void> {
    this.#closed.abort(new Error('The engine is closed.'));
    const opening = [...this.#opening.values()].map(({ opened }) => opened);
    await Promise.allSettled(opening);
    const closed = [...this.#byOrigin.values()].map((session) => session.close());
    const [failed] = (await Promise.allSettled(closed)).filter(
      ({ status }) => status === 'rejected',
    );
    await this.#closeDatabase();
    if (this.#shown) this.#announce(this.#shown);
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** The session of a service, open; opened if there was none. Sessions are opened side by side. */
  async #open(setup: ServiceSetup, startUp: StartUp): Promise<ServiceSession> {
    this.#closed.signal.throwIfAborted();
    const origin = originOf(setup);
    const worked = this.#byOrigin.get(origin);
    if (worked) return worked;
    const opening = this.#opening.get(origin) ?? this.#beginToOpen(setup, startUp);
    await opening.opened;
    return opening.session;
  }

  #beginToOpen(setup: ServiceSetup, startUp: StartUp): OpeningSession {
    const origin = originOf(setup);
    const session = new ServiceSession(
      { ...this.#options, ...setup, startUp },
      {
        shared: this.#shared,
        connectTo: this.#connectTo,
        others: { list: () => this.list(origin), changed: () => this.#changed(origin) },
        closed: this.#closed.signal,
      },
      (changed) => this.#announce(changed),
    );
    const open = async (): Promise<void> => {
      try {
        await session.open();
        this.#byOrigin.set(origin, session);
      } finally {
        this.#opening.delete(origin);
      }
      this.#changed();
    };
    const opening = { session, opened: open() };
    this.#opening.set(origin, opening);
    return opening;
  }

  /** Also those that are being opened. */
  #all(): ServiceSession[] {
    const opening = [...this.#opening.values()].map(({ session }) => session);
    return [...this.#byOrigin.values(), ...opening];
  }

  /**
   * All services, by name.
   * @param except the origin of one that is left out
   */
  list(except: string | null = null): OtherServiceStatus[] {
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
    if (except !== null) byOrigin.delete(except);
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

function originOf({ service }: ServiceSetup): string {
  return new URL(service.baseUrl).origin;
}
