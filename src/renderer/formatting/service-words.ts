import type { CostEstimate } from '../../contract/service-cost.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import type { ServiceOffer } from '../../contract/service-offer.ts';
import type { Localization } from './localization.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Words = Pick<Localization, 'texts' | 'viewTexts' | 'count'>;

/** The id under which this computer is offered with the limits of a plan. */
export const PRACTICE = 'practice-account';

/** The name under which a service is offered. */
export function serviceNameOf(
  { id, profile }: ServiceOffer,
  { viewTexts }: Pick<Words, 'viewTexts'>,
): string {
  if (id === 'this-computer') return viewTexts.settings.serviceHere;
  if (id === PRACTICE) return viewTexts.services.practice;
  return id === 'documented' ? viewTexts.services.documented : profile.name;
}

/** What one video costs, as an estimate; `null` where the profile does not say. */
export function costOf(
  { id, profile, api, isCostKnown }: ServiceOffer,
  l10n: Words,
): string | null {
  if (id === 'this-computer' || id === PRACTICE) return l10n.viewTexts.services.free;
  if (!isCostKnown) return null;
  const { texts, viewTexts } = l10n;
  const { unit, currency, rule } = api.cost;
  const amount = (value: number): string => amountOf({ unit, currency, amount: value }, l10n);
  const parts = rule.fixed > 0 ? [viewTexts.services.aVideo(amount(rule.fixed))] : [];
  if (rule.perColumn !== null) {
    const { column, each, cases } = rule.perColumn;
    const named = columnLabel(profile, column, texts.locale);
    // Lower case within a sentence; German keeps the capitals of its nouns.
    const label = texts.locale.startsWith('en') ? named.toLowerCase() : named;
    const amounts = [each, ...cases.flatMap((one) => one.each ?? [])];
    const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
    parts.push(
      unit === 'second' && each === 1
        ? viewTexts.services.bySeconds
        : least === most
          ? viewTexts.services.forEach(amount(most), label)
          : viewTexts.services.forEachBetween(amount(least), amount(most), label),
    );
  }
  return parts.length === 0 ? null : parts.join(' + ');
}

/** `84 credits`, `US$0.40`, `12 seconds of video`. */
export function amountOf(
  { unit, currency, amount }: Pick<CostEstimate, 'unit' | 'currency'> & { amount: number },
  { texts, viewTexts }: Pick<Words, 'texts' | 'viewTexts'>,
): string {
  if (unit === 'money') {
    const maximumFractionDigits = amount < 1 ? 4 : 2;
    return new Intl.NumberFormat(texts.locale, {
      style: 'currency',
      currency: currency ?? 'XXX',
      minimumFractionDigits: 2,
      maximumFractionDigits,
    }).format(amount);
  }
  const number = new Intl.NumberFormat(texts.locale, { maximumFractionDigits: 2 }).format(amount);
  return viewTexts.services.units[unit](number, amount);
}

/** The local noon of a day such as `2026-09-24`, in milliseconds since the epoch. */
export function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00`);
}

/** Where a video's file comes from. */
export function fileOf({ file }: ServiceApi, { viewTexts }: Pick<Words, 'viewTexts'>): string {
  const words = viewTexts.services.files;
  switch (file.kind) {
    case 'link-endpoint':
      return words.onRequest;
    case 'in-status':
      if (file.lifeMs === null) return words.link;
      if (file.lifeMs < HOUR_MS) return words.linkForMinutes(Math.round(file.lifeMs / MINUTE_MS));
      return file.lifeMs < 2 * DAY_MS
        ? words.linkForHours(Math.round(file.lifeMs / HOUR_MS))
        : words.linkForDays(Math.round(file.lifeMs / DAY_MS));
    case 'content':
    case 'content-in-status':
      return words.withKey;
  }
}

/** How many videos can be sent, and how many are rendered at a time. */
export function limitsOf({ limits }: ServiceApi, l10n: Words): string {
  const words = l10n.viewTexts.services.limits;
  const { windows, concurrent, cap } = limits;
  const sent = windows.find(({ endpoint }) => endpoint === 'generate' || endpoint === 'all');
  const parts: string[] = [];
  if (sent !== undefined) {
    const said = words.sent(l10n.count(sent.count), spanOf(sent.perMs, words));
    parts.push(sent.known === 'assumed' ? words.assumed(said) : said);
  }
  if (concurrent !== null) parts.push(words.atATime(concurrent.count));
  if (cap !== null) parts.push(words.cap(l10n.count(cap.count), words.spans[cap.per]));
  return `${parts.join(', ')}.`;
}

function spanOf(ms: number, words: Localization['viewTexts']['services']['limits']): string {
  if (ms === DAY_MS) return words.spans.day;
  if (ms === HOUR_MS) return words.spans.hour;
  if (ms === 60_000) return words.spans.minute;
  return words.seconds(Math.round(ms / 1000));
}

function columnLabel({ request }: ServiceOffer['profile'], column: string, locale: string): string {
  const columns = request.columns as
    | Readonly<Record<string, { readonly label?: Readonly<Record<string, string>> }>>
    | undefined;
  const label = columns?.[column]?.label;
  return label?.[locale.slice(0, 2)] ?? label?.en ?? column;
}
