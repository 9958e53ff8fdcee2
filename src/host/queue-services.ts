import type { Frame } from '../contract/frame.ts';
import { countIn } from '../contract/job-states.ts';
import type { PausedPart } from '../contract/summary.ts';
import { messageOf, userMessage } from '../contract/user-message.ts';
import type { Serial } from '../engine/serial.ts';
import {
  DiskFullError,
  EngineError,
  FolderUnusableError,
  NotPossibleNowError,
} from '../engine/engine-error.ts';
import type { Engine } from '../engine/engine.ts';
import type { ServiceSetup } from '../engine/engine-options.ts';
import type { StartUp } from '../engine/flow/flow-control.ts';
import { profileHash, type Profile } from '../engine/profiles/profile.ts';
import { storyboardProfile } from '../engine/profiles/storyboard.ts';
import type { FindProxy } from '../engine/proxy.ts';
import type { KeyCheckOutcome } from '../engine/service/outcomes.ts';
import { ServiceClient } from '../engine/service/service-client.ts';
import { systemClock } from '../engine/system-clock.ts';
import type { CallGate } from './call-gate.ts';
import type { DrawFrame } from './local-frames.ts';
import type { WantedService } from './primary-contract.ts';
import {
  isSameService,
  originOfLink,
  serviceName,
  type ServiceChoice,
  type ServiceLink,
} from './service-link.ts';
import { serviceChoiceOf } from './settings/effective-settings.ts';
import { originFault } from './settings/origin-fault.ts';
import { ProfileUnusableError, type SettingsStore } from './settings/settings-store.ts';
import { ActiveServices, type ActiveServicesParts } from './active-services.ts';

export interface QueueServicesParts extends Omit<ActiveServicesParts, 'engine' | 'setupOf'> {
  readonly engine: Engine;
  readonly gate: CallGate;
  readonly settingsStore: SettingsStore;
  /** Serialises changes of the settings and of which services have a session and are shown. */
  readonly changes: Serial;
  /** A page can show a service whose profile is invalid, and select another one. */
  readonly canCorrectProfiles: boolean;
  /** Replaces a service that could not be opened; `null` if it has no rows, or Spool is closing. */
  readonly unavailable: (choice: ServiceChoice, error: unknown) => ServiceLink | null;
  readonly findProxy?: FindProxy | undefined;
  /** Origin of the service on this computer; `null` if it has never run. */
  readonly localOrigin: () => string | null;
}

/** How long the start waits for the process of the service that is shown, if other services run. */
export const FIRST_WAIT_MS = 10_000;

/** A service and the settings of its session. */
export interface ServiceInUse {
  readonly choice: ServiceChoice;
  readonly origin: string;
  /** `undefined` for the default one. */
  readonly profile: Profile | undefined;
}

/** The services of the queue: which have a session, and which one is shown. */
export class QueueServices {
  readonly #parts: QueueServicesParts;
  readonly #active: ActiveServices;
  #shown: ServiceInUse | null = null;
  /** Whether the service that is shown has a saved profile that is invalid. */
  #lacksProfile = false;

