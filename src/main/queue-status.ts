import { obstacleOf } from '../contract/flow.ts';
import { countIn, type JobState } from '../contract/job-states.ts';
import type { Summary } from '../contract/summary.ts';

/** The queue's state for tray, taskbar and power saving. */
export interface QueueStatus {
  /** Videos that are not finished, of active batches and of other services. */
  readonly open: number;
  readonly saved: number;
  readonly paused: boolean;
  /** Saved share of the active batches, 0 to 1; `null` when there are none. */
  readonly progress: number | null;
  /** Blocked by something other than time or the network, such as a missing key. */
  readonly blocked: boolean;
  /** When the last video of all batches will be saved, if known. */
  readonly savedBy: number | null;
}

/** States whose videos will be saved, or need attention, within minutes. */
const WORKING_STATES: readonly JobState[] = [
  ...(['sending', 'submitted', 'rendering', 'ready', 'downloading', 'verifying'] as const),
];

/** The computer stays awake for requests due within this time, in milliseconds. */
const STAY_AWAKE_MS = 5 * 60_000;

export function queueStatusOf({ batches, flow, counts, others }: Summary): QueueStatus {
  const obstacle = obstacleOf(flow);
  const activeBatches = batches.filter((batch) => countIn('active', batch.counts) > 0);
  const openElsewhere = sum(others.map((other) => countIn('active', other.counts)));
  const open = openElsewhere + sum(activeBatches.map((batch) => countIn('active', batch.counts)));
  const saved = sum(activeBatches.map((batch) => batch.counts.done));
  const ends = activeBatches.map(({ savedBy }) => savedBy);
  const flows = [flow, ...others.flatMap((other) => other.flow ?? [])];
  return {
    open,
    saved: open > 0 ? saved : counts.done,
    paused: flows.every(({ state }) => state === 'paused'),
    blocked: obstacle !== null && obstacle.code !== 'service-unreachable',
    progress: open > 0 ? saved / (saved + open) : null,
    // When those of other services will be is not in their summary.
    savedBy:
      openElsewhere > 0 || ends.some((end) => end === null)
        ? null
        : Math.max(...(ends as number[]), 0) || null,
  };
}

/**
 * Whether the computer should stay awake: while something transfers, renders or is due within five
 * minutes. A queue that waits an hour for its next request, or for the user, lets it sleep.
 *
 * @param now milliseconds since the epoch
 */
export function keepsAwake(summary: Summary, now: number): boolean {
  const { counts, flow, transfers, nextSendAt, others } = summary;
  if (others.some((other) => other.flow?.state === 'running' && isWorking(other.counts)))
    return true;
  if (transfers.active > 0 || counts.sending > 0) return true;
  if (flow.state === 'paused' && flow.what === 'everything') return false;
  if (obstacleOf(flow) !== null) return false;
  if (isWorking(counts)) return true;
  return flow.state === 'running' && nextSendAt !== null && nextSendAt <= now + STAY_AWAKE_MS;
}

function isWorking(counts: Summary['counts']): boolean {
  return sum(WORKING_STATES.map((state) => counts[state])) > 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
