import { hash } from 'node:crypto';
import type { Frame } from '../../contract/frame.ts';
import type { ProfileSaved, ProfileView } from '../../contract/profile.ts';
import { isDocumentedService } from '../../contract/service-cost.ts';
import type { ServiceOffer } from '../../contract/service-offer.ts';
import type {
  ImportPreview,
  Settings,
  SettingsChanged,
  SettingsPatch,
  SettingsView,
  SetupState,
  Tryout,
} from '../../contract/settings.ts';
import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../../engine/engine-error.ts';
import type { Engine, PlanOptions, ServiceSetup } from '../../engine/engine.ts';
import { countIn } from '../../contract/job-states.ts';
import type { PausedPart } from '../../contract/summary.ts';
import { BackgroundServices } from '../background-services.ts';
import { profileSchema, type Profile } from '../../engine/profiles/profile.ts';
import { requestLabels } from '../../engine/intake/describe-fields.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';
import type { CallGate } from '../call-gate.ts';
import type { WantedService } from '../primary-contract.ts';
import { ObservableValue } from '../observable-value.ts';
import { sampleBatch } from '../sample-batch.ts';
import type { DrawFrame } from '../local-frames.ts';
import {
  isSameService,
  originOfLink,
  serviceName,
  type ServiceChoice,
  type ServiceLink,
} from '../service-link.ts';
import { originFault, serviceOffers } from './service-offers.ts';
import { faultsIn } from './try-rules.ts';
import type { EarlierService, Profiles, SettingsStore } from './settings-store.ts';
import { settingChanges, settingName } from './settings-changes.ts';
import { engineSettings, profileFor, serviceChoiceOf } from './effective-settings.ts';

/** Values that override the settings in this run. */
export interface Overrides {
  readonly service?: ServiceChoice | undefined;
  readonly plan?: PlanOptions | undefined;
  readonly profile?: Profile | undefined;
}

export interface SettingsServiceParts {
  readonly settingsStore: SettingsStore;
  readonly overrides: Overrides;
  /** Absolute path of the folder for files when the settings name none. */
  readonly fallbackFolder: string;
  readonly engine: Engine;
  readonly gate: CallGate;
  readonly link: ServiceLink;
  readonly connect: (choice: ServiceChoice, signal?: AbortSignal) => Promise<ServiceLink>;
  /** Origin of the service on this computer; `null` if it has never run. */
  readonly localOrigin: () => string | null;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onBackgroundError: (service: string, error: unknown) => void;
  /** A new key for the account on this computer. */
  readonly newLocalKey: (plan: string) => Promise<string>;
}

/** A service that is worked, and its profile; `undefined` for the default one. */
export interface ServiceInUse {
  readonly link: ServiceLink;
  readonly profile: Profile | undefined;
}

/** Changes settings for a page, and applies the changes to the engine. */
export class SettingsService {
  readonly #parts: SettingsServiceParts;
  readonly #serviceLost = Promise.withResolvers<undefined>();
  #overrides: Overrides;
  #link: ServiceLink;
  readonly #background: BackgroundServices;
  /** Serializes changes. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(parts: SettingsServiceParts) {
    this.#parts = parts;
    this.#overrides = parts.overrides;
    this.#link = parts.link;
    this.#background = new BackgroundServices({
      ...{ engine: parts.engine, gate: parts.gate, connect: parts.connect, sleep: parts.sleep },
      setupOf: (link) => this.#setupOf(link),
      onError: parts.onBackgroundError,
    });
    this.#watchLink();
    this.#listKnown();
  }

  /** Resolves if the local service's process ends unexpectedly. */
  get serviceLost(): Promise<void> {
    return this.#serviceLost.promise;
  }

