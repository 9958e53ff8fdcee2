import { serviceIdSchema } from '../../contract/service-address.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Failure } from '../../contract/failure.ts';
import { serviceNameSchema } from '../../contract/managed-service.ts';
import { settingsSchema, type SettingIssue, type Settings } from '../../contract/settings.ts';
import { issueOf, messageOf, userMessage, type UserMessage } from '../../contract/user-message.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { DEFAULT_TEMPLATE } from '../../engine/downloads/naming.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { folderIssue } from '../../engine/files/folder-path.ts';
import { DEFAULT_TRANSFER_LIMITS } from '../../engine/downloads/bandwidth.ts';
import { DEFAULT_PLAN } from '../../engine/pacing/quota.ts';
import { profileSchema, type Profile } from '../../engine/profiles/profile.ts';
import { serviceName } from '../service-link.ts';
import { fingerprintsOf } from './certificates.ts';
import { originIssue } from './origin-issue.ts';
import { issuesIn } from './try-rules.ts';
import {
  formatDocument,
  parseDocument,
  SettingsFile,
  type SettingsDocument,
} from './settings-file.ts';

/** Defaults for settings that the user has not changed. */
const DEFAULTS: Settings = {
  service: { kind: 'local', practice: null },
  plan: { name: DEFAULT_PLAN, limit: null, billingDate: null, zone: null },
  folder: null,
  nameTemplate: DEFAULT_TEMPLATE,
  onCollision: 'number',
  resultsFiles: true,
  transfers: { parallel: DEFAULT_TRANSFER_LIMITS.parallel, bytesPerSecond: null },
  allowVpnAddresses: false,
  archiveAfterDays: null,
  notifications: { batchSaved: true, needsDecision: true, failed: true },
  startUp: 'as-last-time',
  startAtLogin: false,
  closeToTray: true,
  lessPower: 'on-battery',
  updates: 'off',
  theme: 'system',
  language: 'system',
};

/**
 * The field for earlier services in the document. They are not exported: their keys are on this
 * computer.
 */
const EARLIER = 'earlierServices';

/** How requests are made and responses read, by the origin of each remote service. */
export type Profiles = Readonly<Record<string, Profile>>;

/** A service that was selected before, with the plan that was selected for it. */
export type EarlierService = Pick<Settings, 'service' | 'plan'>;

const MAX_EARLIER_SERVICES = 100;

const earlierServiceSchema = settingsSchema.pick({ service: true, plan: true });

/** If an entry cannot be read here, the user can select the service again. */
const earlierServicesSchema = z
  .array(z.unknown())
  .transform((all) =>
    latest(all.flatMap((each) => safeParse(earlierServiceSchema, each).data ?? [])),
  );

/** The field for the user's names of services. Like earlier services, they are not exported. */
const SERVICE_NAMES = 'serviceNames';

/** The user's names of services, by origin. */
type ServiceNames = Readonly<Partial<Record<string, string>>>;

const serviceNamesSchema = z.record(z.string(), serviceNameSchema);

type Name = keyof Settings;

const NAMES = settingsSchema.keyof().options;

/** Keys are origins of services. */
const importedProfilesSchema = z
  .record(
    z
      .string()
      .refine(
        (origin) => serviceIdSchema.safeParse(origin).success,
        issueOf(userMessage('value-not-https')),
      ),
    profileSchema,
  )
  .superRefine(checkOrigins);

/** A profile that names its service cannot be used for another one. */
function checkOrigins(profiles: Profiles, context: z.RefinementCtx): void {
  for (const [origin, { api }] of Object.entries(profiles)) {
    const of = api?.origin ?? origin;
    if (of === origin) continue;
    const { error, params } = issueOf(userMessage('profile-of-other-origin', { origin: of }));
    context.addIssue({
      code: 'custom',
      message: error,
      params,
      path: [origin, 'api', 'origin'],
    });
  }
}

/**
 * A saved profile is invalid. Without it, the service would get requests of the default profile.
 */
