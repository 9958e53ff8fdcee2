/**
 * The words for where a job stands. Which moves exist between them, and what each one needs on
 * disk first, is the table in `engine/jobs/lifecycle.ts`; this file has no imports, so that a page
 * can use the words without carrying a schema library.
 */
export const JOB_STATES = [
  /** Imported and not yet confirmed by the user. */
  'draft',
  /** Waiting for its turn at the rate limit. */
  'queued',
  /** Held by the user; keeps its place. */
  'held',
  /** Has a rate slot and a unit of quota set aside; nothing has been sent. */
  'reserved',
  /** Its request is on the wire. */
  'sending',
  /** It may or may not have been accepted; only the user decides what happens next. */
  'uncertain',
  /** Accepted by the service. */
  'submitted',
  /** The service says it is at work on it. */
  'rendering',
  /** The video is finished and not yet here. */
  'ready',
  'downloading',
  /** All bytes are here; length, container and hash are being checked. */
  'verifying',
  /** Saved and verified. */
  'done',
  /** It was saved, and its file is no longer there; or is, damaged: then its failure says so. */
  'missing',
  /** Refused by the service before it cost anything. */
  'rejected',
  /** Accepted, and the render or its download failed for good. */
  'failed',
  /** Cancelled by the user before it was sent. */
  'cancelled',
  /**
   * Abandoned by the user after it was sent: its quota is spent, its video can still be fetched.
   */
  'abandoned',
] as const;

export type JobState = (typeof JOB_STATES)[number];

const UNSENT = ['draft', 'queued', 'held'] as const;
const AT_SERVICE = ['submitted', 'rendering'] as const;
const AFTER_RENDERING = ['ready', 'downloading', 'verifying'] as const;
const ACCEPTED = [...AT_SERVICE, ...AFTER_RENDERING] as const;
const ENDED = ['missing', 'rejected', 'failed', 'cancelled', 'abandoned'] as const;

/** The groups that states are spoken of in. A state may be in several. */
export const STATE_GROUPS = {
  /** The request has not left: it can be edited, and moved in the queue. */
  unsent: UNSENT,
  /** The service is at work on the video, and is asked about it. */
  atService: AT_SERVICE,
  /** The video is finished and is on its way to a file. */
  afterRendering: AFTER_RENDERING,
  /** Accepted by the service and not saved yet. */
  accepted: ACCEPTED,
  /** A job leaves it by itself: it is under way, or waits for its turn. */
  active: ['queued', 'reserved', 'sending', ...ACCEPTED],
  /** There may yet be a video. */
  open: [...UNSENT, 'reserved', 'sending', 'uncertain', ...ACCEPTED],
  /** There is no video, and there will be none unless the user acts. */
  ended: ENDED,
  /** Waits for the user's word. */
  needsAttention: ['uncertain', 'rejected', 'failed', 'missing'],
  /** There is a video, or was. */
  saved: ['done', 'missing'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>;

export type StateGroup = keyof typeof STATE_GROUPS;

export function isIn(group: StateGroup, state: JobState): boolean {
  return (STATE_GROUPS[group] as readonly JobState[]).includes(state);
}

/** How many videos of these counts are in the group. */
export function countIn(group: StateGroup, counts: Readonly<Record<JobState, number>>): number {
  return STATE_GROUPS[group].reduce((sum, state) => sum + counts[state], 0);
}
