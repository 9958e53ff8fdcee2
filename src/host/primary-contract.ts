import { oc, type ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import { contract } from '../contract/contract.ts';
import { failureSchema } from '../contract/failure.ts';
import { settingsSchema } from '../contract/settings.ts';
import { profileHash, profileSchema } from '../engine/profiles/profile.ts';
import type { ProfileView } from '../contract/profile.ts';

/** The host name that a second process requests; browsers cannot resolve it. */
export const PRIMARY_HOST = 'owner';

/**
 * Identifies the engine that owns a data folder. Two processes work together only if everything but
 * `pid` is equal: jobs of one service must not be queued at another.
 */
export const primaryProcessSchema = z.object({
  /** Increases when the contract changes in a way that the other side must know. */
  protocol: z.literal(1),
  pid: z.int().positive(),
  /** `local`, or the service's origin. */
  service: z.string(),
  /** A hash of the service profile. */
  profile: z.string(),
});

export type PrimaryProcess = z.infer<typeof primaryProcessSchema>;

/** The service that a second process wants to use; the one that is shown when `null`. */
const wantedServiceSchema = settingsSchema
  .pick({ service: true, plan: true })
  .extend({
    /** `null` for the saved one. */
    profile: profileSchema.nullable(),
    /** Whether to start it if it is not running, which sends its waiting rows. */
    start: z.boolean(),
  })
  .nullable();

export type WantedService = z.infer<typeof wantedServiceSchema>;

/**
 * The origin of a service, for `SERVICE_HEADER`. It is not started when its profile differs from
 * the wanted one.
 */
const usedSchema = primaryProcessSchema.extend({ origin: z.string() });

export type UsedService = z.infer<typeof usedSchema>;

/** Names the service that a connection is about. Without it, that is the one that is shown. */
export const SERVICE_HEADER = 'spool-service';

/** Names the data folder that the caller means, by its identity. */
export const FOLDER_HEADER = 'spool-folder';

/** What the primary process of a data folder answers to other processes of its user. */
export const primaryContract = {
  ...contract,
  owner: oc.output(primaryProcessSchema),
  /** Starts a service, if it is not running yet. */
  use: oc
    .errors({ FAILED: { status: 422, data: failureSchema } })
    .input(wantedServiceSchema)
    .output(usedSchema),
};

export type PrimaryClient = ContractRouterClient<typeof primaryContract>;

/** The primary process that the caller accepts; a property left out is not compared. */
export interface WantedPrimary {
  /** `local`, or the service's origin. */
  readonly service?: string | undefined;
  readonly profile?: ProfileView['profile'] | undefined;
}

/** The property in which a primary process differs. */
export type Difference = 'service' | 'profile';

export function differenceOf(
  primary: PrimaryProcess,
  { service, profile }: WantedPrimary,
): Difference | null {
  if (service !== undefined && service !== primary.service) return 'service';
  return profile !== undefined && profileHash(profile) !== primary.profile ? 'profile' : null;
}
