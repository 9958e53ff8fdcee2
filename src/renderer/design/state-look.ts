import type { JobState } from '../../contract/job-states.ts';

/** How a state is drawn: a shape that identifies it without colour, and a matching tone. */
export interface StateLook {
  readonly shape: Shape;
  readonly tone: Tone;
}

export type Shape =
  | 'ring'
  | 'bars'
  | 'up'
  | 'half'
  | 'tray'
  | 'down'
  | 'tick'
  | 'hollow-tick'
  | 'cross'
  | 'question'
  | 'dash';

export type Tone = 'quiet' | 'plain' | 'running' | 'good' | 'bad' | 'ask';

export const STATE_LOOKS: Record<JobState, StateLook> = {
  queued: { shape: 'ring', tone: 'quiet' },
  held: { shape: 'bars', tone: 'plain' },
  reserved: { shape: 'ring', tone: 'plain' },
  sending: { shape: 'up', tone: 'running' },
  uncertain: { shape: 'question', tone: 'ask' },
  submitted: { shape: 'half', tone: 'plain' },
  rendering: { shape: 'half', tone: 'running' },
  ready: { shape: 'tray', tone: 'plain' },
  downloading: { shape: 'down', tone: 'running' },
  verifying: { shape: 'down', tone: 'plain' },
  done: { shape: 'tick', tone: 'good' },
  missing: { shape: 'hollow-tick', tone: 'bad' },
  rejected: { shape: 'cross', tone: 'bad' },
  failed: { shape: 'cross', tone: 'bad' },
  cancelled: { shape: 'dash', tone: 'quiet' },
  abandoned: { shape: 'dash', tone: 'quiet' },
};
