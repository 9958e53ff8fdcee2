import { obstacleOf } from '../contract/flow.ts';
import { countIn, type JobState } from '../contract/job-states.ts';
import type { Summary } from '../contract/summary.ts';

/** What the tray, the taskbar and the power saver have to know of the queue. */
export interface QueueStatus {
  /** Videos that are under way or wait for their turn. */
  readonly open: number;
  readonly saved: number;
  readonly paused: boolean;
  /** Share of the batches under way that is saved, 0 to 1; `null` when none is. */
  readonly progress: number | null;
  /** Something else than time or the network stands in the way, such as a missing key. */
  readonly blocked: boolean;
  /** When the last video of all batches will be saved, where that is known. */
  readonly savedBy: number | null;
}

/** Videos of these will be saved, or ask for something, within minutes. */
const AT_WORK: readonly JobState[] = [
  ...(['sending', 'submitted', 'rendering', 'ready', 'downloading', 'verifying'] as const),
];

/** Sleep is kept off for what is due within this time. */
const SOON_MS = 5 * 60_000;

export function queueStatusOf({ batches, flow, counts }: Summary): QueueStatus {
  const obstacle = obstacleOf(flow);
  const underWay = batches.filter((batch) => countIn('active', batch.counts) > 0);
  const open = sum(underWay.map((batch) => countIn('active', batch.counts)));
  const saved = sum(underWay.map((batch) => batch.counts.done));
  const ends = underWay.map(({ savedBy }) => savedBy);
  return {
    open,
    saved: open > 0 ? saved : counts.done,
    paused: flow.state === 'paused',
    blocked: obstacle !== null && obstacle.code !== 'service-unreachable',
    progress: open > 0 ? saved / (saved + open) : null,
    savedBy: ends.some((end) => end === null) ? null : Math.max(...(ends as number[]), 0) || null,
  };
}

/**
 * Whether the computer should stay awake: while something transfers, renders or is due within five
 * minutes. A queue that waits an hour for its next request, or for the user, lets it sleep.
 *
 * @param now milliseconds since the epoch
 */
export function keepsAwake({ counts, flow, transfers, nextSendAt }: Summary, now: number): boolean {
  if (transfers.active > 0 || counts.sending > 0) return true;
  if (flow.state === 'paused' && flow.what === 'everything') return false;
  if (obstacleOf(flow) !== null) return false;
  if (sum(AT_WORK.map((state) => counts[state])) > 0) return true;
  return flow.state === 'running' && nextSendAt !== null && nextSendAt <= now + SOON_MS;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