  get view(): SettingsView {
    const { settingsStore } = this.#parts;
    const overridden = (['service', 'plan'] as const).filter((name) => this.#overrides[name]);
    return { settings: settingsStore.settings, overridden, trouble: settingsStore.trouble };
  }

  /** The current view and one after each change; ends when `signal` is aborted. */
  async *views(signal: AbortSignal | undefined): AsyncGenerator<SettingsView, void> {
    const changed = new ObservableValue(this.#parts.settingsStore.settings);
    const unsubscribe = this.#parts.settingsStore.onChange((settings) => changed.set(settings));
    try {
      for await (const settings of changed.values(signal)) yield { ...this.view, settings };
    } finally {
      unsubscribe();
    }
  }

  set(patch: SettingsPatch): Promise<SettingsChanged> {
    return this.#serialize(() => this.#change(patch, this.#parts.settingsStore.profiles));
  }

  export(): string {
    return this.#parts.settingsStore.text();
  }

  previewImport(text: string): ImportPreview {
    const { settingsStore } = this.#parts;
    const { settings, profiles, faults } = settingsStore.readDocument(text);
    const changes = faults.length > 0 ? [] : settingChanges(settingsStore, { settings, profiles });
    const named = faults.map((fault) => ({ ...fault, name: settingName(fault.field) }));
    return { changes, faults: named, confirmation: this.#confirmationOf(text) };
  }

  /** @throws {NotPossibleNowError} when the settings have changed since the preview */
  import(text: string, confirmation: string): Promise<SettingsChanged> {
    return this.#serialize(() => {
      const { patch, profiles, faults } = this.#parts.settingsStore.readDocument(text);
      if (faults.length > 0) return Promise.resolve({ ...this.view, faults: [...faults] });
      if (confirmation !== this.#confirmationOf(text)) {
        throw new NotPossibleNowError(userMessage('settings-changed-meanwhile'));
      }
      return this.#change(patch, profiles);
    });
  }

  /** Differs for each document, and after each change of the settings or profiles. */
  #confirmationOf(text: string): string {
    const { settings, profiles } = this.#parts.settingsStore;
    return hash('sha256', JSON.stringify([text, settings, profiles]));
  }

  get profileView(): ProfileView {
    const { choice, service } = this.#link;
    const profile = this.#profile;
    const { request } = profile ?? storyboardProfile;
    return {
      origin: new URL(service.baseUrl).origin,
      profile: profile ?? storyboardProfile,
      labels: requestLabels(request),
      from: this.#overrides.profile ? 'run' : profile ? 'saved' : 'usual',
      canChange: choice.kind === 'remote',
    };
  }

  /** @throws {NotPossibleNowError} for the service on this computer */
  saveProfile(entered: unknown): Promise<ProfileSaved> {
    const profile = profileSchema.safeParse(entered, { reportInput: true });
    if (!profile.success) {
      return Promise.resolve({ ...this.profileView, faults: faultsIn(profile.error) });
    }
    const fault = originFault(profile.data, this.profileView.origin);
    if (fault !== null) return Promise.resolve({ ...this.profileView, faults: [fault] });
    return this.#changeProfile(profile.data).then((view) => ({ ...view, faults: [] }));
  }

  /** @throws {NotPossibleNowError} for the service on this computer */
  resetProfile(): Promise<ProfileView> {
    return this.#changeProfile(undefined);
  }

