import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';

/** How a state looks on a line: its shape, its word, and the colour that repeats what they say. */
export interface StateWords {
  readonly shape: '○' | '‖' | '↑' | '◐' | '↓' | '✓' | '✕' | '?';
  readonly word: string;
  readonly colour: 'gray' | 'yellow' | 'blue' | 'green' | 'red';
}

const STATE_WORDS: Readonly<Record<JobState, StateWords>> = {
  draft: { shape: '○', word: 'draft', colour: 'gray' },
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

export function stateWords(state: JobState): StateWords {
  return STATE_WORDS[state];
}

/** The same for one video, of which it is known whether its file is missing or damaged. */
export function jobWords({ state, failure }: Pick<Job, 'state' | 'failure'>): StateWords {
  if (state !== 'missing') return stateWords(state);
  const isDamaged = failure?.code === 'file-damaged';
  return { ...STATE_WORDS.missing, word: isDamaged ? 'file damaged' : 'file missing' };
}
