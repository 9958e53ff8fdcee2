/** The calls on settings and profiles: read, change, export, import. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { countIn } from '../../contract/job-states.ts';
import type { ProfileSaved, ProfileView } from '../../contract/profile.ts';
import { isDocumentedService } from '../../contract/service-cost.ts';
import type {
  ReplacedService,
  ServiceOffer,
  ServiceToTry,
  ServiceToUse,
  ServiceTried,
  ServiceUsed,
} from '../../contract/service-offer.ts';
import { DOCUMENTED_API } from '../../contract/service-profile.ts';
import type {
  ImportPreview,
  SettingIssue,
  Settings,
  SettingsChanged,
  SettingsPatch,
  SettingsView,
  SetupState,
  Tryout,
} from '../../contract/settings.ts';
import { hostOf, serviceIdOf } from '../../contract/service-id.ts';
import { userMessage } from '../../contract/user-message.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import type { Serial } from '../../engine/serial.ts';
import { NotPossibleNowError } from '../../engine/engine-error.ts';
import type { Engine } from '../../engine/engine.ts';
import { profileHash, profileSchema, type Profile } from '../../engine/profiles/profile.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';
import { ObservableValue } from '../observable-value.ts';
import { isPossibleKey } from '../../contract/key-text.ts';
import { notTried } from '../check-service.ts';
import type { ServiceChoice } from '../service-link.ts';
import type { PowerSupply } from '../power-supply.ts';
import { isSameProfile, type QueueServices } from '../queue-services.ts';
import { sampleBatch } from '../sample-batch.ts';
import { serviceOffers } from './service-offers.ts';
import { issuesIn } from './try-rules.ts';
import { originIssue } from './origin-issue.ts';
import type { Profiles, SettingsStore } from './settings-store.ts';
import { settingChanges, settingName } from './settings-changes.ts';
import {
  choiceInForce,
  engineSettings,
  profileFor,
  serviceChoiceOf,
  type Overrides,
} from './effective-settings.ts';

export interface SettingsServiceParts {
  readonly settingsStore: SettingsStore;
  readonly overrides: Overrides;
  /** Absolute path of the folder for files when the settings name none. */
  readonly fallbackFolder: string;
  readonly engine: Engine;
  readonly services: QueueServices;
  /** Serialises changes of the settings and of which services have a session and are shown. */
  readonly changes: Serial;
  readonly power: Pick<PowerSupply, 'isOnBattery' | 'onChange'>;
}

/** Changes settings for a page, and applies the changes to the engine. */
export class SettingsService {
  readonly #parts: SettingsServiceParts;
  #overrides: Overrides;

  constructor(parts: SettingsServiceParts) {
    this.#parts = parts;
    this.#overrides = parts.overrides;
  }

