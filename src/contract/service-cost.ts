import { z } from 'zod';
import { instantSchema } from './job.ts';
import { DOCUMENTED_API, type ServiceApi } from './service-profile.ts';

/** What videos cost at a service, as an estimate by its profile. */
export const costEstimateSchema = z.object({
  unit: z.enum(['video', 'second', 'credit', 'money']),
  /** ISO 4217; only with `money`. */
  currency: z.string().nullable(),
  /** `null` where the profile does not say what videos cost. */
  amount: z.number().nonnegative().nullable(),
  /** Videos that are not in `amount`: the profile's rule needs a value that they do not have. */
  unknown: z.int().nonnegative(),
});

export type CostEstimate = z.infer<typeof costEstimateSchema>;

/** What the account had left when the service was last asked. */
export const balanceSchema = z.object({
  amount: z.number().nonnegative(),
  unit: z.enum(['video', 'second', 'credit', 'money']),
  /** ISO 4217; only with `money`. */
  currency: z.string().nullable(),
  /** When the question was sent: what was spent since is not in it. */
  readAt: instantSchema,
});

export type Balance = z.infer<typeof balanceSchema>;

/** Whether a service is the one of the API document, whose plans limit the videos of a month. */
export function isDocumentedService({ generate }: ServiceApi): boolean {
  return generate.path === DOCUMENTED_API.generate.path;
}

/**
 * Whether a profile says what its service charges. A profile that leaves it out has the documented
 * API's rule, one video each, which is true of that service alone.
 */
export function isCostKnown(api: ServiceApi): boolean {
  return isDocumentedService(api) || chargeOf(api) !== chargeOf(DOCUMENTED_API);
}

function chargeOf({ cost: { unit, currency, rule } }: ServiceApi): string {
  return JSON.stringify([unit, currency, rule]);
}
