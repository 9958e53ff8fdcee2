/** Decides which services the engine runs, and which one is shown. The engine does the rest. */
import { hostOf } from '../contract/service-id.ts';
import type { Failure } from '../contract/failure.ts';
import type { Frame } from '../contract/frame.ts';
import { countIn } from '../contract/job-states.ts';
import type { ServiceTried } from '../contract/service-offer.ts';
import type { PausedPart } from '../contract/summary.ts';
import { messageOf, userMessage } from '../contract/user-message.ts';
import type { Serial } from '../engine/serial.ts';
import { EngineError, NotPossibleNowError } from '../engine/engine-error.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineView } from '../engine/engine-view.ts';
import type { DrawFrame, Service, ServiceLink } from '../engine/engine-options.ts';
import type { StartUp } from '../engine/flow/flow-control.ts';
import { profileHash, type Profile } from '../engine/profiles/profile.ts';
import { storyboardProfile } from '../engine/profiles/storyboard.ts';
import type { FindProxy } from '../engine/proxy.ts';
import { ServiceClient } from '../engine/service/service-client.ts';
import { systemClock } from '../engine/system-clock.ts';
import { checkService } from './check-service.ts';
import type { WantedService } from './primary-contract.ts';
import { connectionOf, offlineSetup, serviceName, type ServiceChoice } from './service-link.ts';
import { serviceChoiceOf } from './settings/effective-settings.ts';
import { originIssue } from './settings/origin-issue.ts';
import { ProfileUnusableError, type SettingsStore } from './settings/settings-store.ts';

export interface QueueServicesParts {
  readonly engine: Engine;
  readonly settingsStore: SettingsStore;
  /** Serialises changes of the settings and of which services run and are shown. */
  readonly changes: Serial;
  readonly connect: (choice: ServiceChoice, signal?: AbortSignal) => Promise<ServiceLink>;
  /** A page can show a service whose profile is invalid, and select another one. */
  readonly canCorrectProfiles: boolean;
  /** Why a service cannot be used, for the user; `null` if Spool is closing. */
  readonly unavailability: (error: unknown) => Failure | null;
  readonly findProxy?: FindProxy | undefined;
  /** Origin of the service on this computer; `null` if it has never run. */
  readonly localOrigin: () => string | null;
  /** The same, which is chosen if it has never run. */
  readonly ensureLocalOrigin: () => Promise<string>;
}

/** A service and the settings of its session. */
export interface ServiceInUse {
  readonly choice: ServiceChoice;
  readonly origin: string;
  /** `undefined` for the default one. */
  readonly profile: Profile | undefined;
}

interface RunningService extends ServiceInUse {
  readonly startUp?: StartUp | undefined;
  /** Why its saved profile is invalid: it is not connected, as long as it has that. */
  readonly unusable?: ProfileUnusableError;
  /** Whether its rows are shown while it cannot be connected. */
  readonly mayBeOffline?: boolean;
}

/** The services of the queue: which run, and which one is shown. */
export class QueueServices {
  readonly #parts: QueueServicesParts;
  /** The service that is shown. */
  readonly view: EngineView;
  /** By origin. */
  readonly #running = new Map<string, RunningService>();
  #shown: ServiceInUse | null = null;
  #shownChanged = new AbortController();

  constructor(parts: QueueServicesParts) {
    this.#parts = parts;
    this.view = parts.engine.view(
      () => this.shown.origin,
      () => this.#shownChanged.signal,
    );
  }

