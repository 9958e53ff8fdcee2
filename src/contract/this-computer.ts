/**
 * The two accounts of the service on this computer: its own, which only the computer limits, and the
 * practice account, with the documented limits of a plan. No imports at run time, so that a page can
 * use it without loading a schema library.
 */
import type { Summary } from './summary.ts';

type Account = Pick<Summary, 'service' | 'quota'>;

/** Whether only the computer limits what is rendered: no quota, no requests to count, no plan. */
export function isUnlimited({ service, quota }: Account): boolean {
  return service.isLocal && quota === null;
}

/** The plan that is practised with; `null` for every other account. */
export function practicePlan({ service, quota }: Account): string | null {
  return service.isLocal ? (quota?.plan ?? null) : null;
}
