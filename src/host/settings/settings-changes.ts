import { originOf } from '../../contract/service-id.ts';
import type { SettingChange, Settings } from '../../contract/settings.ts';
import { DOCUMENTED_API } from '../../contract/service-profile.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { fingerprintsOf } from './certificates.ts';
import { takesEveryColumn } from '../../engine/intake/every-column.ts';
import { requestConstants } from './request-constants.ts';
import type { Profiles } from './settings-store.ts';

interface Row {
  readonly field: string;
  readonly name: UserMessage;
  readonly value: (settings: Settings) => UserMessage;
  readonly isSensitive?: true;
}

/** Every setting with its label in the settings page, sensitive ones first. */
const SETTINGS: readonly Row[] = [
  {
    field: 'service',
    name: userMessage('setting-service'),
    value: ({ service }) => {
      if (service.kind === 'remote') return verbatim(addressText(service.baseUrl));
      const { practice } = service;
      return practice === null
        ? userMessage('service-here')
        : userMessage('service-practice', { plan: practice });
    },
    isSensitive: true,
  },
  {
    field: 'service.ca',
    name: userMessage('setting-certificate'),
    value: ({ service }) =>
      service.kind === 'local' || service.ca === null
        ? userMessage('setting-none')
        : verbatim(fingerprintsOf(service.ca).join(', ')),
    isSensitive: true,
  },
  {
    field: 'folder',
    name: userMessage('setting-folder'),
    value: ({ folder }) => (folder === null ? userMessage('setting-default') : verbatim(folder)),
    isSensitive: true,
  },
  {
    field: 'onCollision',
    name: userMessage('setting-collision'),
    value: ({ onCollision }) => userMessage(`collision-${onCollision}`),
    isSensitive: true,
  },
  {
    field: 'allowVpnAddresses',
    name: userMessage('setting-vpn'),
    value: ({ allowVpnAddresses }) => onOrOff(allowVpnAddresses),
    isSensitive: true,
  },
  {
    field: 'archiveAfterDays',
    name: userMessage('setting-archive'),
    value: ({ archiveAfterDays: days }) =>
      days === null ? onOrOff(false) : userMessage('verbatim', { text: String(days) }),
    isSensitive: true,
  },
  {
    field: 'startAtLogin',
    name: userMessage('setting-start-at-login'),
    value: ({ startAtLogin }) => onOrOff(startAtLogin),
    isSensitive: true,
  },
  {
    field: 'updates',
    name: userMessage('setting-updates'),
    value: ({ updates }) => userMessage(`updates-${updates}`),
    isSensitive: true,
  },
  {
    field: 'plan',
    name: userMessage('setting-plan'),
    value: ({ plan: { name, limit } }) =>
      limit === null ? verbatim(capitalised(name)) : userMessage('plan-custom', { count: limit }),
  },
  {
    field: 'plan.billingDate',
    name: userMessage('setting-billing-date'),
    value: ({ plan: { billingDate } }) =>
      billingDate === null ? userMessage('first-of-month') : verbatim(billingDate),
  },
  {
    field: 'plan.zone',
    name: userMessage('setting-zone'),
    value: ({ plan: { zone } }) => verbatim(zone ?? 'UTC'),
  },
  {
    field: 'nameTemplate',
    name: userMessage('setting-name-template'),
    value: ({ nameTemplate }) => verbatim(nameTemplate),
  },
  {
    field: 'transfers.parallel',
    name: userMessage('setting-parallel'),
    value: ({ transfers }) => verbatim(String(transfers.parallel)),
  },
  {
    field: 'transfers.bytesPerSecond',
    name: userMessage('setting-bandwidth'),
    value: ({ transfers: { bytesPerSecond } }) =>
      bytesPerSecond === null
        ? userMessage('setting-off')
        : userMessage('bytes-a-second', { count: bytesPerSecond }),
  },
  {
    field: 'notifications.batchSaved',
    name: joinMessages(userMessage('setting-notification'), userMessage('notify-batch-saved')),
    value: ({ notifications }) => onOrOff(notifications.batchSaved),
  },
  {
    field: 'notifications.needsDecision',
    name: joinMessages(userMessage('setting-notification'), userMessage('notify-needs-decision')),
    value: ({ notifications }) => onOrOff(notifications.needsDecision),
  },
  {
    field: 'notifications.failed',
    name: joinMessages(userMessage('setting-notification'), userMessage('notify-failed')),
    value: ({ notifications }) => onOrOff(notifications.failed),
  },
  {
    field: 'startUp',
    name: userMessage('setting-start-up'),
    value: ({ startUp }) => userMessage(`start-up-${startUp}`),
  },
  {
    field: 'lessPower',
    name: userMessage('setting-less-power'),
    value: ({ lessPower }) => userMessage(`less-power-${lessPower}`),
  },
  {
    field: 'resultsFiles',
    name: userMessage('setting-results-files'),
    value: ({ resultsFiles }) => onOrOff(resultsFiles),
  },
  {
    field: 'closeToTray',
    name: userMessage('setting-close-to-tray'),
    value: ({ closeToTray }) => onOrOff(closeToTray),
  },
  {
    field: 'theme',
    name: userMessage('setting-theme'),
    value: ({ theme }) =>
      theme === 'system' ? userMessage('as-system') : userMessage(`theme-${theme}`),
  },
  {
    field: 'language',
    name: userMessage('setting-language'),
    value: ({ language }) =>
      language === 'system' ? userMessage('as-system') : verbatim(LANGUAGE_NAMES[language]),
  },
];

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

