import { z } from 'zod';

/** The plans of service-api.md §8.3 and their videos per month. */
export const videosPerMonth = {
  free: 3,
  starter: 15,
  creator: 50,
  pro: 150,
  business: 500,
} as const;

/**
 * The quota of a plan of ours, for the owner of the computer that renders: more videos than a computer
 * renders in a month, and the largest integer of every database.
 */
const NO_QUOTA = 2 ** 31 - 1;

export const planSchema = z.enum(['free', 'starter', 'creator', 'pro', 'business', 'unlimited']);
export type Plan = z.infer<typeof planSchema>;

/** The rate-limited endpoints of service-api.md §8.1. */
export const endpointSchema = z.enum(['generate', 'status', 'download']);
export type Endpoint = z.infer<typeof endpointSchema>;

/** At most `requests` in each window of `windowSeconds`. */
export const rateLimitSchema = z.object({
  requests: z.int().min(1).max(1_000_000_000),
  windowSeconds: z
    .int()
    .min(1)
    .max(31 * 24 * 60 * 60),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

export const customLimitsSchema = z.partialRecord(endpointSchema, rateLimitSchema);

/** ASCII only, so that JavaScript and every database agree on its lower case. */
export const emailSchema = z.email().max(254);

/** A calendar day, `YYYY-MM-DD`. Quota cycles begin on its day of the month. */
export const billingDateSchema = z.iso.date();

/** The owner of a key, a quota and videos. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly signedUpAt: number;
  /** Anchor of a paid plan's quota cycles; default: the sign-up date. */
  readonly billingDate: string | undefined;
  /** Videos per cycle negotiated for this account (service-api.md §8.5); else the plan's. */
  readonly customQuota: number | undefined;
  /** Rate limits negotiated for this account (service-api.md §8.5); else the service's. */
  readonly customLimits: Partial<Record<Endpoint, RateLimit>>;
}

/** A day, in milliseconds. */
export const FAILURE_WINDOW_MS = 24 * 60 * 60 * 1000;
const MIN_FAILURE_LIMIT = 20;

/** Videos that this account may render in one cycle. */
export function quotaOf(account: Account): number {
  const { plan, customQuota } = account;
  return customQuota ?? (plan === 'unlimited' ? NO_QUOTA : videosPerMonth[plan]);
}

/** Whether a number of videos in a month limits this account, and not only the computer. */
export function hasQuota(account: Account): boolean {
  return quotaOf(account) < NO_QUOTA;
}

/** More requests than one engine makes. */
const ANY_RATE: RateLimit = { requests: 100, windowSeconds: 1 };

/** The limits that this account has in place of the service's (service-api.md §8.5). */
export function ownLimitsOf({ plan, customLimits }: Account): Account['customLimits'] {
  if (plan !== 'unlimited') return customLimits;
  return { generate: ANY_RATE, status: ANY_RATE, download: ANY_RATE, ...customLimits };
}

/**
 * Failed videos in {@link FAILURE_WINDOW_MS} from which the account has to wait. Failed videos cost
 * no quota, so their number alone would limit nothing.
 */
export function failureLimitOf(account: Account): number {
  return Math.max(MIN_FAILURE_LIMIT, quotaOf(account));
}

/** The day on which this account's quota resets each month (service-api.md §8.3 rules 2 and 3). */
export function cycleAnchorOf(account: Account): string {
  const signedUpOn = new Date(account.signedUpAt).toISOString().slice(0, 10);
  return account.plan === 'free' ? signedUpOn : (account.billingDate ?? signedUpOn);
}

/** An account's table row; parsing a row yields the account. */
export const accountRow = z
  .object({
    id: z.int(),
    email: z.string(),
    plan: planSchema,
    signed_up_at: z.int(),
    billing_date: billingDateSchema.nullable(),
    custom_quota: z.int().min(0).nullable(),
    custom_limits: z.string(),
  })
  .transform((row): Account => ({
    id: row.id,
    email: row.email,
    plan: row.plan,
    signedUpAt: row.signed_up_at,
    billingDate: row.billing_date ?? undefined,
    customQuota: row.custom_quota ?? undefined,
    customLimits:
      row.custom_limits === '{}' ? {} : customLimitsSchema.parse(JSON.parse(row.custom_limits)),
  }));
