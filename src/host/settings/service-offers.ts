import { serviceIdOf } from '../../contract/service-id.ts';
import { isCostKnown } from '../../contract/service-cost.ts';
import type { ProfileChecked, ServiceOffer } from '../../contract/service-offer.ts';
import { DOCUMENTED_API } from '../../contract/service-profile.ts';
import { hasNumberAsHost, isBaseAddress } from '../../contract/base-address.ts';
import type { SettingIssue } from '../../contract/settings.ts';
import { userMessage } from '../../contract/user-message.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { profileSchema, type Profile } from '../../engine/profiles/profile.ts';
import { builtInProfile, builtInServices } from '../../engine/profiles/services.ts';
import { readExamples, type PastedAnswers } from './example-answers.ts';
import { destinationsOf } from './settings-changes.ts';
import { originIssue } from './origin-issue.ts';
import type { Profiles } from './settings-store.ts';
import { issuesIn } from './try-rules.ts';

/** Built-in services, and those of the user's own profiles that have endpoints. */
export function serviceOffers(saved: Profiles = {}): ServiceOffer[] {
  const builtIn = builtInServices.map((id): ServiceOffer => {
    const profile = builtInProfile(id);
    const origin = profile.api?.origin ?? null;
    // The user's changes override what is built in.
    const own = origin === null ? undefined : saved[origin];
    if (own?.api !== undefined) return offerOf({ id, origin, isSaved: true, profile: own });
    return offerOf({ id, origin, isSaved: false, profile });
  });
  const origins = new Set(builtIn.map(({ origin }) => origin));
  const own = Object.entries(saved)
    .filter(([origin, { api }]) => api !== undefined && !origins.has(origin))
    .map(([origin, profile]) => offerOf({ id: origin, origin, isSaved: true, profile }));
  return [...builtIn, ...own];
}

function offerOf(of: Pick<ServiceOffer, 'id' | 'origin' | 'isSaved'> & { profile: Profile }) {
  const api = of.profile.api ?? DOCUMENTED_API;
  return { ...of, api, isCostKnown: isCostKnown(api) };
}

/** Addresses of the documentation of built-in services, which the user may open. */
export function documentationPages(): ReadonlySet<string> {
  const pages = builtInServices.flatMap((service) => {
    const page = builtInProfile(service).api?.about.documentation ?? null;
    return page === null ? [] : [new URL(page).href];
  });
  return new Set(pages);
}

export interface ProfileToCheck {
  readonly profile: unknown;
  /** The service's address; `null` for the profile's own. */
  readonly baseUrl: string | null;
  readonly examples: PastedAnswers;
}

/** What a profile would do. Changes nothing. */
export function checkProfile({
  profile: entered,
  baseUrl,
  examples,
}: ProfileToCheck): ProfileChecked {
  const nothing = { origin: null, destinations: [], reading: null, offer: null };
  const parsed = safeParse(profileSchema, entered, { reportInput: true });
  if (!parsed.success) return { ...nothing, errors: issuesIn(parsed.error) };
  const profile = parsed.data;
  const own = profile.api?.origin ?? null;
  const origin = baseUrl === null ? own : originOf(baseUrl);
  const errors: SettingIssue[] = [];
  if (baseUrl !== null && origin === null)
    errors.push({
      field: 'baseUrl',
      ...userMessage(hasNumberAsHost(baseUrl) ? 'address-is-number' : 'value-not-https'),
    });
  const error = origin === null ? null : originIssue(profile, origin);
  if (error !== null) errors.push(error);
  if (errors.length > 0) return { ...nothing, errors };
  return {
    errors,
    origin,
    destinations: origin === null ? [] : destinationsOf(origin, profile),
    reading: readExamples(examples, profile.answers),
    offer: offerOf({ id: 'own', origin: own, isSaved: false, profile }),
  };
}

/** `null` for an invalid address. */
export function originOf(baseUrl: string): string | null {
  const url = URL.parse(baseUrl.trim());
  const isUsable = isBaseAddress(baseUrl.trim()) && !hasNumberAsHost(baseUrl);
  return url?.protocol === 'https:' && isUsable ? serviceIdOf(url.href) : null;
}
