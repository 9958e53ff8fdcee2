/**
 * The words for where a job stands. Which moves exist between them, and what each one needs on
 * disk first, is the table in `engine/jobs/lifecycle.ts`; this file has no imports, so that a page
 * can use the words without carrying a schema library.
 */
export const JOB_STATES = [
  /** Imported and not yet confirmed by its owner. */
  'draft',
  /** Waiting for its turn at the rate limit. */
  'queued',
  /** Set aside by its owner; keeps its place. */
  'held',
  /** Has a rate slot and a unit of quota set aside; nothing has been sent. */
  'reserved',
  /** Its request is on the wire. */
  'sending',
  /** It may or may not have been accepted; only its owner decides what happens next. */
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
  /** Withdrawn by its owner before it was sent. */
  'cancelled',
  /** Let go by its owner after it was sent: its quota is spent, its video can still be fetched. */
  'abandoned',
] as const;

export type JobState = (typeof JOB_STATES)[number];

/** States that a job leaves by itself: it is under way, or waits for its turn. */
export const UNDER_WAY: readonly JobState[] = [
  ...(['queued', 'reserved', 'sending', 'submitted'] as const),
  ...(['rendering', 'ready', 'downloading', 'verifying'] as const),
];

/** How many videos of these counts are under way. */
export function openIn(counts: Readonly<Record<JobState, number>>): number {
  return UNDER_WAY.reduce((sum, state) => sum + counts[state], 0);
}
