import path from 'node:path';
import { z } from 'zod';
import { inEnglish } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { PlanOptions } from '../engine/engine.ts';
import { DEFAULT_PLAN, FIRST_OF_MONTH } from '../engine/pacing/quota.ts';
import { profileSchema, type Profile } from '../engine/profiles/profile.ts';
import { readSmallText } from '../host/bounded-file.ts';
import type { LogLevel } from '../host/log.ts';
import type { HostOptions, ServiceChoice } from '../host/open-host.ts';
import { serviceChoiceOf } from '../host/settings/effective-settings.ts';
import { peekAtSettings } from '../host/settings/settings-store.ts';
import { defaultVideoFolder } from '../host/video-folder.ts';
import type { QueueOptions } from './options.ts';

/** What a command opens the queue with, resolved once from its options. */
export interface QueueSettings extends Pick<
  HostOptions,
  'dataDir' | 'service' | 'plan' | 'defaultFolder' | 'profile'
> {
  readonly logLevel: LogLevel | undefined;
}

/** A service profile cannot be read or is invalid. */
class ProfileUnusableError extends EngineError {
  constructor(file: string, cause: unknown) {
    const message = inEnglish(`The service profile ${file} cannot be used.`);
    const reason = cause instanceof Error ? cause.message : '';
    const detail = cause instanceof z.ZodError ? z.prettifyError(cause) : reason;
    super({ code: 'value-invalid', ...message, detail: detail.slice(0, 2000) }, { cause });
  }
}

/**
 * Validates a command's options together and reads the files that they name, except for the
 * certificate, which is read when the service is linked.
 *
 * @param defaultFolder absolute path; the folder for files if the saved settings name none
 * @throws {ProfileUnusableError}
 */
export async function resolveQueueSettings(
  options: QueueOptions,
  defaultFolder = defaultVideoFolder(),
): Promise<QueueSettings> {
  const { dataDir, profile, logLevel } = options;
  return {
    ...{ dataDir, logLevel, defaultFolder, ...serviceOptions(options) },
    profile: profile === undefined ? undefined : await readProfile(profile),
  };
}

/**
 * The service of this run. The saved settings are read by each call: until this process holds the
 * queue, another one may change them.
 */
export function chosenService({ service, dataDir }: QueueSettings): ServiceChoice {
  return service ?? serviceChoiceOf(peekAtSettings(dataDir));
}

/** Both are left out when the saved settings decide. */
function serviceOptions(options: QueueOptions): Pick<QueueSettings, 'service' | 'plan'> {
  const { service, ca, billingDate, accountPlan: plan = options.plan } = options;
  const anchor = billingDate === undefined ? FIRST_OF_MONTH : Date.parse(billingDate);
  if (service === undefined) return plan === undefined ? {} : { plan: planOptions(plan, anchor) };
  if (service === 'local') return { service: { kind: 'local', plan: plan ?? DEFAULT_PLAN } };
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

async function readProfile(file: string): Promise<Profile> {
  try {
    return profileSchema.parse(JSON.parse(await readSmallText(file)));
  } catch (error) {
    throw new ProfileUnusableError(file, error);
  }
}
