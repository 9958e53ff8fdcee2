/**
 * The states of a job. The allowed transitions, and what each one needs on disk first, are the
 * table in `engine/jobs/lifecycle.ts`; this file has no imports, so that a page can use the states
 * without loading a schema library.
 */
export const JOB_STATES = [
  /** Waiting for a slot of the rate limit. */
  'queued',
  /** Held by the user; keeps its place. */
  'held',
  /** Has reserved a rate slot and a unit of quota; nothing has been sent. */
  'reserved',
  /** Its request is being sent, or its response is outstanding. */
  'sending',
  /** It may have been accepted: the user decides, or Spool finds out from the service. */
  'uncertain',
  /** Accepted by the service. */
  'submitted',
  /** The service says that it is rendering it. */
  'rendering',
  /** The video is rendered, and not downloaded yet. */
  'ready',
  'downloading',
  /** All bytes are here; length, container and hash are being checked. */
  'verifying',
  /** Saved and verified. */
  'done',
  /** It was saved, but its file is missing; or damaged, if its failure says so. */
  'missing',
  /** Refused by the service. */
  'rejected',
  /** Accepted, but the render or the download failed permanently. */
  'failed',
  /** Cancelled by the user before it was sent. */
  'cancelled',
  /**
   * Abandoned by the user after it was sent: its quota is spent, but its video can still be
   * downloaded.
   */
  'abandoned',
] as const;

export type JobState = (typeof JOB_STATES)[number];

const UNSENT = ['queued', 'held'] as const;
const AT_SERVICE = ['submitted', 'rendering'] as const;
const AFTER_RENDERING = ['ready', 'downloading', 'verifying'] as const;
const ACCEPTED = [...AT_SERVICE, ...AFTER_RENDERING] as const;
const MAY_BE_PAID = ['reserved', 'sending', 'uncertain', ...ACCEPTED] as const;
const ENDED = ['missing', 'rejected', 'failed', 'cancelled', 'abandoned'] as const;

/** Groups of states. A state may be in several. */
export const STATE_GROUPS = {
  /** The request has not been sent: it can be edited, and moved in the queue. */
  unsent: UNSENT,
  /** The service is rendering the video, and its status is polled. */
  atService: AT_SERVICE,
  /** The video is rendered, and its file is not complete yet. */
  afterRendering: AFTER_RENDERING,
  /** Accepted by the service and not saved yet. */
  accepted: ACCEPTED,
  /** The job progresses without the user: it is active, or waits for a slot. */
  active: ['queued', 'reserved', 'sending', ...ACCEPTED],
  /** A video may still result. */
  open: [...UNSENT, ...MAY_BE_PAID],
  /** It may be paid for and is not saved, so its service cannot be removed. */
  mayBePaid: MAY_BE_PAID,
  /** There is no video, and there will be none unless the user acts. */
  ended: ENDED,
  /** Nothing more happens unless the user acts: it can be archived. */
  finished: ['done', 'rejected', 'failed', 'cancelled', 'abandoned'],
  /** Waits for the user's decision. */
  needsAttention: ['uncertain', 'rejected', 'failed', 'missing'],
  /** There is a video, or was. */
  saved: ['done', 'missing'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>;

export type StateGroup = keyof typeof STATE_GROUPS;

export function isIn(group: StateGroup, state: JobState): boolean {
  return (STATE_GROUPS[group] as readonly JobState[]).includes(state);
}

/**
 * Whether a job may still be paid for, or was and has no video that another row could download. An
 * abandoned one of which it is not known whether it was accepted may have been. One that was cancelled at
 * the service was accepted, and has no video.
 */
export function isPending({
  state,
  remoteId,
  submittedAt,
}: {
  readonly state: JobState;
  readonly remoteId: string | null;
  readonly submittedAt: number | null;
}): boolean {
  if (state === 'abandoned') return remoteId === null && submittedAt === null;
  return isIn('open', state) && !isIn('afterRendering', state);
}

/** How many videos of these counts are in the group. */
export function countIn(group: StateGroup, counts: Readonly<Record<JobState, number>>): number {
  return STATE_GROUPS[group].reduce((sum, state) => sum + counts[state], 0);
}

/**
 * Whether a batch with these counts can be cleared away: it has videos, none is open, and none waits
 * for the user.
 */
export function isFinished(counts: Readonly<Record<JobState, number>>): boolean {
  const isEmpty = Object.values(counts).every((jobs) => jobs === 0);
  return !isEmpty && countIn('open', counts) + countIn('needsAttention', counts) === 0;
}
