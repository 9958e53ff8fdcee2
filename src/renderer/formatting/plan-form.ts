import type { Settings } from '../../contract/settings.ts';
import { videosIn } from './whole-number.ts';

type Plan = Settings['plan'];

/** The plans of service-api.md §8.3. */
export const PLANS = ['free', 'starter', 'creator', 'pro', 'business'] as const;

export const PLAN_NAMES = [...PLANS, 'custom'] as const;

export type PlanName = (typeof PLAN_NAMES)[number];

/** As the service writes them, untranslated. */
export const PLAN_LABELS: Readonly<Record<Exclude<PlanName, 'custom'>, string>> = {
  free: 'Free',
  starter: 'Starter',
  creator: 'Creator',
  pro: 'Pro',
  business: 'Business',
};

/** The label of a plan; a name that is not listed here is its own label. */
export function planLabel(name: string, negotiated: string): string {
  const known = PLAN_NAMES.find((each) => each === name);
  if (known === undefined) return name;
  return known === 'custom' ? negotiated : PLAN_LABELS[known];
}

/** Videos a month (service-api.md §8.3); a negotiated plan has its own number. */
export const PLAN_LIMITS: Readonly<Record<Exclude<PlanName, 'custom'>, number>> = {
  free: 3,
  starter: 15,
  creator: 50,
  pro: 150,
  business: 500,
};

/** Parses a typed number of videos a month; `null` if it is not valid. */
export function planLimitIn(text: string): number | null {
  const limit = videosIn(text);
  return limit === 0 ? null : limit;
}

/** The plan with another name; `null` for a negotiated plan while its number is missing. */
export function renamedPlan(plan: Plan, name: PlanName, limit: number | null): Plan | null {
  if (name !== 'custom') return { ...plan, name, limit: null };
  return limit === null ? null : { ...plan, name, limit };
}
