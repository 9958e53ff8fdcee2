import { settingsSchema, type Settings } from '../../contract/settings.ts';
import type { PlanOptions } from '../../engine/flow/quota-tracker.ts';
import type { SharedSettings } from '../../engine/engine-options.ts';
import { DEFAULT_PLAN, FIRST_OF_MONTH } from '../../engine/pacing/quota.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { storyboardProfile } from '../../engine/profiles/storyboard.ts';
import type { WantedPrimary } from '../primary-contract.ts';
import { serviceName, UNLIMITED, type ServiceChoice } from '../service-link.ts';
import type { Profiles } from './settings-store.ts';

/** Values that override the settings in this run. */
export interface Overrides {
  readonly service?: ServiceChoice | undefined;
  readonly plan?: PlanOptions | undefined;
  readonly profile?: Profile | undefined;
}

/** The service to show, with the plan of its account. */
export function choiceInForce(settings: Settings, { service, plan }: Overrides): ServiceChoice {
  const choice = service ?? serviceChoiceOf(settings, plan);
  return choice.kind === 'remote' && plan !== undefined ? { ...choice, plan } : choice;
}

/**
 * The service that the settings choose.
 * @param newPlan of the account on this computer, in place of the settings'
 */
export function serviceChoiceOf(
  { service, plan }: Pick<Settings, 'service' | 'plan'>,
  newPlan?: PlanOptions,
): ServiceChoice {
  if (service.kind === 'local') {
    const plan = newPlan === undefined ? service.practice : localPlanName(newPlan);
    return { kind: 'local', plan: plan ?? UNLIMITED };
  }
  const { baseUrl, ca } = service;
  return {
    kind: 'remote',
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ca: ca === null ? undefined : { pem: ca },
    plan: planOptionsOf(plan),
  };
}

/** The saved profile of a remote service. */
export function profileFor(choice: ServiceChoice, profiles: Profiles): Profile | undefined {
  return choice.kind === 'local' ? undefined : profiles[serviceName(choice)];
}

/** The primary process that the settings allow to use. */
export function wantedPrimary(settings: Settings, profiles: Profiles): WantedPrimary {
  const choice = serviceChoiceOf(settings);
  return {
    service: serviceName(choice),
    profile: profileFor(choice, profiles) ?? storyboardProfile,
  };
}

/** The engine's settings, which are independent of the service. */
export function engineSettings(
  {
    folder,
    nameTemplate,
    onCollision,
    transfers,
    allowVpnAddresses,
    resultsFiles,
    archiveAfterDays,
  }: Settings,
  fallbackFolder: string,
): SharedSettings {
  return {
    defaultFolder: folder ?? fallbackFolder,
    nameTemplate,
    onCollision,
    allowVpnAddresses,
    resultsFiles,
    archiveAfterDays,
    transferLimits: {
      parallel: transfers.parallel,
      totalBytesPerSecond: transfers.bytesPerSecond,
      perTransferBytesPerSecond: null,
    },
  };
}

/** The local service's notation: a plan's name, or a number of videos a month. */
function localPlanName({ name, limit }: PlanOptions): string {
  return limit === undefined ? name : String(limit);
}

/**
 * A service choice in the form of the settings.
 * @param ca PEM of the only certificate authority to trust
 */
export function settingsOfChoice(
  choice: ServiceChoice,
  ca: string | null,
): Pick<Settings, 'service' | 'plan'> {
  const { plan, ...service } = choice;
  if (typeof plan === 'string') {
    const practice = plan === UNLIMITED ? null : plan;
    return choiceSchema.parse({ service: { ...service, practice }, plan: { name: DEFAULT_PLAN } });
  }
  const { anchor, ...others } = plan;
  const billingDate =
    anchor === FIRST_OF_MONTH ? null : new Date(anchor).toISOString().slice(0, 10);
  return choiceSchema.parse({ service: { ...service, ca }, plan: { ...others, billingDate } });
}

const choiceSchema = settingsSchema.pick({ service: true, plan: true });

function planOptionsOf({ name, limit, billingDate, zone }: Settings['plan']): PlanOptions {
  return {
    name,
    ...(limit === null ? {} : { limit }),
    anchor: billingDate === null ? FIRST_OF_MONTH : Date.parse(billingDate),
    ...(zone === null ? {} : { zone }),
  };
}