  get offers(): ServiceOffer[] {
    return serviceOffers(this.#parts.settingsStore.profiles);
  }

  /**
   * Changes to a service and stores its profile, both or neither.
   * @param entered the profile; `null` for a service of the documented API
   */
  useService(patch: SettingsPatch, entered: unknown): Promise<SettingsChanged> {
    return this.#serialize(() => {
      const { settingsStore } = this.#parts;
      const { settings, faults: ofSettings } = settingsStore.check(patch);
      if (entered === null) return this.#change(patch, documentedAt(settings, settingsStore));
      const parsed = profileSchema.safeParse(entered, { reportInput: true });
      const ofProfile = parsed.success ? [] : faultsIn(parsed.error, 'profile');
      const faults = [...ofSettings, ...ofProfile];
      const choice = serviceChoiceOf(settings);
      if (choice.kind === 'local' || !parsed.success || faults.length > 0) {
        return Promise.resolve({ ...this.view, faults });
      }
      const { origin } = new URL(choice.baseUrl);
      const fault = originFault(parsed.data, origin);
      if (fault !== null) return Promise.resolve({ ...this.view, faults: [fault] });
      return this.#change(patch, { ...settingsStore.profiles, [origin]: parsed.data });
    });
  }

  /** One frame of the video that a request would make. */
  async frame(...[request, signal]: Parameters<DrawFrame>): Promise<Frame> {
    return (await this.#link.drawFrame?.(request, signal)) ?? { kind: 'elsewhere' };
  }

  /** Works every earlier service that has videos which can go on. */
  workEarlierServices(): void {
    const { settingsStore, engine } = this.#parts;
    const others = new Map(engine.summary().others.map(({ origin, counts }) => [origin, counts]));
    for (const earlier of settingsStore.earlierServices) {
      const choice = choiceOf(earlier);
      const counts = others.get(this.#originOf(choice) ?? '');
      const isToDo = counts && countIn('active', counts) + counts.uncertain > 0;
      if (isToDo === true) this.#background.work(choice);
    }
  }

  /**
   * Shows another service of the queue.
   * @throws {NotPossibleNowError} for one that the queue does not have
   */
  showService(origin: string): Promise<SettingsChanged> {
    const { settingsStore, engine } = this.#parts;
    const earlier = settingsStore.earlierServices.find(
      (each) => this.#originOf(choiceOf(each)) === origin,
    );
    if (earlier) return this.set({ service: earlier.service, plan: earlier.plan });
    // Of a data folder that an earlier version wrote: no more is known of it.
    const isListed = engine.summary().others.some((other) => other.origin === origin);
    if (!isListed) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    if (origin === this.#parts.localOrigin()) return this.set({ service: { kind: 'local' } });
    const { profile } = this.offers.find((offer) => offer.origin === origin) ?? {};
    const service = { kind: 'remote', baseUrl: origin, ca: null } as const;
    // Its rows are for the endpoints of a built-in service.
    return profile ? this.useService({ service }, profile) : this.set({ service });
  }

  /**
   * Works a service for another process, if it is not worked, beside the one that is shown.
   * @returns what it is worked with; that of the one shown if it may not be started
   */
  workFor(wanted: WantedService): Promise<ServiceInUse> {
    return this.#serialize(async () => {
      const shown = this.inUse(null);
      if (wanted === null) return shown;
      const { service, plan, profile, start } = wanted;
      const choice = choiceOf({ service, plan });
      if (serviceName(choice) === serviceName(this.#link.choice)) return shown;
      const { settingsStore } = this.#parts;
      if (!(await this.#background.started(choice))) {
        if (!start) return shown;
        const isOwn = profile !== null && !profileFor(choice, settingsStore.profiles);
        settingsStore.remember({ service, plan }, isOwn ? profile : null);
        this.#background.work(choice);
        this.#listKnown();
      }
      const link = await this.#background.started(choice);
      if (!link) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
      return { link, profile: profileFor(choice, settingsStore.profiles) };
    });
  }

  /**
   * What a service is worked with.
   * @param origin `null` for the one that is shown
   * @throws {NotPossibleNowError} when it is not worked
   */
  inUse(origin: string | null): ServiceInUse {
    const isShown = origin === null || origin === originOfLink(this.#link);
    const link = isShown ? this.#link : this.#background.linkAt(origin);
    if (!link) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    const { profiles } = this.#parts.settingsStore;
    return { link, profile: isShown ? this.#profile : profileFor(link.choice, profiles) };
  }

  pauseAll(what: PausedPart): Promise<void> {
    return this.#parts.engine.pauseAll(what);
  }

  resumeAll(): Promise<void> {
    return this.#parts.engine.resumeAll();
  }

  setupState(): SetupState {
    const { settingsStore, engine } = this.#parts;
    const { batches, key, service } = engine.summary();
    const hasKey = !service.isLocal && key.state !== 'absent';
    return { isSetUp: settingsStore.isChosen('service') || batches.length > 0 || hasKey };
  }

  async tryHere(): Promise<Tryout> {
    const { engine, newLocalKey } = this.#parts;
    await this.set({ service: { kind: 'local' } });
    const origin = originOfLink(this.#link);
    if (engine.summary().key.state === 'absent') {
      await engine.commands.key.set({ origin, value: await newLocalKey(this.#link.plan.name) });
    }
    return { origin, sample: await sampleBatch() };
  }

  /** Starts no service any more. */
  stopBackground(): Promise<void> {
    return this.#background.stop();
  }

  /** Also ends the local service's process, so the engine must be closed first. */
  async close(): Promise<void> {
    const link = this.#link;
    this.#link = { ...link, ended: new Promise(() => undefined) };
    await Promise.all([link.close(), this.#background.closeLinks()]);
  }

  #changeProfile(profile: Profile | undefined): Promise<ProfileView> {
    return this.#serialize(async () => {
      const { origin, canChange } = this.profileView;
      if (!canChange) {
        throw new NotPossibleNowError(userMessage('answers-known-here'));
      }
      const profiles = new Map(Object.entries(this.#parts.settingsStore.profiles));
      if (profile === undefined) profiles.delete(origin);
      else profiles.set(origin, profile);
      await this.#change({}, Object.fromEntries(profiles), {
        ...this.#overrides,
        profile: undefined,
      });
      return this.profileView;
    });
  }

  async #change(
    patch: Readonly<Record<string, unknown>>,
    profiles: Profiles,
    overrides = overridesAfter(this.#overrides, patch),
  ): Promise<SettingsChanged> {
    const { settingsStore } = this.#parts;
    const { settings, faults } = settingsStore.check(patch);
    if (faults.length > 0) return { ...this.view, faults: [...faults] };
    const choice = overrides.service ?? serviceChoiceOf(settings);
    await this.#connect(choice, overrides, overrides.profile ?? profileFor(choice, profiles));
    this.#overrides = overrides;
    settingsStore.change(patch, settings, profiles);
    await this.#background.applyProfiles();
    this.#listKnown();
    this.#applyToEngine(settings);
    return { ...this.view, faults: [] };
  }

  /** Shows another service, or the same one by another profile. The one before goes on. */
  async #connect(
    choice: ServiceChoice,
    overrides: Overrides,
    profile: Profile | undefined,
  ): Promise<void> {
    const { connect, engine, gate } = this.#parts;
    const before = this.#linkNow;
    const isSame = isSameService(choice, before.choice);
    if (isSame && JSON.stringify(profile) === JSON.stringify(this.#profile)) return;
    const taken = isSame ? null : await this.#background.take(choice);
    const link = isSame ? before : (taken ?? (await connect(choice)));
    try {
      await gate.runExclusive(() =>
        engine.show({
          service: { ...link.service, ...(profile ? { profile } : {}) },
          plan: overrides.plan ?? (choice.kind === 'remote' ? choice.plan : link.plan),
        }),
      );
    } catch (error) {
      if (taken) this.#background.work(taken.choice, taken);
      else if (!isSame) await link.close();
      throw error;
    }
    if (isSame) return;
    this.#link = link;
    this.#watchLink();
    // The same service with another certificate.
    if (serviceName(before.choice) === serviceName(choice)) await before.close();
    else this.#background.work(before.choice, before);
  }

  /** The plan may have changed since it was connected. */
  get #linkNow(): ServiceLink {
    const choice = this.#overrides.service ?? serviceChoiceOf(this.#parts.settingsStore.settings);
    if (choice.kind === 'local') return this.#link;
    return { ...this.#link, choice, plan: this.#overrides.plan ?? choice.plan };
  }

  #setupOf({ choice, service, plan }: ServiceLink): ServiceSetup {
    const profile = profileFor(choice, this.#parts.settingsStore.profiles);
    return { service: { ...service, ...(profile ? { profile } : {}) }, plan };
  }

  #originOf(choice: ServiceChoice): string | null {
    return choice.kind === 'local' ? this.#parts.localOrigin() : serviceName(choice);
  }

  /** Has the engine list earlier services that have no videos, too. */
  #listKnown(): void {
    const { settingsStore, engine } = this.#parts;
    const known = settingsStore.earlierServices.flatMap((earlier) => {
      const choice = choiceOf(earlier);
      const origin = this.#originOf(choice);
      if (origin === null) return [];
      const isLocal = choice.kind === 'local';
      return [{ origin, isLocal, name: isLocal ? 'this computer' : new URL(origin).host }];
    });
    engine.setKnownServices(known);
  }

  /** The effective profile; `undefined` for the default one. */
  get #profile(): Profile | undefined {
    return (
      this.#overrides.profile ?? profileFor(this.#link.choice, this.#parts.settingsStore.profiles)
    );
  }

  #applyToEngine(settings: Settings): void {
    const { engine, fallbackFolder } = this.#parts;
    const choice = this.#overrides.service ?? serviceChoiceOf(settings);
    engine.applySettings({
      ...engineSettings(settings, fallbackFolder),
      ...(choice.kind === 'remote' && { plan: this.#overrides.plan ?? choice.plan }),
    });
  }

  #watchLink(): void {
    const link = this.#link;
    void link.ended.then(() => {
      if (this.#link === link) this.#serviceLost.resolve(undefined);
    });
  }

  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(work);
    this.#lastChange = result.catch(() => undefined);
    return result;
  }
}

function choiceOf({ service, plan }: EarlierService): ServiceChoice {
  return serviceChoiceOf({ service, plan });
}

/** The profiles without one that describes another service at the address that the settings name. */
function documentedAt(settings: Settings, { profiles }: SettingsStore): Profiles {
  const choice = serviceChoiceOf(settings);
  const api = profileFor(choice, profiles)?.api;
  if (choice.kind === 'local' || api === undefined || isDocumentedService(api)) return profiles;
  const { origin } = new URL(choice.baseUrl);
  return Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== origin));
}

/** A choice in the page takes precedence over the command line, so it removes those overrides. */
function overridesAfter(overrides: Overrides, patch: Readonly<Record<string, unknown>>): Overrides {
  const { service, plan, profile } = overrides;
  const changesService = 'service' in patch;
  return {
    service: changesService ? undefined : service,
    plan: changesService || 'plan' in patch ? undefined : plan,
    profile: changesService ? undefined : profile,
  };
}
