import { z } from 'zod';
import { amountSchema } from './amount.ts';
import { instantSchema } from './job.ts';
import { DOCUMENTED_API, type ServiceApi } from './service-profile.ts';

/** An estimate of what videos cost at a service, by its profile. */
export const costEstimateSchema = amountSchema.extend({
  /** `null` if the profile does not say what videos cost. */
  amount: z.number().nonnegative().nullable(),
  /** Videos that are not in `amount`: they lack a value that the profile's rule needs. */
  unknown: z.int().nonnegative(),
});

export type CostEstimate = z.infer<typeof costEstimateSchema>;

/** The account's balance when the service last reported it. */
export const balanceSchema = amountSchema.extend({
  /** When the request was sent: later costs are not included. */
  readAt: instantSchema,
});

export type Balance = z.infer<typeof balanceSchema>;

/** Whether a service has the documented API, whose plans limit the videos of a month. */
export function isDocumentedService({ generate }: ServiceApi): boolean {
  return generate.path === DOCUMENTED_API.generate.path;
}

/**
 * Whether a profile says what its service charges. A profile without a cost has the documented
 * API's rule, one video each, which is true of that service only.
 */
export function isCostKnown(api: ServiceApi): boolean {
  return isDocumentedService(api) || chargeOf(api) !== chargeOf(DOCUMENTED_API);
}

function chargeOf({ cost: { unit, currency, rule } }: ServiceApi): string {
  return JSON.stringify([unit, currency, rule]);
}
