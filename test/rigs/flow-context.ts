import { DOCUMENTED_API } from '../../src/contract/service-profile.ts';
import {
  createFlowContext,
  type FlowContext,
  type FlowOptions,
  type SessionResources,
} from '../../src/engine/flow/flow-context.ts';
import type { Store } from '../../src/engine/jobs/store.ts';
import type { VirtualClock } from './virtual-clock.ts';

const nothing = (): void => undefined;

/**
 * What loops work with, with half of the time between two attempts as chance.
 * @param some what the test uses besides; anything else is missing
 */
export function flowContextOn(
  store: Store,
  clock: VirtualClock,
  some: Partial<SessionResources & FlowOptions>,
): FlowContext {
  const options = {
    ...{ clock, random: () => 0.5, feed: { job: nothing, rows: nothing, summary: nothing } },
    plan: { name: 'custom', limit: 50, anchor: Date.UTC(2025, 0, 1) },
  };
  const resources = { store, api: DOCUMENTED_API };
  return createFlowContext({ ...resources, ...some } as SessionResources, { ...options, ...some });
}
