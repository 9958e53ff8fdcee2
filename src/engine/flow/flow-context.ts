import { BalanceTracker } from './balance-tracker.ts';
import { FlowControl } from './flow-control.ts';
import { createSessionState, type FlowOptions, type SessionState } from './session-state.ts';

/**
 * Everything that the loops work with, made once for a session. The loops and the view share it.
 */
export interface FlowContext extends SessionState {
  /** What currently prevents requests. */
  readonly flow: FlowControl;
  readonly balance: BalanceTracker;
}

export function createFlowContext(options: FlowOptions): FlowContext {
  const state = createSessionState(options);
  const flow = new FlowControl(state);
  return { ...state, flow, balance: new BalanceTracker(state, flow) };
}