export class ProfileUnusableError extends EngineError {
  constructor(why: UserMessage) {
    super({ code: 'profile-unusable', ...messageOf(why) });
  }
}

/** Saved profiles, and the errors of invalid ones, by origin. */
interface SavedProfiles {
  readonly usable: Profiles;
  readonly unusable: ReadonlyMap<string, UserMessage>;
}

/** Each is validated separately: a damaged one must not change the requests to other services. */
function readProfiles(saved: unknown): SavedProfiles {
  const all = safeParse(z.record(z.string(), z.unknown()), saved).data ?? {};
  const usable: Record<string, Profile> = {};
  const unusable = new Map<string, UserMessage>();
  for (const [origin, each] of Object.entries(all)) {
    const { data, error } = safeParse(profileSchema, each);
    const issue = data ? originIssue(data, origin) : null;
    if (data && issue === null) usable[origin] = data;
    else {
      const field = error?.issues[0]?.path.join('.') ?? '';
      unusable.set(origin, issue ?? userMessage('saved-profile-damaged', { origin, field }));
    }
  }
  return { usable, unusable };
}

/** The result of reading a settings document. A document with errors must not be imported. */
export interface DocumentReading {
  readonly settings: Settings;
  readonly profiles: Profiles;
  /** The settings that would change. */
  readonly patch: Readonly<Record<string, unknown>>;
  readonly errors: readonly SettingIssue[];
}

/** The settings in force, and the document that stores them. */
export class SettingsStore {
  readonly #file: SettingsFile;
  readonly #listeners = new Set<(settings: Settings) => void>();
  #document: SettingsDocument;
  #settings: Settings;
  #profiles: Profiles;
  /** Errors of saved profiles that stay in the document until another profile is selected. */
  readonly #unusable: Map<string, UserMessage>;
  #earlier: readonly EarlierService[];
  #serviceNames: ServiceNames;

  /** Why stored settings are not in force. */
  readonly trouble: Failure | null;

