import type { SettingChange, Settings } from '../../contract/settings.ts';
import { tell, tellAll, type Told } from '../../contract/told.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { fingerprintsOf } from './certificates.ts';
import type { Profiles } from './settings-book.ts';

interface Row {
  readonly field: string;
  readonly name: Told;
  readonly value: (settings: Settings) => Told;
  readonly isSensitive?: true;
}

/** Every setting as the settings' own page names it, the sensitive ones first. */
const ROWS: readonly Row[] = [
  {
    field: 'service',
    name: tell('setting-service'),
    value: ({ service }) =>
      service.kind === 'local' ? tell('service-here') : verbatim(addressWords(service.baseUrl)),
    isSensitive: true,
  },
  {
    field: 'service.ca',
    name: tell('setting-certificate'),
    value: ({ service }) =>
      service.kind === 'local' || service.ca === null
        ? tell('setting-none')
        : verbatim(fingerprintsOf(service.ca).join(', ')),
    isSensitive: true,
  },
  {
    field: 'folder',
    name: tell('setting-folder'),
    value: ({ folder }) => (folder === null ? tell('setting-default') : verbatim(folder)),
    isSensitive: true,
  },
  {
    field: 'onCollision',
    name: tell('setting-collision'),
    value: ({ onCollision }) => tell(`collision-${onCollision}`),
    isSensitive: true,
  },
  {
    field: 'allowVpnAddresses',
    name: tell('setting-vpn'),
    value: ({ allowVpnAddresses }) => onOrOff(allowVpnAddresses),
    isSensitive: true,
  },
  {
    field: 'startAtLogin',
    name: tell('setting-start-at-login'),
    value: ({ startAtLogin }) => onOrOff(startAtLogin),
    isSensitive: true,
  },
  {
    field: 'updates',
    name: tell('setting-updates'),
    value: ({ updates }) => tell(`updates-${updates}`),
    isSensitive: true,
  },
  {
    field: 'plan',
    name: tell('setting-plan'),
    value: ({ plan: { name, limit } }) =>
      limit === null ? verbatim(capitalised(name)) : tell('plan-custom', { count: limit }),
  },
  {
    field: 'plan.billingDate',
    name: tell('setting-billing-date'),
    value: ({ plan: { billingDate } }) =>
      billingDate === null ? tell('first-of-month') : verbatim(billingDate),
  },
  {
    field: 'plan.zone',
    name: tell('setting-zone'),
    value: ({ plan: { zone } }) => verbatim(zone ?? 'UTC'),
  },
  {
    field: 'nameTemplate',
    name: tell('setting-name-template'),
    value: ({ nameTemplate }) => verbatim(nameTemplate),
  },
  {
    field: 'transfers.parallel',
    name: tell('setting-parallel'),
    value: ({ transfers }) => verbatim(String(transfers.parallel)),
  },
  {
    field: 'transfers.bytesPerSecond',
    name: tell('setting-bandwidth'),
    value: ({ transfers: { bytesPerSecond } }) =>
      bytesPerSecond === null
        ? tell('setting-off')
        : tell('bytes-a-second', { count: bytesPerSecond }),
  },
  {
    field: 'notifications.batchSaved',
    name: tellAll(tell('setting-notification'), tell('notify-batch-saved')),
    value: ({ notifications }) => onOrOff(notifications.batchSaved),
  },
  {
    field: 'notifications.needsDecision',
    name: tellAll(tell('setting-notification'), tell('notify-needs-decision')),
    value: ({ notifications }) => onOrOff(notifications.needsDecision),
  },
  {
    field: 'notifications.failed',
    name: tellAll(tell('setting-notification'), tell('notify-failed')),
    value: ({ notifications }) => onOrOff(notifications.failed),
  },
  {
    field: 'startUp',
    name: tell('setting-start-up'),
    value: ({ startUp }) => tell(`start-up-${startUp}`),
  },
  {
    field: 'closeToTray',
    name: tell('setting-close-to-tray'),
    value: ({ closeToTray }) => onOrOff(closeToTray),
  },
  {
    field: 'theme',
    name: tell('setting-theme'),
    value: ({ theme }) => (theme === 'system' ? tell('as-system') : tell(`theme-${theme}`)),
  },
  {
    field: 'language',
    name: tell('setting-language'),
    value: ({ language }) =>
      language === 'system' ? tell('as-system') : verbatim(LANGUAGE_NAMES[language]),
  },
];

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

/** An address, and the host that it leads to where that is spelt otherwise: `xn--…` for `vіdeo…`. */
function addressWords(address: string): string {
  const host = URL.parse(address)?.host ?? '';
  return address.toLowerCase().includes(`//${host}`) ? address : `${address} (${host})`;
}

/** What the setting is called that a field belongs to; `null` for several, or an unknown one. */
export function settingName(field: string): Told | null {
  const isWithin = (whole: string): boolean => field === whole || field.startsWith(`${whole}.`);
  return ROWS.findLast((row) => isWithin(row.field))?.name ?? null;
}

/** What differs between two sets of settings and profiles, in words, the sensitive ones first. */
export function settingChanges(
  before: { readonly settings: Settings; readonly profiles: Profiles },
  after: { readonly settings: Settings; readonly profiles: Profiles },
): SettingChange[] {
  const changes = ROWS.flatMap(({ field, name, value, isSensitive = false }) => {
    const [from, to] = [value(before.settings), value(after.settings)];
    return isSame(from, to) ? [] : [{ field, name, from, to, isSensitive }];
  });
  const mappings = Object.keys(after.profiles).flatMap((origin) =>
    mappingChange(origin, before.profiles[origin], after.profiles[origin]),
  );
  const isSensitive = (change: SettingChange): boolean => change.isSensitive;
  return [
    ...changes.filter(isSensitive),
    ...mappings,
    ...changes.filter((change) => !isSensitive(change)),
  ];
}

/** How a service's requests are made and its answers read. */
function mappingChange(
  origin: string,
  from: Profile | undefined,
  to: Profile | undefined,
): SettingChange[] {
  if (isSame(from, to)) return [];
  const named = ({ name }: Profile): Told => tell('mapping-named', { name });
  return [
    {
      field: `profiles.${origin}`,
      name: tell('setting-answers', { origin }),
      from: from === undefined ? tell('setting-default') : named(from),
      to:
        to === undefined
          ? tell('setting-default')
          : to.name === from?.name
            ? tell('mapping-changed', { name: to.name })
            : named(to),
      isSensitive: true,
    },
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function onOrOff(value: boolean): Told {
  return value ? tell('setting-on') : tell('setting-off');
}

function verbatim(text: string): Told {
  return tell('verbatim', { text });
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
