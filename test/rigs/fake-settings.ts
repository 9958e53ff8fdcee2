import { ORPCError } from '@orpc/client';
import type { HostContract } from '../../src/contract/contract.ts';
import type { Failure } from '../../src/contract/failure.ts';
import type { EnteredKey } from '../../src/contract/summary.ts';
import type { ProfileView } from '../../src/contract/profile.ts';
import {
  settingsSchema,
  type SettingIssue,
  type Settings,
  type SettingsView,
} from '../../src/contract/settings.ts';
import { userMessage } from '../../src/contract/user-message.ts';
import type { Handlers } from '../../src/engine/commands/handlers.ts';
import { NotPossibleNowError } from '../../src/engine/engine-error.ts';
import { folderIssue } from '../../src/engine/files/folder-path.ts';
import { profileHash, profileSchema, type Profile } from '../../src/engine/profiles/profile.ts';
import type { PLAN_QUOTAS } from '../../src/engine/pacing/quota.ts';
import { checkService, notTried } from '../../src/host/check-service.ts';
import { proposeRulesFor } from '../../src/host/settings/example-answers.ts';
import { proposeService } from '../../src/host/settings/propose-service.ts';
import { checkProfile, serviceOffers } from '../../src/host/settings/service-offers.ts';
import { startingPoints } from '../../src/host/settings/starting-points.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import { issuesIn, tryAnswerRules } from '../../src/host/settings/try-rules.ts';
import { settingChanges, settingName } from '../../src/host/settings/settings-changes.ts';

/** A remote account, with defaults for everything else. */
const SETTINGS: Settings = {
  service: { kind: 'remote', baseUrl: 'https://video.example.com', ca: null },
  plan: { name: 'pro', limit: null, billingDate: '2026-11-01', zone: null },
  folder: null,
  nameTemplate: '{batch}/{index} {title}.mp4',
  onCollision: 'number',
  transfers: { parallel: 3, bytesPerSecond: null },
  allowVpnAddresses: false,
  archiveAfterDays: null,
  notifications: { batchSaved: true, needsDecision: true, failed: true },
  startUp: 'as-last-time',
  startAtLogin: false,
  resultsFiles: true,
  closeToTray: true,
  lessPower: 'on-battery',
  updates: 'stable',
  theme: 'system',
  language: 'system',
};

interface FakeSettingsParts {
  readonly settings: Partial<Settings> | undefined;
  readonly isOnBattery?: boolean | undefined;
  readonly publish: () => void;
  readonly openVideosAt: (origin: string) => number;
  /** What the service says about a key that is entered. */
  readonly checkKey: (key: string) => { entered: EnteredKey; failure: Failure | null };
}

/** A service that answers as a test wants. */
function serviceThat({ entered, failure }: ReturnType<FakeSettingsParts['checkKey']>) {
  const response = { status: 200, headers: {}, body: '', sentAt: 0, receivedAt: 0 };
  const connection = { generate: () => Promise.reject(new Error()), close: () => undefined };
  return {
    connect: () =>
      Promise.resolve(
        entered === 'unchecked' && failure !== null
          ? ({ kind: 'not-connected', failure } as const)
          : ({ kind: 'connected', connection } as const),
      ),
    checkKey: () =>
      Promise.resolve(
        failure === null
          ? ({ kind: 'accepted', response } as const)
          : ({ kind: 'key-refused', failure, response } as const),
      ),
    balance: () => Promise.resolve({ kind: 'balance', amount: 420, response } as const),
  };
}

const ACCOUNT = { host: 'video.example.com', unit: { unit: 'credit', currency: null } } as const;

type HostHandlers = Handlers<HostContract>;

interface FakeSettings extends Pick<HostHandlers, 'settings' | 'profile'> {
  isLocal(): boolean;
  /** The plan that this computer practises with, or `null`; left out for another service. */
  practice(): keyof typeof PLAN_QUOTAS | null | undefined;
  origin(): string;
  /** Of the profile of the service shown. */
  profileHash(): string;
  /** Tells those who watch the settings that something changed. */
  announce(): void;
}