  constructor(file: SettingsFile) {
    this.#file = file;
    const { document, trouble } = file.read();
    const read = mergeValid(document, DEFAULTS);
    const { usable, unusable } = readProfiles(document.profiles ?? {});
    const isValid = read.errors.length === 0;
    this.trouble = isValid ? trouble : file.keepDamaged();
    // The valid part of a document with errors is kept.
    this.#document = document;
    this.#settings = read.settings;
    this.#profiles = usable;
    this.#unusable = new Map(unusable);
    this.#earlier = safeParse(earlierServicesSchema, document[EARLIER]).data ?? [];
    this.#serviceNames = safeParse(serviceNamesSchema, document[SERVICE_NAMES]).data ?? {};
    if (!isValid) this.#write({ ...document, ...pickNamed(document, read.settings) });
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Whether the user has chosen this setting, even if the choice equals the default. */
  isChosen(name: Name): boolean {
    return name in this.#document;
  }

  /** Profiles of remote services, by their origin. */
  get profiles(): Profiles {
    return this.#profiles;
  }

  /**
   * The saved profile of a service; `undefined` for the default one.
   * @throws {ProfileUnusableError}
   */
  profileOf(origin: string): Profile | undefined {
    const why = this.#unusable.get(origin);
    if (why) throw new ProfileUnusableError(why);
    return this.#profiles[origin];
  }

  /**
   * The user selected another profile for the service.
   * @returns restores the invalid one, if the other one could not be shown or saved
   */
  dropUnusableProfile(origin: string): () => void {
    const why = this.#unusable.get(origin);
    this.#unusable.delete(origin);
    return () => {
      if (why !== undefined) this.#unusable.set(origin, why);
    };
  }

  /** Whether an invalid profile is saved. */
  hasUnusableProfile(origin: string): boolean {
    return this.#unusable.has(origin);
  }

  get serviceNames(): ServiceNames {
    return this.#serviceNames;
  }

  /** @param name `null` removes the user's name */
  renameService(origin: string, name: string | null): void {
    const others = without(this.#serviceNames, origin);
    const names = name === null ? others : { ...others, [origin]: name };
    this.#write({ ...this.#document, [SERVICE_NAMES]: names });
    this.#serviceNames = names;
    this.#announce();
  }

  /**
   * Forgets everything about a service that is not shown. If the settings name it, they name this
   * computer instead.
   */
  forgetService(origin: string): void {
    const isSelected = serviceName(this.#settings.service) === origin;
    const { service } = isSelected ? DEFAULTS : this.#settings;
    const settings = { ...this.#settings, service };
    const earlier = this.#earlierAfter(settings).filter(
      (each) => serviceName(each.service) !== origin,
    );
    const names = without(this.#serviceNames, origin);
    const profiles = without(this.#profiles, origin);
    this.#unusable.delete(origin);
    this.#write({
      ...this.#document,
      ...pickNamed(this.#document, settings),
      profiles: this.#withUnusable(profiles),
      [EARLIER]: earlier,
      [SERVICE_NAMES]: names,
    });
    this.#settings = settings;
    this.#profiles = profiles;
    this.#earlier = earlier;
    this.#serviceNames = names;
    this.#announce();
  }

  /** Services that were selected before, without duplicates and without the present one. */
  get earlierServices(): readonly EarlierService[] {
    return this.#earlier;
  }

  /**
   * The result of applying a patch. Unknown names are errors: they are probably typing mistakes.
   */
  check(patch: Readonly<Record<string, unknown>>): {
    readonly settings: Settings;
    readonly errors: readonly SettingIssue[];
  } {
    const { settings, errors } = mergeValid(patch, this.#settings);
    const unknown = Object.keys(patch).filter((name) => !isName(name));
    return {
      settings,
      errors: [
        ...errors,
        ...('service' in patch ? certificateIssues(settings) : []),
        ...unknown.map((field) => ({ field, ...userMessage('setting-unknown') })),
      ],
    };
  }

  /** Applies settings that `check` accepted. */
  change(
    patch: Readonly<Record<string, unknown>>,
    settings: Settings,
    profiles: Profiles = this.#profiles,
  ): void {
    const others = profiles === this.#profiles ? {} : { profiles: this.#withUnusable(profiles) };
    const earlier = this.#earlierAfter(settings);
    this.#write({
      ...this.#document,
      ...pickNamed(patch, settings),
      ...others,
      ...(earlier === this.#earlier ? {} : { [EARLIER]: earlier }),
    });
    for (const origin of Object.keys(profiles)) this.#unusable.delete(origin);
    this.#settings = settings;
    this.#profiles = profiles;
    this.#earlier = earlier;
    this.#announce();
  }

  /**
   * Stores a service that runs but was not selected here, with the profile of its session, so that
   * it runs again after a restart.
   */
  remember(earlier: EarlierService, profile: Profile | null): void {
    const key = serviceName(earlier.service);
    if (key === serviceName(this.#settings.service)) return;
    const others = this.#earlier.filter(({ service }) => serviceName(service) !== key);
    const profiles = profile === null ? this.#profiles : { ...this.#profiles, [key]: profile };
    const services = latest([...others, earlier]);
    this.#write({
      ...this.#document,
      profiles: this.#withUnusable(profiles),
      [EARLIER]: services,
    });
    this.#profiles = profiles;
    this.#earlier = services;
  }

  /** What importing a document would change. */
  readDocument(text: string): DocumentReading {
    const now = { settings: this.#settings, profiles: this.#profiles };
    const document = parseDocument(text);
    if (document === null) {
      return { ...now, patch: {}, errors: [{ field: '', ...userMessage('no-settings') }] };
    }
    const {
      version: _,
      profiles: given = {},
      [EARLIER]: __,
      [SERVICE_NAMES]: ___,
      ...patch
    } = document;
    const { settings, errors } = this.check(patch);
    const profiles = safeParse(importedProfilesSchema, given, { reportInput: true });
    const changed = NAMES.filter(
      (name) => name in patch && !isDeepStrictEqual(settings[name], now.settings[name]),
    );
    return {
      settings,
      profiles: { ...now.profiles, ...profiles.data },
      patch: Object.fromEntries(changed.map((name) => [name, settings[name]])),
      errors: [...errors, ...(profiles.error ? issuesIn(profiles.error, 'profiles') : [])],
    };
  }

  /** The settings as a document that can be imported. */
  text(): string {
    const { profiles } = this.#document;
    return formatDocument({ ...(profiles === undefined ? {} : { profiles }), ...this.#settings });
  }

  /** Calls `listener` after every change. Returns the function that unsubscribes it. */
  onChange(listener: (settings: Settings) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #announce(): void {
    for (const listener of this.#listeners) listener(this.#settings);
  }

  #earlierAfter({ service }: Settings): readonly EarlierService[] {
    const before = this.#settings;
    const isAnother = serviceName(service) !== serviceName(before.service);
    if (!isAnother) return this.#earlier;
    const left = this.#earlier.filter((each) =>
      [service, before.service].every((other) => serviceName(other) !== serviceName(each.service)),
    );
    return latest([...left, { service: before.service, plan: before.plan }]);
  }

  /** As stored, including invalid ones. */
  #withUnusable(profiles: Profiles): Record<string, unknown> {
    const saved = Object.entries(this.#document.profiles ?? {});
    const unusable = saved.filter(([origin]) => this.#unusable.has(origin));
    return { ...Object.fromEntries(unusable), ...profiles };
  }

  #write(document: SettingsDocument): void {
    this.#file.write(document);
    this.#document = document;
  }
}

/**
 * The jobs of a service that is left out are kept: it is listed, and started when the user shows
 * it.
 */
function latest(services: readonly EarlierService[]): readonly EarlierService[] {
  return services.slice(-MAX_EARLIER_SERVICES);
}

function without<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
  name: string,
): Values {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)) as Values;
}

/** The settings in a data folder, for a process that does not hold its lock. */
export function peekAtSettings(dataDir: string): Settings {
  return mergeValid(new SettingsFile(dataDir, () => 0).peek(), DEFAULTS).settings;
}

/** The profiles of remote services in a data folder, for a process that does not hold its lock. */
export function peekAtProfiles(dataDir: string): Profiles {
  const { profiles } = new SettingsFile(dataDir, () => 0).peek();
  return readProfiles(profiles ?? {}).usable;
}

/** Validates each setting separately: an invalid one takes its value from `base`. */
function mergeValid(
  document: SettingsDocument,
  base: Settings,
): { readonly settings: Settings; readonly errors: readonly SettingIssue[] } {
  const errors: SettingIssue[] = [];
  const valid: Partial<Record<Name, unknown>> = {};
  for (const name of NAMES) {
    if (!(name in document)) continue;
    const parsed = safeParse(settingsSchema.shape[name], document[name], { reportInput: true });
    const folderError = parsed.success ? folderSettingIssue(name, parsed.data) : null;
    if (!parsed.success) errors.push(...issuesIn(parsed.error, name));
    else if (folderError !== null) errors.push(folderError);
    else valid[name] = parsed.data;
  }
  return { settings: settingsSchema.parse({ ...base, ...valid }), errors };
}

/** Checks that depend on this computer. */
function folderSettingIssue(name: Name, value: unknown): SettingIssue | null {
  const error = name === 'folder' && typeof value === 'string' ? folderIssue(value) : null;
  return error && { field: name, ...error };
}

/** Checks a certificate that is being entered. A saved certificate is checked by connecting. */
function certificateIssues({ service }: Settings): SettingIssue[] {
  const isValid =
    service.kind === 'local' || service.ca === null || fingerprintsOf(service.ca).length > 0;
  return isValid ? [] : [{ field: 'service.ca', ...userMessage('value-not-pem') }];
}

/** The values of those settings that a document names. */
function pickNamed(document: SettingsDocument, settings: Settings): SettingsDocument {
  const names = NAMES.filter((name) => name in document);
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function isName(name: string): name is Name {
  return NAMES.some((known) => known === name);
}