/** An address, followed by its ASCII host if that is spelt differently: `xn--…` for `vіdeo…`. */
function addressText(address: string): string {
  const host = URL.parse(address)?.host ?? '';
  return address.toLowerCase().includes(`//${host}`) ? address : `${address} (${host})`;
}

/** The label of the setting that a field belongs to; `null` for several, or an unknown one. */
export function settingName(field: string): UserMessage | null {
  const isWithin = (whole: string): boolean => field === whole || field.startsWith(`${whole}.`);
  return SETTINGS.findLast((row) => isWithin(row.field))?.name ?? null;
}

/** The differences between two sets of settings and profiles, as texts, sensitive ones first. */
export function settingChanges(
  before: { readonly settings: Settings; readonly profiles: Profiles },
  after: { readonly settings: Settings; readonly profiles: Profiles },
): SettingChange[] {
  const changes = SETTINGS.flatMap(({ field, name, value, isSensitive = false }) => {
    const [from, to] = [value(before.settings), value(after.settings)];
    return isSame(from, to) ? [] : [{ field, name, from, to, isSensitive }];
  });
  const isSensitive = (change: SettingChange): boolean => change.isSensitive;
  return [
    ...changes.filter(isSensitive),
    ...profileChanges(before.profiles, after.profiles),
    ...changes.filter((change) => !isSensitive(change)),
  ];
}

/** Changes of how services' requests are made and responses read; equal ones as one change. */
function profileChanges(before: Profiles, after: Profiles): SettingChange[] {
  const changed = Object.keys(after)
    .map((origin) => ({ origin, from: before[origin], to: after[origin] }))
    .filter(({ from, to }) => !isSame(from, to));
  const isMoved = ({ from, to }: ProfileChange): boolean =>
    !isSame(destinationsOf(ANY_ORIGIN, from), destinationsOf(ANY_ORIGIN, to));
  return [
    ...grouped(changed, mappingTexts).map(({ origins, ...texts }) => ({
      field: `profiles.${origins}`,
      name: userMessage('setting-answers', { origin: origins }),
      ...texts,
      isSensitive: true,
    })),
    ...grouped(changed.filter(isMoved), destinationTexts).map(({ origins, ...texts }) => ({
      field: `profiles.${origins}.api`,
      name: userMessage('setting-destinations', { origin: origins }),
      ...texts,
      isSensitive: true,
    })),
  ];
}