  constructor(parts: QueueServicesParts) {
    this.#parts = parts;
    this.#active = new ActiveServices({
      ...parts,
      setupOf: (choice, each) => setupOf(choice, each, this.#profileOf(choice)),
    });
  }

  /** @throws {Error} before there is one */
  get shown(): ServiceInUse {
    if (this.#shown === null) throw new Error('No service is shown.');
    return this.#shown;
  }

  /**
   * Shows the first service. If others already run, one that cannot be opened is shown as
   * unavailable, and is retried. The same holds for one with an invalid profile, if the user can
   * correct it here.
   * @param ofRun a profile that overrides the saved one
   * @param startUp whether it starts paused
   * @throws the error that keeps it from being opened, if no other runs or the queue itself failed
   */
  async showFirst(choice: ServiceChoice, ofRun?: Profile, startUp?: StartUp): Promise<void> {
    try {
      const profile = ofRun ?? this.#savedProfileOf(choice);
      const link = await this.#openFirst(choice, profile, startUp);
      this.begin(choice, link, profile);
    } catch (error) {
      const isOfQueue = error instanceof DiskFullError || error instanceof FolderUnusableError;
      const isOfProfile = error instanceof ProfileUnusableError;
      const isAlone = this.#active.isEmpty && !(isOfProfile && this.#parts.canCorrectProfiles);
      if (isOfQueue || isAlone) throw error;
      const link = this.#parts.unavailable(choice, error);
      if (link === null) throw error;
      await this.#parts.engine.show(setupOf(choice, link, ofRun), startUp);
      this.#lacksProfile = isOfProfile;
      this.begin(choice, link, ofRun);
    }
  }

  /** Starts with the service that the engine shows. An unavailable one is connected later. */
  begin(choice: ServiceChoice, link: ServiceLink, profile: Profile | undefined): void {
    this.#shown = { choice, origin: originOfLink(link), profile };
    this.#active.start(choice, { link: link.service.unavailable ? null : link });
    this.listKnown();
  }

  /**
   * Shows another service, or the same one with another profile. The previous service keeps
   * running. Runs within `changes`.
   */
  async show(choice: ServiceChoice, profile: Profile | undefined): Promise<void> {
    const before = this.shown;
    const isSame = isSameService(choice, before.choice);
    if (!isSame || this.#lacksProfile) return this.#showOther(choice, profile);
    if (!isSameProfile(profile, before.profile)) {
      const link = this.#active.linkOf(choice);
      if (link === null) throw new NotPossibleNowError(userMessage('service-replaced'));
      await this.#engineShows(choice, link, profile);
    }
    this.#shown = { ...before, choice, profile };
    this.#active.changePlan(choice);
  }

  /** Shows a service as it was shown before: one with an invalid profile stays unavailable. */
  async showAgain({ choice, profile }: ServiceInUse): Promise<void> {
    try {
      if (profile === undefined) this.#savedProfileOf(choice);
    } catch (error) {
      return this.#showUnavailable(choice, error);
    }
    return this.show(choice, profile);
  }

  /**
   * Opens a session for every earlier service that has unfinished videos.
   * @param first the service that is shown, or will be
   */
  startEarlier(first: ServiceChoice, startUp?: StartUp): void {
    const { settingsStore, engine } = this.#parts;
    const all = new Map(engine.services().map(({ origin, counts }) => [origin, counts]));
    for (const earlier of settingsStore.earlierServices) {
      const choice = serviceChoiceOf(earlier);
      if (serviceName(choice) === serviceName(first)) continue;
      const counts = all.get(this.originOf(choice) ?? '');
      const isUnfinished = counts && countIn('active', counts) + counts.uncertain > 0;
      if (isUnfinished === true) this.#active.start(choice, { startUp });
    }
  }

  /**
   * Opens a session for a service that another process wants, beside the one that is shown.
   * @returns the session's settings; those of the one shown if it may not be started. If its
   *   profile differs from the wanted one, it is not started.
   */
  async startFor(wanted: WantedService): Promise<ServiceInUse> {
    if (wanted === null) return this.shown;
    const choice = serviceChoiceOf(wanted);
    const inUse = await this.#parts.changes.run(() => Promise.resolve(this.#begin(wanted, choice)));
    if (inUse.origin === this.shown.origin || !this.#active.has(choice)) return inUse;
    await this.#active.started(choice);
    return this.inUse(this.originOf(choice));
  }

  /**
   * The settings of a service's session.
   * @param origin `null` for the one that is shown
   * @throws {NotPossibleNowError} when it has no session
   */
  inUse(origin: string | null): ServiceInUse {
    if (origin === null || origin === this.shown.origin) return this.shown;
    const choice = this.#active.choiceAt(origin);
    if (!choice) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    return { choice, origin, profile: this.#profileOf(choice) };
  }

  /** Asks a service, which may not be in use, whether it accepts a key (§5.7). Stores nothing. */
  async tryKey(
    choice: ServiceChoice,
    profile: Profile | undefined,
    value: string,
  ): Promise<KeyCheckOutcome> {
    const link = await this.#parts.connect(choice);
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
      return await client.checkKey();
    } finally {
      await Promise.all([client.close(), link.close()]);
    }
  }

  /** One frame of the video that a request would make at the service shown. */
  async frame(...[request, signal]: Parameters<DrawFrame>): Promise<Frame> {
    const { choice } = this.shown;
    const link = this.#active.linkOf(choice);
    if (link === null && choice.kind === 'local') return { kind: 'unavailable' };
    return (await link?.drawFrame?.(request, signal)) ?? { kind: 'elsewhere' };
  }

  pauseAll(what: PausedPart): Promise<void> {
    const active = this.#active.decideStartUp({ pause: what });
    return this.#parts.engine.pauseAll(what, this.#originsOf(active));
  }

  resumeAll(): Promise<void> {
    const active = this.#active.decideStartUp('run');
    return this.#parts.engine.resumeAll(this.#originsOf(active));
  }

  /** A service on this computer that has never run has no origin, and no rows. */
  #originsOf(choices: readonly ServiceChoice[]): string[] {
    return choices.flatMap((choice) => this.originOf(choice) ?? []);
  }

  /** Replaces the sessions of services that are not shown and whose profile has changed. */
  applyProfiles(): Promise<void> {
    return this.#active.applyProfiles();
  }

  /** Makes the engine also list earlier services without videos. */
  listKnown(): void {
    const { settingsStore, engine } = this.#parts;
    const known = settingsStore.earlierServices.flatMap((earlier) => {
      const choice = serviceChoiceOf(earlier);
      const origin = this.originOf(choice);
      if (origin === null) return [];
      const isLocal = choice.kind === 'local';
      return [{ origin, isLocal, name: isLocal ? 'this computer' : new URL(origin).host }];
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

  /** Starts no more services. */
  stop(): Promise<void> {
    return this.#active.stop();
  }

  /** Also ends the local service's process, so the engine must be closed first. */
  close(): Promise<void> {
    return this.#active.closeLinks();
  }

  async #openFirst(
    choice: ServiceChoice,
    profile: Profile | undefined,
    startUp?: StartUp,
  ): Promise<ServiceLink> {
    const link = await this.#connectFirst(choice);
    try {
      await this.#parts.engine.show(setupOf(choice, link, profile), startUp);
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  /** Gives up on a hanging process after `FIRST_WAIT_MS` if the user can see other services. */
  async #connectFirst(choice: ServiceChoice): Promise<ServiceLink> {
    const { connect, sleep } = this.#parts;
    if (this.#active.isEmpty) return connect(choice);
    const timeout = new AbortController();
    const connected = new AbortController();
    void sleep(FIRST_WAIT_MS, connected.signal).then(() => timeout.abort());
    try {
      return await connect(choice, timeout.signal);
    } catch (error) {
      if (!timeout.signal.aborted) throw error;
      const message = userMessage('service-still-starting');
      throw new EngineError({ code: 'service-unreachable', ...message }, { cause: error });
    } finally {
      connected.abort();
    }
  }

  async #showOther(choice: ServiceChoice, profile: Profile | undefined): Promise<void> {
    const taken = await this.#active.take(choice);
    const kept = taken && isSameService(taken.choice, choice) ? taken.link : null;
    let link = kept;
    try {
      // One process at a time has the folder of the service on this computer.
      if (taken?.choice.kind === 'local' && kept === null) await taken.link?.close();
      link ??= await this.#parts.connect(choice);
      await this.#engineShows(choice, link, profile);
    } catch (error) {
      const isEnded = taken?.choice.kind === 'local' && kept === null;
      if (taken) this.#active.start(taken.choice, isEnded ? {} : taken);
      if (link !== kept) await link?.close();
      throw error;
    }
    this.#active.start(choice, { link });
    // Different if the same service has another certificate.
    if (link !== taken?.link) await taken?.link?.close();
  }

  /** @param error why its profile cannot be used */
  async #showUnavailable(choice: ServiceChoice, error: unknown): Promise<void> {
    const link = this.#parts.unavailable(choice, error);
    if (link === null) throw error;
    const taken = await this.#active.take(choice);
    await this.#engineShows(choice, link, undefined);
    this.#lacksProfile = true;
    this.begin(choice, link, undefined);
    await taken?.link?.close();
  }

  /** Running calls keep their session, unless it is replaced. */
  #engineShows(
    choice: ServiceChoice,
    link: ServiceLink,
    profile: Profile | undefined,
  ): Promise<void> {
    const { engine, gate } = this.#parts;
    const setup = setupOf(choice, link, profile);
    const origin = originOfLink(link);
    const show = async (): Promise<void> => {
      await engine.show(setup);
      this.#shown = { choice, origin, profile };
      this.#lacksProfile = false;
    };
    const isReplaced = engine.isActive(origin) && !engine.isActiveWith(setup);
    return isReplaced ? gate.runExclusive(origin, show) : show();
  }

  /** Starts a service if that is allowed, and stores it so that it runs again after a restart. */
  #begin(wanted: NonNullable<WantedService>, choice: ServiceChoice): ServiceInUse {
    const { settingsStore } = this.#parts;
    const { service, plan, profile, start } = wanted;
    const isShown = serviceName(choice) === serviceName(this.shown.choice);
    if (isShown || (!start && !this.#active.has(choice))) return this.shown;
    const saved = this.#profileOf(choice);
    const origin = this.originOf(choice) ?? '';
    // An earlier service keeps its profile, because its rows were made for it.
    const isNew =
      choice.kind === 'remote' &&
      saved === undefined &&
      !settingsStore.earlierServices.some((each) => serviceName(serviceChoiceOf(each)) === origin);
    const used = isNew ? (profile ?? undefined) : saved;
    const differs = profile !== null && !isSameProfile(profile, used);
    if (differs || this.#active.has(choice)) return { choice, origin, profile: used };
    const [fault] = [
      ...settingsStore.check({ service, plan }).faults,
      ...(used === undefined ? [] : [originFault(used, origin)]),
    ].filter((each) => each !== null);
    if (fault) throw new EngineError({ code: 'value-invalid', ...messageOf(fault) });
    settingsStore.remember({ service, plan }, isNew ? profile : null);
    this.#active.start(choice);
    this.listKnown();
    return { choice, origin, profile: used };
  }

  /**
   * The effective profile; `undefined` for the default one.
   * @throws {ProfileUnusableError}
   */
  #profileOf(choice: ServiceChoice): Profile | undefined {
    const isShown = this.#shown && serviceName(choice) === serviceName(this.#shown.choice);
    return isShown && !this.#lacksProfile ? this.#shown?.profile : this.#savedProfileOf(choice);
  }

  /** @throws {ProfileUnusableError} */
  #savedProfileOf(choice: ServiceChoice): Profile | undefined {
    return choice.kind === 'local'
      ? undefined
      : this.#parts.settingsStore.profileOf(serviceName(choice));
  }
}

/** The engine's options for the session of a service. */
export function setupOf(
  choice: ServiceChoice,
  { service, plan }: ServiceLink,
  profile: Profile | undefined,
): ServiceSetup {
  return {
    service: { ...service, ...(profile ? { profile } : {}) },
    plan: choice.kind === 'remote' ? choice.plan : plan,
  };
}

/** `undefined` is the default one. */
export function isSameProfile(one: Profile | undefined, other: Profile | undefined): boolean {
  return profileHash(one ?? storyboardProfile) === profileHash(other ?? storyboardProfile);
}
