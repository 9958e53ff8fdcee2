import { DOCUMENTED_API } from '../../src/contract/service-profile.ts';
import {
  createFlowContext,
  type FlowContext,
  type FlowOptions,
} from '../../src/engine/flow/flow-context.ts';
import type { Store } from '../../src/engine/jobs/store.ts';
import type { VirtualClock } from './virtual-clock.ts';

const nothing = (): void => undefined;

/**
 * The context of loops, with a random number of 0.5.
 * @param some options that the test adds; all others are missing
 */
export function flowContextOn(
  store: Store,
  clock: VirtualClock,
  some: Partial<FlowOptions>,
): FlowContext {
  const usual = {
    store,
    clock,
    random: () => 0.5,
    api: DOCUMENTED_API,
    feed: { job: nothing, rows: nothing, summary: nothing },
    plan: { name: 'custom', limit: 50, anchor: Date.UTC(2025, 0, 1) },
  };
  return createFlowContext({ ...usual, ...some } as FlowOptions);
}
