import type { Failure } from './failure.ts';
import type { Flow } from './summary.ts';

/**
 * What blocks the queue, also while it is paused; `null` when nothing does. This file imports no
 * schema, so that a page can use it without loading the library.
 */
export function obstacleOf(flow: Flow): Failure | null {
  return flow.state === 'running' ? null : flow.failure;
}