/** Settings and profile as the host reports them, validated by the same schemas. */
export function fakeSettings({
  settings: initial,
  isOnBattery = false,
  publish,
  openVideosAt,
  checkKey,
}: FakeSettingsParts): FakeSettings {
  let settings: Settings = { ...SETTINGS, ...initial };
  /** By the origin of the service that each is for. */
  const profiles = new Map<string, Profile>();
  const watching = new Set<() => void>();

  const isLocal = (): boolean => settings.service.kind === 'local';
  const origin = (): string =>
    settings.service.kind === 'local'
      ? 'https://127.0.0.1:8443'
      : new URL(settings.service.baseUrl).origin;
  const view = (): SettingsView => ({
    settings,
    overridden: [],
    trouble: null,
    isOnBattery,
  });
  const profileView = (): ProfileView => ({
    origin: origin(),
    profile: profiles.get(origin()) ?? storyboardProfile,
    from: profiles.has(origin()) ? 'saved' : 'usual',
    canChange: !isLocal(),
  });

  function notifyWatchers(): void {
    for (const wake of watching) wake();
    watching.clear();
  }

  function check(patch: object): { valid: Partial<Settings>; errors: SettingIssue[] } {
    const errors: SettingIssue[] = [];
    const valid: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(patch)) {
      if (!(name in SETTINGS)) continue;
      const schema = settingsSchema.shape[name as keyof Settings];
      const parsed = schema.safeParse(value, { reportInput: true });
      if (parsed.success) valid[name] = parsed.data;
      else errors.push(...issuesIn(parsed.error, name));
    }
    const error = typeof valid.folder === 'string' ? folderIssue(valid.folder, 'linux') : null;
    if (error !== null) errors.push({ field: 'folder', ...error });
    return { valid: errors.length === 0 ? valid : {}, errors };
  }

  function apply(patch: object) {
    const { valid, errors } = check(patch);
    settings = { ...settings, ...valid };
    notifyWatchers();
    publish();
    return { ...view(), errors };
  }

  function documentIn(text: string): object | null {
    try {
      const document: unknown = JSON.parse(text);
      const isDocument = typeof document === 'object' && document !== null && 'version' in document;
      return isDocument ? document : null;
    } catch {
      return null;
    }
  }

  const confirmationOf = (text: string): string => JSON.stringify([text, settings]);

  return {
    isLocal,
    practice: () => (settings.service.kind === 'local' ? settings.service.practice : undefined),
    origin,
    announce: notifyWatchers,
    profileHash: () => profileHash(profiles.get(origin()) ?? storyboardProfile),
    settings: {
      get() {
        return view();
      },
      async *watch(_, signal) {
        while (!signal.aborted) {
          yield view();
          await new Promise<void>((resolve) => {
            watching.add(resolve);
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
        }
      },
      set(patch) {
        if (JSON.stringify(patch).includes('unreachable.example.com')) {
          throw new ORPCError('FAILED', {
            defined: true,
            data: {
              code: 'service-unreachable',
              ...userMessage('address-not-found', { host: 'unreachable.example.com' }),
            } satisfies Failure,
          });
        }
        return apply(patch);
      },
      tryService({ settings: patch, profile: entered, key }, signal) {
        const parsed = entered === null ? null : profileSchema.safeParse(entered);
        const ofKey = /^\S+$/.test(key.trim())
          ? []
          : [{ field: 'key', ...userMessage('key-malformed') }];
        const ofProfile = parsed?.error ? issuesIn(parsed.error, 'profile') : [];
        const errors = [...check(patch).errors, ...ofProfile, ...ofKey];
        return errors.length > 0
          ? notTried(errors)
          : checkService(serviceThat(checkKey(key)), ACCOUNT, signal);
      },
      useService({ settings: patch, profile: entered, replace }) {
        if (entered === null) return { ...apply(patch), replaces: null };
        const parsed = profileSchema.safeParse(entered, { reportInput: true });
        const { errors } = check(patch);
        const ofProfile = parsed.success ? [] : issuesIn(parsed.error, 'profile');
        if (errors.length > 0 || !parsed.success) {
          return { ...view(), errors: [...errors, ...ofProfile], replaces: null };
        }
        const service = settingsSchema.shape.service.parse(patch.service);
        if (service.kind === 'remote') {
          const at = new URL(service.baseUrl).origin;
          const before = profiles.get(at);
          const isOther = before && profileHash(before) !== profileHash(parsed.data);
          if (isOther && replace !== before.name) {
            const openVideos = openVideosAt(at);
            const isSameRequest = before.api?.generate.path === parsed.data.api?.generate.path;
            const confirmation = openVideos === 0 || isSameRequest ? before.name : null;
            const replaces = { name: before.name, origin: at, openVideos, confirmation };
            return { ...view(), errors: [], replaces };
          }
          profiles.set(at, parsed.data);
        }
        return { ...apply(patch), replaces: null };
      },
      export() {
        return { text: `${JSON.stringify({ version: 1, ...settings }, null, 2)}\n` };
      },
      previewImport({ text }) {
        const document = documentIn(text);
        const { valid, errors } =
          document === null
            ? { valid: {}, errors: [{ field: '', ...userMessage('no-settings') }] }
            : check(document);
        const before = { settings, profiles: {} };
        return {
          changes: settingChanges(before, { ...before, settings: { ...settings, ...valid } }),
          errors: errors.map((error) => ({ ...error, name: settingName(error.field) })),
          confirmation: confirmationOf(text),
        };
      },
      import({ text, confirmation }) {
        if (confirmation !== confirmationOf(text)) {
          throw new NotPossibleNowError(userMessage('settings-changed-meanwhile'));
        }
        return apply(documentIn(text) ?? {});
      },
    },
    profile: {
      get() {
        return profileView();
      },
      startingPoints: () => [...startingPoints],
      services: () => serviceOffers(Object.fromEntries(profiles)),
      check: (entered) => checkProfile(entered),
      propose: proposeRulesFor,
      proposeService: (examples) => proposeService(examples),
      test: ({ answers, examples }) => tryAnswerRules(answers, examples),
      save({ profile }) {
        const parsed = profileSchema.safeParse(profile, { reportInput: true });
        if (!parsed.success) return { ...profileView(), errors: issuesIn(parsed.error) };
        profiles.set(origin(), parsed.data);
        notifyWatchers();
        return { ...profileView(), errors: [] };
      },
      reset() {
        profiles.delete(origin());
        notifyWatchers();
        return profileView();
      },
    },
  };
}
