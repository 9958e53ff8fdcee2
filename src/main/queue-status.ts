import { obstacleOf } from '../contract/flow.ts';
import { countIn, type JobState } from '../contract/job-states.ts';
import type { Flow, Summary } from '../contract/summary.ts';

/** The state of all services together, for tray, taskbar and power saving. */
export interface QueueStatus {
  /** Unfinished videos of active batches and of inactive services. */
  readonly open: number;
  /** Of the active batches. */
  readonly saved: number;
  /** Whether all active services are paused. */
  readonly paused: boolean;
  /** Saved share of what is open or saved, 0 to 1; `null` when nothing is open. */
  readonly progress: number | null;
  /** A service is blocked by something other than time or the network, such as a missing key. */
  readonly blocked: boolean;
  /** When the last video of all batches will be saved, if known. */
  readonly savedBy: number | null;
  /** Of all services, with those of finished batches. */
  readonly held: number;
  readonly needAttention: number;
  /** Whether more than one service is active. */
  readonly severalServices: boolean;
}

/** States whose videos will be saved, or need attention, within minutes. */
const WORKING_STATES: readonly JobState[] = [
  ...(['sending', 'submitted', 'rendering', 'ready', 'downloading', 'verifying'] as const),
];

/** The computer stays awake for requests due within this time, in milliseconds. */
const STAY_AWAKE_MS = 5 * 60_000;

export function queueStatusOf({ batches, flow, others, counts }: Summary): QueueStatus {
  const activeHere = batches.filter(isActive);
  const active = [...activeHere, ...others.flatMap((other) => other.batches.filter(isActive))];
  const all = [counts, ...others.map((other) => other.counts)];
  const openHere = sum(activeHere.map(activeIn));
  const openElsewhere = sum(others.map(activeIn));
  const open = openHere + openElsewhere;
  const saved = sum(active.map(({ counts }) => counts.done));
  const ends = activeHere.map(({ savedBy }) => savedBy);
  const activeOthers = others.flatMap((other) =>
    other.flow ? { ...other, flow: other.flow } : [],
  );
  const flows = [flow, ...activeOthers.map((other) => other.flow)];
  return {
    open,
    saved,
    paused: flows.every(({ state }) => state === 'paused'),
    blocked: [flow, ...activeOthers.filter(isActive).map((other) => other.flow)].some(needsUser),
    progress: open > 0 ? saved / (saved + open) : null,
    // The summaries of other services do not contain these times.
    savedBy:
      openElsewhere > 0 || ends.some((end) => end === null)
        ? null
        : Math.max(...(ends as number[]), 0) || null,
    held: sum(all.map((each) => each.held)),
    needAttention: sum(all.map((each) => countIn('needsAttention', each))),
    severalServices: activeOthers.length > 0,
  };
}

function activeIn({ counts }: Pick<Summary, 'counts'>): number {
  return countIn('active', counts);
}

function isActive(of: Pick<Summary, 'counts'>): boolean {
  return activeIn(of) > 0;
}

function needsUser(flow: Flow): boolean {
  const obstacle = obstacleOf(flow);
  return obstacle !== null && obstacle.code !== 'service-unreachable';
}

/**
 * Whether the computer should stay awake: while something transfers, renders or is due within five
 * minutes. A queue that waits an hour for its next request, or for the user, lets it sleep.
 *
 * @param now milliseconds since the epoch
 */
export function keepsAwake(summary: Summary, now: number): boolean {
  const { counts, flow, transfers, nextSendAt, others } = summary;
  if (transfers.active > 0) return true;
  if ([{ counts, flow }, ...others].some(isWorking)) return true;
  return flow.state === 'running' && nextSendAt !== null && nextSendAt <= now + STAY_AWAKE_MS;
}

/** @param of the videos of a service, and what prevents its requests; `null` if it is inactive */
function isWorking({ counts, flow }: Pick<Summary, 'counts'> & { flow: Flow | null }): boolean {
  if (flow === null) return false;
  // Whatever is paused, the response to a request that is in flight is stored.
  if (counts.sending > 0) return true;
  if (flow.state === 'paused' && flow.what === 'everything') return false;
  return obstacleOf(flow) === null && sum(WORKING_STATES.map((state) => counts[state])) > 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