  get view(): SettingsView {
    const { settingsStore, power } = this.#parts;
    const overridden = (['service', 'plan'] as const).filter((name) => this.#overrides[name]);
    const { settings, trouble } = settingsStore;
    return { settings, overridden, trouble, isOnBattery: power.isOnBattery };
  }

  /** The current view and one after each change; ends when `signal` is aborted. */
  async *views(signal: AbortSignal | undefined): AsyncGenerator<SettingsView, void> {
    const { settingsStore, power } = this.#parts;
    const changed = new ObservableValue(settingsStore.settings);
    const subscribed = [
      settingsStore.onChange((settings) => changed.set(settings)),
      power.onChange(() => changed.set(settingsStore.settings)),
    ];
    try {
      for await (const settings of changed.values(signal)) yield { ...this.view, settings };
    } finally {
      for (const unsubscribe of subscribed) unsubscribe();
    }
  }

  /**
   * @param origin of the service that is shown to the user, if that matters
   * @throws {NotPossibleNowError} when another one is shown
   */
  set({ origin, ...patch }: SettingsPatch & { origin?: string }): Promise<SettingsChanged> {
    return this.#parts.changes.run(() => {
      if (origin !== undefined) this.#assertShown(origin);
      return this.#change(patch, this.#parts.settingsStore.profiles);
    });
  }

  export(): string {
    return this.#parts.settingsStore.text();
  }

  previewImport(text: string): ImportPreview {
    const { settingsStore } = this.#parts;
    const { settings, profiles, errors } = settingsStore.readDocument(text);
    const changes = errors.length > 0 ? [] : settingChanges(settingsStore, { settings, profiles });
    const named = errors.map((error) => ({ ...error, name: settingName(error.field) }));
    return { changes, errors: named, confirmation: this.#confirmationOf(text) };
  }

  /** @throws {NotPossibleNowError} when the settings have changed since the preview */
  import(text: string, confirmation: string): Promise<SettingsChanged> {
    return this.#parts.changes.run(() => {
      const { patch, profiles, errors } = this.#parts.settingsStore.readDocument(text);
      if (errors.length > 0) return Promise.resolve({ ...this.view, errors: [...errors] });
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
    const { choice, origin, profile } = this.#parts.services.shown;
    return {
      origin,
      profile: profile ?? storyboardProfile,
      from: this.#overrides.profile
        ? 'run'
        : profile || this.#parts.settingsStore.hasUnusableProfile(origin)
          ? 'saved'
          : 'usual',
      canChange: choice.kind === 'remote',
    };
  }

  /**
   * @param origin of the service that it is meant for
   * @throws {NotPossibleNowError} for the service on this computer, and when another one is shown
   */
  saveProfile(origin: string, entered: unknown): Promise<ProfileSaved> {
    const profile = safeParse(profileSchema, entered, { reportInput: true });
    if (!profile.success) {
      return Promise.resolve({ ...this.profileView, errors: issuesIn(profile.error) });
    }
    const error = originIssue(profile.data, origin);
    if (error !== null) return Promise.resolve({ ...this.profileView, errors: [error] });
    return this.#changeProfile(origin, profile.data).then((view) => ({ ...view, errors: [] }));
  }

  /** @throws {NotPossibleNowError} as `saveProfile` */
  resetProfile(origin: string): Promise<ProfileView> {
    return this.#changeProfile(origin, undefined);
  }

  get offers(): ServiceOffer[] {
    return serviceOffers(this.#parts.settingsStore.profiles);
  }

  /**
   * Switches to a service and stores its profile, both or neither.
   * @param wanted.profile `null` for a service of the documented API
   */
  useService({ settings: patch, profile: entered, replace }: ServiceToUse): Promise<ServiceUsed> {
    return this.#parts.changes.run(async () => {
      const { settingsStore } = this.#parts;
      const { settings, choice, profile, errors } = this.#readService(patch, entered);
      const refused = (all: readonly SettingIssue[]): ServiceUsed => ({
        ...this.view,
        errors: [...all],
        replaces: null,
      });
      if (errors.length > 0) return refused(errors);
      if (choice.kind === 'local') {
        return { ...(await this.#change(patch, settingsStore.profiles)), replaces: null };
      }
      const origin = serviceIdOf(choice.baseUrl);
      const profiles = profile
        ? { ...settingsStore.profiles, [origin]: profile }
        : documentedAt(settings, settingsStore);
      const replaces = this.#replacedAt(origin, profiles[origin]);
      if (replaces !== null && (replace === undefined || replace !== replaces.confirmation)) {
        return { ...refused([]), replaces };
      }
      const restore = settingsStore.dropUnusableProfile(origin);
      return { ...(await this.#change(patch, profiles, { restore })), replaces: null };
    });
  }

  /** Checks a service and a key for it, step by step. Changes nothing. */
  tryService(
    { settings: patch, profile: entered, key }: ServiceToTry,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ServiceTried, void> {
    const { choice, profile, errors } = this.#readService(patch, entered);
    if (choice.kind === 'local') throw new NotPossibleNowError(userMessage('key-of-this-computer'));
    const value = key.trim();
    const ofKey = isPossibleKey(value) ? [] : [{ field: 'key', ...userMessage('key-malformed') }];
    return errors.length > 0 || ofKey.length > 0
      ? notTried([...errors, ...ofKey])
      : this.#parts.services.tryService(choice, profile, value, signal);
  }

  /** A service as it was entered, and the errors of its fields. */
  #readService(patch: SettingsPatch, entered: unknown): ServiceRead {
    const { settings, errors } = this.#parts.settingsStore.check(patch);
    const choice = serviceChoiceOf(settings);
    const parsed =
      entered === null ? null : safeParse(profileSchema, entered, { reportInput: true });
    const profile = parsed?.data;
    const ofProfile = parsed?.error ? issuesIn(parsed.error, 'profile') : [];
    const ofOrigin =
      profile === undefined || choice.kind === 'local'
        ? null
        : originIssue(profile, serviceIdOf(choice.baseUrl));
    const ofAddress = this.#addressIssue(choice);
    const all = [...errors, ...ofProfile, ofOrigin, ofAddress].filter((error) => error !== null);
    return { settings, choice, profile, errors: all };
  }

  /**
   * Refuses the address of this computer's own service as that of a remote one: the key and the plan
   * that belong to a remote one would replace those of its account.
   */
  #addressIssue(choice: ServiceChoice): SettingIssue | null {
    const { localOrigin } = this.#parts.services;
    if (choice.kind === 'local' || localOrigin === null) return null;
    const [at, here] = [new URL(choice.baseUrl), new URL(localOrigin)];
    const isHere = at.port === here.port && isLoopbackName(at.hostname);
    return isHere ? { field: 'service.baseUrl', ...userMessage('address-of-this-computer') } : null;
  }

  /**
   * The service that has another profile at an address. The status of its videos is requested by
   * the profile in force, and its unsent rows are requests of the old one: another API would not
   * understand either. An invalid saved profile counts as different from every other: its content
   * is unknown.
   */
  #replacedAt(origin: string, after: Profile | undefined): ReplacedService | null {
    const { settingsStore, services, engine } = this.#parts;
    const { shown } = services;
    const saved = settingsStore.profiles[origin];
    const known = engine.services().find((each) => each.origin === origin);
    const isUnusable = settingsStore.hasUnusableProfile(origin);
    if (!known && saved === undefined && !isUnusable) return null;
    const before = shown.origin === origin ? shown.profile : saved;
    if (isSameProfile(before, after) && !isUnusable) return null;
    const openVideos = known ? countIn('open', known.counts) : 0;
    const [now, then] = [before, after].map((each) => each ?? storyboardProfile) as [
      Profile,
      Profile,
    ];
    const isPossible =
      openVideos === 0 || isUnusable || isDeepStrictEqual(generateOf(now), generateOf(then));
    return {
      name: before?.api ? before.name : (known?.name ?? hostOf(origin)),
      origin,
      openVideos,
      confirmation: isPossible ? `${profileHash(now)} ${profileHash(then)}` : null,
    };
  }

  /**
   * Shows another service of the queue.
   * @throws {NotPossibleNowError} for one that the queue does not have
   */
  showService(origin: string): Promise<SettingsChanged> {
    const { settingsStore, services } = this.#parts;
    const earlier = settingsStore.earlierServices.find(
      (each) => services.originOf(serviceChoiceOf(each)) === origin,
    );
    if (earlier) return this.set({ service: earlier.service, plan: earlier.plan });
    // A service from a data folder of an earlier version, of which no more is known.
    const isListed = services.view.summary().others.some((other) => other.origin === origin);
    if (!isListed) throw new NotPossibleNowError(userMessage('service-not-in-queue'));
    if (origin === services.localOrigin)
      return this.set({ service: { kind: 'local', practice: null } });
    const { profile } = this.offers.find((offer) => offer.origin === origin) ?? {};
    const service = { kind: 'remote', baseUrl: origin, ca: null } as const;
    // Its rows are for the endpoints of a built-in service.
    const { profiles } = settingsStore;
    return this.#parts.changes.run(() =>
      this.#change(
        { service },
        profile ? { ...profiles, [origin]: profileSchema.parse(profile) } : profiles,
      ),
    );
  }

  /** Runs within `changes`. */
  showThisComputer(): Promise<SettingsChanged> {
    const service = { kind: 'local', practice: null } as const;
    return this.#change({ service }, this.#parts.settingsStore.profiles);
  }

  setupState(): SetupState {
    const { settingsStore, services } = this.#parts;
    const { batches, key, service } = services.view.summary();
    const hasKey = !service.isLocal && key.state !== 'absent';
    return { isSetUp: settingsStore.isChosen('service') || batches.length > 0 || hasKey };
  }

  async tryHere(): Promise<Tryout> {
    const { services } = this.#parts;
    await this.set({ service: { kind: 'local', practice: null } });
    const { origin } = services.shown;
    const { state } = services.view.summary().key;
    if (state === 'absent' || state === 'refused')
      await services.view.run({ origin }, ({ key }) => key.renew({ origin }));
    return { origin, sample: await sampleBatch() };
  }

  #changeProfile(origin: string, profile: Profile | undefined): Promise<ProfileView> {
    return this.#parts.changes.run(async () => {
      this.#assertShown(origin);
      const { canChange } = this.profileView;
      if (!canChange) {
        throw new NotPossibleNowError(userMessage('profile-unchanged'));
      }
      const restore = this.#parts.settingsStore.dropUnusableProfile(origin);
      const profiles = new Map(Object.entries(this.#parts.settingsStore.profiles));
      if (profile === undefined) profiles.delete(origin);
      else profiles.set(origin, profile);
      const overrides = { ...this.#overrides, profile: undefined };
      await this.#change({}, Object.fromEntries(profiles), { overrides, restore });
      return this.profileView;
    });
  }

  #assertShown(origin: string): void {
    if (origin === this.#parts.services.shown.origin) return;
    throw new NotPossibleNowError(userMessage('meant-for-other-service'));
  }

  async #change(
    patch: Readonly<Record<string, unknown>>,
    profiles: Profiles,
    {
      overrides = overridesAfter(this.#overrides, patch),
      restore = () => undefined,
    }: { readonly overrides?: Overrides; readonly restore?: () => void } = {},
  ): Promise<SettingsChanged> {
    const { settingsStore, services, engine, fallbackFolder } = this.#parts;
    const { settings, errors } = settingsStore.check(patch);
    if (errors.length > 0) return { ...this.view, errors: [...errors] };
    const choice = choiceInForce(settings, overrides);
    const ofAddress = 'service' in patch ? this.#addressIssue(choice) : null;
    if (ofAddress !== null) return { ...this.view, errors: [ofAddress] };
    const before = services.shown;
    const profile = overrides.profile ?? profileFor(choice, profiles);
    // The default profile must not replace it.
    if (profile === undefined && choice.kind === 'remote') {
      settingsStore.profileOf(serviceIdOf(choice.baseUrl));
    }
    try {
      await services.show(choice, profile);
    } catch (error) {
      restore();
      throw error;
    }
    try {
      settingsStore.change(patch, settings, profiles);
    } catch (error) {
      restore();
      // The next change would apply to the service in the settings, which must be the one shown.
      await services.showAgain(before);
      throw error;
    }
    this.#overrides = overrides;
    services.applyProfiles();
    services.listKnown();
    engine.applySettings(engineSettings(settings, fallbackFolder));
    return { ...this.view, errors: [] };
  }
}

interface ServiceRead {
  readonly settings: Settings;
  readonly choice: ServiceChoice;
  /** `undefined` for a service of the documented API, and for a profile with errors. */
  readonly profile: Profile | undefined;
  readonly errors: readonly SettingIssue[];
}

/** Whether a host name of a URL is this computer's own. */
function isLoopbackName(hostname: string): boolean {
  return /^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
}

/** The request for a video. */
function generateOf({ api = DOCUMENTED_API }: Profile): unknown {
  return api.generate;
}

/**
 * The profiles without one that describes another service at the address that the settings name.
 */
function documentedAt(settings: Settings, { profiles }: SettingsStore): Profiles {
  const choice = serviceChoiceOf(settings);
  const api = profileFor(choice, profiles)?.api;
  if (choice.kind === 'local' || api === undefined || isDocumentedService(api)) return profiles;
  const origin = serviceIdOf(choice.baseUrl);
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
