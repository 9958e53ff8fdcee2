import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Failure } from '../../contract/failure.ts';
import { settingsSchema, type SettingFault, type Settings } from '../../contract/settings.ts';
import { faultOf, userMessage } from '../../contract/user-message.ts';
import { DEFAULT_TEMPLATE } from '../../engine/downloads/naming.ts';
import { folderFault } from '../../engine/commands/folder-path.ts';
import { DEFAULT_TRANSFER_LIMITS } from '../../engine/flow/transfer-limits.ts';
import { profileSchema, type Profile } from '../../engine/profiles/profile.ts';
import { fingerprintsOf } from './certificates.ts';
import { faultsIn } from './profile-trial.ts';
import {
  documentText,
  parsedDocument,
  SettingsFile,
  type SettingsDocument,
} from './settings-file.ts';

/** What holds until somebody chooses something else. */
const USUAL: Settings = {
  service: { kind: 'local' },
  plan: { name: 'starter', limit: null, billingDate: null, zone: null },
  folder: null,
  nameTemplate: DEFAULT_TEMPLATE,
  onCollision: 'number',
  transfers: { parallel: DEFAULT_TRANSFER_LIMITS.parallel, bytesPerSecond: null },
  allowVpnAddresses: false,
  notifications: { batchSaved: true, needsDecision: true, failed: true },
  startUp: 'as-last-time',
  startAtLogin: false,
  closeToTray: true,
  updates: 'off',
  theme: 'system',
  language: 'system',
};

/** How services elsewhere are asked and answer, by the origin that each profile is for. */
export type Profiles = Readonly<Record<string, Profile>>;

type Name = keyof Settings;

const NAMES = settingsSchema.keyof().options;

const profilesSchema = z.record(z.string(), profileSchema);

/** By the origin of the service that each is for. */
const importedProfilesSchema = z.record(
  z
    .string()
    .refine(
      (origin) => origin.startsWith('https:') && URL.parse(origin)?.origin === origin,
      faultOf(userMessage('value-not-https')),
    ),
  profileSchema,
);

/** What a document would change. A document with a fault must not be imported. */
export interface DocumentReading {
  readonly settings: Settings;
  readonly profiles: Profiles;
  /** Those settings that would change. */
  readonly patch: Readonly<Record<string, unknown>>;
  readonly faults: readonly SettingFault[];
}

/** The settings in force, and the document that they are kept in. */
export class SettingsStore {
  readonly #file: SettingsFile;
  readonly #listeners = new Set<(settings: Settings) => void>();
  #document: SettingsDocument;
  #settings: Settings;
  #profiles: Profiles;

  /** Why settings that were there are not in force. */
  readonly trouble: Failure | null;

