import path from 'node:path';
import { z } from 'zod';
import { isDocumentedService } from '../contract/service-cost.ts';
import { userMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { PlanOptions } from '../engine/flow/quota-tracker.ts';
import { DEFAULT_PLAN, FIRST_OF_MONTH } from '../engine/pacing/quota.ts';
import { profileSchema, type Profile } from '../engine/profiles/profile.ts';
import { builtInProfile } from '../engine/profiles/services.ts';
import { storyboardProfile } from '../engine/profiles/storyboard.ts';
import { readSmallText } from '../host/bounded-file.ts';
import type { LogLevel } from '../host/log-level.ts';
import type { HostOptions, ServiceChoice } from '../host/open-host.ts';
import { UNLIMITED } from '../host/service-link.ts';
import { profileFor, serviceChoiceOf } from '../host/settings/effective-settings.ts';
import { peekAtProfiles, peekAtSettings } from '../host/settings/settings-store.ts';
import { defaultVideoFolder } from '../host/video-folder.ts';
import { isServiceName, namedService, serviceNames } from './named-service.ts';
import type { QueueOptions } from './options.ts';

/** The settings with which a command opens the queue, resolved once from its options. */
export interface QueueSettings extends Pick<
  HostOptions,
  'dataDir' | 'service' | 'plan' | 'defaultFolder' | 'profile'
> {
  readonly logLevel: LogLevel | undefined;
  /** The plan of the command line; `undefined` where the saved settings decide. */
  readonly givenPlan: string | undefined;
}

/** A service profile cannot be read or is invalid. */
class ProfileUnusableError extends EngineError {
  constructor(file: string, cause: unknown) {
    const message = userMessage('profile-file-unusable', { file });
    const reason = cause instanceof Error ? cause.message : '';
    const detail = cause instanceof z.ZodError ? z.prettifyError(cause) : reason;
    super({ code: 'value-invalid', ...message, detail: detail.slice(0, 2000) }, { cause });
  }
}

/** A plan is given for a service that has none. */
class PlanUnusableError extends EngineError {
  constructor({ name }: Profile) {
    super({ code: 'value-invalid', ...userMessage('plan-not-applicable', { name }) });
  }
}

/**
 * Validates a command's options together and reads the files that they name, except for the
 * certificate, which is read when the service is linked.
 *
 * @param defaultFolder absolute path; the folder for files if the saved settings name none
 * @throws {EngineError} for a profile, a service or a plan that cannot be used
 */
export async function resolveQueueSettings(
  options: QueueOptions,
  defaultFolder = defaultVideoFolder(),
): Promise<QueueSettings> {
  const { dataDir, logLevel, service, accountPlan, billingDate } = options;
  const named = service === undefined || isAddress(service) ? null : namedService(service);
  const given =
    options.profile === undefined ? undefined : await readProfile(options.profile, dataDir);
  const ofService = serviceOptions(options, named?.baseUrl ?? service);
  const profile = given ?? (named === null ? undefined : profileOfNamed(named, dataDir));
  const settings = {
    ...{ dataDir, logLevel, defaultFolder, ...ofService, profile },
    givenPlan: accountPlan,
  };
  const hasPlan = [accountPlan, billingDate].some((each) => each !== undefined);
  if (hasPlan) {
    const effective = effectiveProfile(settings);
    if (effective.api && !isDocumentedService(effective.api))
      throw new PlanUnusableError(effective);
  }
  return settings;
}

/** False for the name of a built-in service. */
function isAddress(service: string): boolean {
  return service === 'local' || service.includes(':');
}

/** A profile that the user saved for the service overrides the built-in one. */
function profileOfNamed(
  { baseUrl, profile }: ReturnType<typeof namedService>,
  dataDir: string,
): Profile {
  const saved = peekAtProfiles(dataDir)[baseUrl];
  return saved?.api === undefined ? profile : saved;
}

/** The profile of this run: the one that was given, or else the one in the saved settings. */
export function effectiveProfile(settings: QueueSettings): Profile {
  const saved = (): Profile | undefined =>
    profileFor(chosenService(settings), peekAtProfiles(settings.dataDir));
  return settings.profile ?? saved() ?? storyboardProfile;
}

/**
 * The service of this run. The saved settings are read by each call: until this process holds the
 * queue, another one may change them.
 */
export function chosenService({ service, dataDir }: QueueSettings): ServiceChoice {
  return service ?? serviceChoiceOf(peekAtSettings(dataDir));
}

/** The saved profile for an origin, or that of the built-in service whose origin it is. */
export function profileOfOrigin(origin: string, dataDir: string): Profile {
  const saved = peekAtProfiles(dataDir)[origin];
  const builtIn = serviceNames.map(builtInProfile).find(({ api }) => api?.origin === origin);
  return saved ?? builtIn ?? storyboardProfile;
}

/** Both are left out when the saved settings decide. */
function serviceOptions(
  options: QueueOptions,
  service: string | undefined,
): Pick<QueueSettings, 'service' | 'plan'> {
  const { ca, billingDate, accountPlan: plan } = options;
  const anchor = billingDate === undefined ? FIRST_OF_MONTH : Date.parse(billingDate);
  if (service === undefined) return plan === undefined ? {} : { plan: planOptions(plan, anchor) };
  if (service === 'local') return { service: { kind: 'local', plan: plan ?? UNLIMITED } };
  return {
    service: {
      kind: 'remote',
      baseUrl: service,
      ca: ca === undefined ? undefined : { file: path.resolve(ca) },
      plan: planOptions(plan ?? DEFAULT_PLAN, anchor),
    },
  };
}

function planOptions(plan: string, anchor: number): PlanOptions {
  const limit = Number(plan);
  return Number.isNaN(limit) ? { name: plan, anchor } : { name: 'custom', limit, anchor };
}

/** @param file a path, or the name of a built-in profile, which takes precedence over a path */
async function readProfile(file: string, dataDir: string): Promise<Profile> {
  if (isServiceName(file)) return builtInProfile(file);
  try {
    const profile = profileSchema.parse(JSON.parse(await readSmallText(file)));
    assertKeyStays(profile, dataDir);
    return profile;
  } catch (error) {
    throw new ProfileUnusableError(file, error);
  }
}

/**
 * The user sees where the key goes when a profile is saved, but not when a file is named for a run:
 * that may send the key to no origin that the saved or built-in profile does not name.
 */
function assertKeyStays({ api }: Profile, dataDir: string): void {
  const to = api?.upload?.origin ?? null;
  if (!api?.origin || to === null) return;
  if (profileOfOrigin(api.origin, dataDir).api?.upload?.origin === to) return;
  throw new Error(
    `It sends the API key to ${to}, too. Add the service with this profile in the app, which shows that first.`,
  );
}