interface ProfileChange {
  readonly origin: string;
  readonly from: Profile | undefined;
  readonly to: Profile | undefined;
}

type ChangeTexts = Pick<SettingChange, 'from' | 'to'>;

/** Stands for the origins that a line names. */
const ANY_ORIGIN = 'https://…';

function grouped(
  changes: readonly ProfileChange[],
  textsOf: (change: ProfileChange) => ChangeTexts,
): (ChangeTexts & { readonly origins: string })[] {
  const groups = Map.groupBy(changes, (change) =>
    JSON.stringify(textsOf({ ...change, origin: ANY_ORIGIN })),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [ProfileChange, ...ProfileChange[]];
    const texts = textsOf(group.length === 1 ? first : { ...first, origin: ANY_ORIGIN });
    return { ...texts, origins: group.map(({ origin }) => origin).join(', ') };
  });
}

function mappingTexts({ from, to }: ProfileChange): ChangeTexts {
  const named = (profile: Profile | undefined): UserMessage =>
    profile === undefined
      ? userMessage('setting-default')
      : userMessage('mapping-named', { name: profile.name });
  const isRenamed = to?.name !== from?.name;
  return {
    from: named(from),
    to: to && !isRenamed ? userMessage('mapping-changed', { name: to.name }) : named(to),
  };
}

function destinationTexts({ origin, from, to }: ProfileChange): ChangeTexts {
  return {
    from: joinMessages(...destinationsOf(origin, from)),
    to: joinMessages(...destinationsOf(origin, to)),
  };
}

/** The maximum number of constants of a request that are shown. */
const MAX_CONSTANTS = 40;

/** A constant may be an address that the service sends results to. */
function constantsSent(profile: Profile | undefined): UserMessage[] {
  const constants = profile === undefined ? [] : requestConstants(profile);
  if (constants.length === 0) return [];
  const shown = constants.slice(0, MAX_CONSTANTS).join(', ');
  const count = constants.length - MAX_CONSTANTS;
  return count <= 0
    ? [userMessage('constants-sent', { constants: shown })]
    : [userMessage('constants-sent-and-more', { constants: shown, count })];
}

/**
 * Where a service's key, rows and files go to or come from, and what is sent besides.
 * @param service its identity
 */
export function destinationsOf(service: string, profile: Profile | undefined): UserMessage[] {
  const origin = originOf(service);
  const { auth, headers, generate, upload, status, file, linkOrigins } =
    profile?.api ?? DOCUMENTED_API;
  const fixed = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    ...[generate, ...generate.pathBy].map(({ path }) =>
      userMessage('rows-go-to', { address: origin + path }),
    ),
    userMessage('key-goes-to', {
      origin,
      header: auth.scheme === '' ? auth.header : `${auth.header}: ${auth.scheme}`,
    }),
    ...(upload === null
      ? []
      : [
          upload.origin === null
            ? userMessage('pictures-go-to', { address: origin + upload.path })
            : userMessage('pictures-and-key-go-to', { address: upload.origin + upload.path }),
        ]),
    userMessage('status-comes-from', {
      address: origin + ('path' in status ? status.path : `${status.under}…`),
    }),
    file.kind === 'in-status'
      ? userMessage('files-by-status')
      : userMessage('files-come-from', {
          address: origin + ('path' in file ? file.path : `${file.under}…`),
        }),
    ...(linkOrigins === null
      ? []
      : [userMessage('files-only-from', { origins: linkOrigins.join(', ') })]),
    ...(fixed.length === 0 ? [] : [userMessage('headers-sent', { headers: fixed.join(', ') })]),
    ...(profile !== undefined && takesEveryColumn(profile.request)
      ? [userMessage('every-column-sent')]
      : []),
    ...constantsSent(profile),
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function onOrOff(value: boolean): UserMessage {
  return value ? userMessage('setting-on') : userMessage('setting-off');
}

function verbatim(text: string): UserMessage {
  return userMessage('verbatim', { text });
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