  constructor(file: SettingsFile) {
    this.#file = file;
    const { document, trouble } = file.read();
    const read = merged(document, USUAL);
    const profiles = profilesSchema.safeParse(document.profiles ?? {});
    const isSound = read.faults.length === 0 && profiles.success;
    this.trouble = isSound ? trouble : file.setAside();
    // What is sound in a document with a fault is not thrown away with it.
    this.#document = document;
    this.#settings = read.settings;
    this.#profiles = profiles.data ?? {};
    if (!isSound) this.#keep({ ...document, ...chosen(document, read.settings) });
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Whether the user has chosen this, be it the usual value. */
  isChosen(name: Name): boolean {
    return name in this.#document;
  }

  /** Profiles of services elsewhere, by their origin. */
  get profiles(): Profiles {
    return this.#profiles;
  }

  /** What a patch would come to. Unknown names in it are faults: somebody mistyped them. */
  check(patch: Readonly<Record<string, unknown>>): {
    readonly settings: Settings;
    readonly faults: readonly SettingFault[];
  } {
    const { settings, faults } = merged(patch, this.#settings);
    const unknown = Object.keys(patch).filter((name) => !isName(name));
    return {
      settings,
      faults: [
        ...faults,
        ...('service' in patch ? certificateFaults(settings) : []),
        ...unknown.map((field) => ({ field, ...userMessage('setting-unknown') })),
      ],
    };
  }

  /** Takes over settings that `check` found sound. */
  change(
    patch: Readonly<Record<string, unknown>>,
    settings: Settings,
    profiles: Profiles = this.#profiles,
  ): void {
    const others = profiles === this.#profiles ? {} : { profiles };
    this.#keep({ ...this.#document, ...chosen(patch, settings), ...others });
    this.#settings = settings;
    this.#profiles = profiles;
    for (const hear of this.#listeners) hear(settings);
  }

  /** What importing a document would change. */
  readDocument(text: string): DocumentReading {
    const now = { settings: this.#settings, profiles: this.#profiles };
    const document = parsedDocument(text);
    if (document === null) {
      return { ...now, patch: {}, faults: [{ field: '', ...userMessage('no-settings') }] };
    }
    const named = NAMES.filter((name) => name in document);
    const { settings, faults } = this.check(
      Object.fromEntries(named.map((name) => [name, document[name]])),
    );
    const profiles = importedProfilesSchema.safeParse(document.profiles ?? {}, {
      reportInput: true,
    });
    const changed = named.filter((name) => !isDeepStrictEqual(settings[name], now.settings[name]));
    return {
      settings,
      profiles: { ...now.profiles, ...profiles.data },
      patch: Object.fromEntries(changed.map((name) => [name, settings[name]])),
      faults: [...faults, ...(profiles.error ? faultsIn(profiles.error, 'profiles') : [])],
    };
  }

  /** As a document that can be imported. */
  text(): string {
    return documentText({ ...this.#document, ...this.#settings });
  }

  /** Calls `hear` after every change. Returns what ends that. */
  onChange(hear: (settings: Settings) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  #keep(document: SettingsDocument): void {
    this.#file.write(document);
    this.#document = document;
  }
}

/** The settings in a data folder, for whoever does not own it. */
export function peekAtSettings(dataDir: string): Settings {
  return merged(new SettingsFile(dataDir, () => 0).peek(), USUAL).settings;
}

/** The profiles of services elsewhere in a data folder, for whoever does not own it. */
export function peekAtProfiles(dataDir: string): Profiles {
  const { profiles } = new SettingsFile(dataDir, () => 0).peek();
  return profilesSchema.safeParse(profiles).data ?? {};
}

/**
 * Reads each setting by itself: one with a fault leaves the others, and `base` stands in for it.
 */
function merged(
  document: SettingsDocument,
  base: Settings,
): { readonly settings: Settings; readonly faults: readonly SettingFault[] } {
  const faults: SettingFault[] = [];
  const sound: Partial<Record<Name, unknown>> = {};
  for (const name of NAMES) {
    if (!(name in document)) continue;
    const parsed = settingsSchema.shape[name].safeParse(document[name], { reportInput: true });
    const more = parsed.success ? beyondShape(name, parsed.data) : null;
    if (!parsed.success) faults.push(...faultsIn(parsed.error, name));
    else if (more !== null) faults.push(more);
    else sound[name] = parsed.data;
  }
  return { settings: settingsSchema.parse({ ...base, ...sound }), faults };
}

/** What only this computer can say. */
function beyondShape(name: Name, value: unknown): SettingFault | null {
  const fault = name === 'folder' && typeof value === 'string' ? folderFault(value) : null;
  return fault && { field: name, ...fault };
}

/** Checks a certificate that is entered. A certificate in force is checked by connecting. */
function certificateFaults({ service }: Settings): SettingFault[] {
  const isSound =
    service.kind === 'local' || service.ca === null || fingerprintsOf(service.ca).length > 0;
  return isSound ? [] : [{ field: 'service.ca', ...userMessage('value-not-pem') }];
}

/** The settings that a document names. */
function chosen(document: SettingsDocument, settings: Settings): SettingsDocument {
  const names = NAMES.filter((name) => name in document);
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function isName(name: string): name is Name {
  return NAMES.some((known) => known === name);
}