  /** @throws {Error} before there is one */
  get shown(): ServiceInUse {
    if (this.#shown === null) throw new Error('No service is shown.');
    return this.#shown;
  }

  /**
   * Shows the first service. If others already run, one that cannot be connected is shown offline,
   * and is retried. The same holds for one with an invalid profile, if the user can correct it here.
   * @param ofRun a profile that overrides the saved one
   * @param startUp whether it starts paused
   * @throws the error that keeps it from being opened, if no other runs or the queue itself failed
   */
  async showFirst(choice: ServiceChoice, ofRun?: Profile, startUp?: StartUp): Promise<void> {
    const isAlone = this.#running.size === 0;
    const origin = await this.#identify(choice);
    const service = this.#saved(choice, origin, ofRun);
    const { unusable } = service;
    if (unusable && isAlone && !this.#parts.canCorrectProfiles) throw unusable;
    await this.#show({ ...service, startUp, mayBeOffline: !isAlone || unusable !== undefined });
    this.listKnown();
  }

  /**
   * Shows another service, or the same one with another profile. The previous service keeps
   * running. Runs within `changes`.
   */
  async show(choice: ServiceChoice, profile: Profile | undefined): Promise<void> {
    const { shown } = this;
    const origin = await this.#identify(choice);
    const running = this.#running.get(origin);
    const isAsShown =
      origin === shown.origin &&
      !running?.unusable &&
      connectionOf(choice) === connectionOf(shown.choice) &&
      isSameProfile(profile, shown.profile);
    if (!isAsShown) return this.#show({ choice, origin, profile });
    this.#shown = { choice, origin, profile };
    this.#run({ ...running, choice, origin, profile });
  }

  /**
   * Stops a service that is not shown, then does `work`; runs it again if that fails. Runs within
   * `changes`.
   */
  async stop(origin: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(origin);
    this.#running.delete(origin);
    this.#apply();
    try {
      await work();
    } catch (error) {
      if (running) this.#run(running);
      throw error;
    }
  }

  /** Shows a service as it was shown before: one with an invalid profile stays offline. */
  showAgain({ choice, origin, profile }: ServiceInUse): Promise<void> {
    const service = this.#saved(choice, origin, profile);
    return service.unusable
      ? this.#show({ ...service, mayBeOffline: true })
      : this.show(choice, profile);
  }

  /**
   * Runs every earlier service that has unfinished videos.
   * @param first the service that is shown, or will be
   */
  startEarlier(first: ServiceChoice, startUp?: StartUp): void {
    const { settingsStore, engine } = this.#parts;
    const all = new Map(engine.services().map(({ origin, counts }) => [origin, counts]));
    for (const earlier of settingsStore.earlierServices) {
      const choice = serviceChoiceOf(earlier);
      const origin = this.originOf(choice);
      const counts = all.get(origin ?? '');
      if (origin === null || !counts || serviceName(choice) === serviceName(first)) continue;
      const isUnfinished = countIn('active', counts) + counts.uncertain > 0;
      if (isUnfinished) this.#run({ startUp, ...this.#saved(choice, origin) });
    }
  }

  /**
   * Runs a service that another process wants, beside the one that is shown.
   * @returns the session's settings; those of the one shown if it may not be started. If its
   *   profile differs from the wanted one, it is not started.
   */
  async startFor(wanted: WantedService): Promise<ServiceInUse> {
    if (wanted === null) return this.shown;
    const inUse = await this.#parts.changes.run(() => this.#begin(wanted));
    if (inUse.origin === this.shown.origin || !this.#running.has(inUse.origin)) return inUse;
    await this.#parts.engine.whenOpen(inUse.origin);
    return this.inUse(inUse.origin);
  }

  /**
   * The settings of a service's session.
   * @param origin `null` for the one that is shown
   * @throws {NotPossibleNowError} when it does not run
   */
  inUse(origin: string | null): ServiceInUse {
    if (origin === null || origin === this.shown.origin) return this.shown;
    const service = this.#running.get(origin);
    if (!service) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    return service;
  }

  /** Checks a service, which may not be in use, and a key for it. Stores nothing. */
  async *tryService(
    choice: ServiceChoice,
    profile: Profile | undefined,
    value: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ServiceTried, void> {
    const link = await this.#parts.connect(choice, signal);
    const { api, answers } = profile ?? storyboardProfile;
    const client = new ServiceClient({
      ...link.service,
      api,
      rules: answers,
      clock: systemClock,
      findProxy: this.#parts.findProxy,
      key: () => value,
    });
    try {
      const { name: host } = link.service;
      yield* checkService(client, { host, unit: api?.cost.balance ?? null }, signal);
    } finally {
      await Promise.all([client.close(), link.close()]);
    }
  }

  /** One frame of the video that a request would make at the service shown. */
  async frame(...[request, signal]: Parameters<DrawFrame>): Promise<Frame> {
    const { choice, origin } = this.shown;
    const link = this.#parts.engine.linkOf(origin);
    if (link === null && choice.kind === 'local') return { kind: 'unavailable' };
    return (await link?.drawFrame?.(request, signal)) ?? { kind: 'elsewhere' };
  }

  pauseAll(what: PausedPart): Promise<void> {
    return this.#parts.engine.pauseAll(what);
  }

  resumeAll(): Promise<void> {
    return this.#parts.engine.resumeAll();
  }

  /** Applies saved profiles that have changed to the services that are not shown. */
  applyProfiles(): void {
    for (const { choice, origin, startUp } of this.#running.values()) {
      if (origin === this.shown.origin) continue;
      this.#running.set(origin, { startUp, ...this.#saved(choice, origin) });
    }
    this.#apply();
  }

  /** Makes the engine also list earlier services without videos. */
  listKnown(): void {
    const { settingsStore, engine } = this.#parts;
    const known = settingsStore.earlierServices.flatMap((earlier) => {
      const choice = serviceChoiceOf(earlier);
      const origin = this.originOf(choice);
      if (origin === null) return [];
      const isLocal = choice.kind === 'local';
      return [{ origin, isLocal, name: isLocal ? 'this computer' : hostOf(origin) }];
    });
    engine.setKnownServices(known);
  }

  /** See `QueueServicesParts.localOrigin`. */
  get localOrigin(): string | null {
    return this.#parts.localOrigin();
  }

  originOf(choice: ServiceChoice): string | null {
    return choice.kind === 'local' ? this.localOrigin : serviceName(choice);
  }

  async #identify(choice: ServiceChoice): Promise<string> {
    return choice.kind === 'local' ? this.#parts.ensureLocalOrigin() : serviceName(choice);
  }

  /** Runs a service and shows it, or leaves all as it was. */
  async #show(service: RunningService): Promise<void> {
    const { engine } = this.#parts;
    const { choice, origin, profile } = service;
    const previous = this.#running.get(origin);
    this.#run(service);
    try {
      await engine.whenOpen(origin);
    } catch (error) {
      if (previous) this.#run(previous);
      else {
        this.#running.delete(origin);
        this.#apply();
      }
      throw error;
    }
    const before = this.#shown;
    this.#shown = { choice, origin, profile };
    if (before === null || before.origin === origin) return;
    engine.continueFeed(before.origin, origin);
    const changed = this.#shownChanged;
    this.#shownChanged = new AbortController();
    changed.abort();
  }

  /** Runs a service if that is allowed, and stores it so that it runs again after a restart. */
  async #begin(wanted: NonNullable<WantedService>): Promise<ServiceInUse> {
    const { settingsStore } = this.#parts;
    const { service, plan, profile, start } = wanted;
    const choice = serviceChoiceOf(wanted);
    const running = this.#running.get(this.originOf(choice) ?? '');
    if (running?.origin === this.shown.origin || (!start && !running)) return this.shown;
    const origin = await this.#identify(choice);
    const saved = choice.kind === 'local' ? undefined : settingsStore.profileOf(origin);
    // An earlier service keeps its profile, because its rows were made for it.
    const isNew =
      choice.kind === 'remote' &&
      saved === undefined &&
      !settingsStore.earlierServices.some((each) => serviceName(each.service) === origin);
    const used = isNew ? (profile ?? undefined) : saved;
    const differs = profile !== null && !isSameProfile(profile, used);
    if (differs || running) return { choice, origin, profile: used };
    const [error] = [
      ...settingsStore.check({ service, plan }).errors,
      ...(used === undefined ? [] : [originIssue(used, origin)]),
    ].filter((each) => each !== null);
    if (error) throw new EngineError({ code: 'value-invalid', ...messageOf(error) });
    settingsStore.remember({ service, plan }, isNew ? profile : null);
    this.#run({ choice, origin, profile: used });
    this.listKnown();
    return { choice, origin, profile: used };
  }

  /** @param ofRun a profile that overrides the saved one */
  #saved(choice: ServiceChoice, origin: string, ofRun?: Profile): RunningService {
    const service = { choice, origin, profile: ofRun };
    if (choice.kind === 'local' || ofRun !== undefined) return service;
    try {
      return { ...service, profile: this.#parts.settingsStore.profileOf(origin) };
    } catch (error) {
      if (!(error instanceof ProfileUnusableError)) throw error;
      return { ...service, unusable: error };
    }
  }

  #run(service: RunningService): void {
    this.#running.set(service.origin, service);
    this.#apply();
  }

  #apply(): void {
    const { engine } = this.#parts;
    engine.want([...this.#running.values()].map((service) => this.#wantedOf(service)));
  }

  #wantedOf({ choice, origin, profile, ...service }: RunningService): Service {
    const { connect, unavailability } = this.#parts;
    const { startUp, unusable, mayBeOffline = false } = service;
    return {
      id: origin,
      connection: unusable ? 'none' : connectionOf(choice),
      connect: (signal) => (unusable ? Promise.reject(unusable) : connect(choice, signal)),
      profile,
      plan: choice.kind === 'remote' ? choice.plan : undefined,
      startUp,
      ...(mayBeOffline && {
        offline: (error) => {
          const failure = unavailability(error);
          return failure && offlineSetup(choice, origin, failure);
        },
      }),
    };
  }
}

/** `undefined` is the default one. */
export function isSameProfile(one: Profile | undefined, other: Profile | undefined): boolean {
  return profileHash(one ?? storyboardProfile) === profileHash(other ?? storyboardProfile);
}
