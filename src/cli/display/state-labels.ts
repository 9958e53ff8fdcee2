import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';

/** A state's symbol, word and colour. The colour only repeats what the other two say. */
export interface StateLabel {
  readonly shape: '○' | '‖' | '↑' | '◐' | '↓' | '✓' | '✕' | '?';
  readonly word: string;
  readonly colour: 'gray' | 'yellow' | 'blue' | 'green' | 'red';
}

const STATE_LABELS: Readonly<Record<JobState, StateLabel>> = {
  queued: { shape: '○', word: 'waiting', colour: 'gray' },
  held: { shape: '‖', word: 'held', colour: 'gray' },
  reserved: { shape: '↑', word: 'sending', colour: 'blue' },
  sending: { shape: '↑', word: 'sending', colour: 'blue' },
  uncertain: { shape: '?', word: 'uncertain', colour: 'red' },
  submitted: { shape: '◐', word: 'accepted', colour: 'yellow' },
  rendering: { shape: '◐', word: 'rendering', colour: 'yellow' },
  ready: { shape: '↓', word: 'ready', colour: 'blue' },
  downloading: { shape: '↓', word: 'downloading', colour: 'blue' },
  verifying: { shape: '↓', word: 'checking', colour: 'blue' },
  done: { shape: '✓', word: 'saved', colour: 'green' },
  missing: { shape: '✕', word: 'missing or damaged', colour: 'red' },
  rejected: { shape: '✕', word: 'refused', colour: 'red' },
  failed: { shape: '✕', word: 'failed', colour: 'red' },
  cancelled: { shape: '✕', word: 'cancelled', colour: 'gray' },
  abandoned: { shape: '✕', word: 'abandoned', colour: 'gray' },
};

export function stateLabel(state: JobState): StateLabel {
  return STATE_LABELS[state];
}

/** The label of one video, distinguishing a missing from a damaged file. */
export function jobLabel({ state, failure }: Pick<Job, 'state' | 'failure'>): StateLabel {
  if (state !== 'missing') return stateLabel(state);
  const isDamaged = failure?.code === 'file-damaged';
  return { ...STATE_LABELS.missing, word: isDamaged ? 'file damaged' : 'file missing' };
}
