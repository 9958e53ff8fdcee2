import type { JobEvent } from '../../contract/job-events.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';

/** Which part of the program may make a move. */
export type Mover =
  | 'user'
  | 'submitter'
  | 'poller'
  | 'fetcher'
  | 'settler'
  | 'canceller'
  | 'file check'
  | 'start-up';

interface Move {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly by: readonly Mover[];
  /** The event in a job's history. No two moves lead between the same two states. */
  readonly event: JobEvent;
  /** When it happens, in a few words for the diagram. */
  readonly when: string;
  /** What is committed in the same transaction, before any effect of the move. */
  readonly onDiskFirst: string;
}

/**
 * Every move between two states, and `rename` and `endCancelling`, which keep the state but belong
 * to the history. The store allows no other, and `docs/lifecycle.md` is generated from this table.
 * No move leads from `sending` or `uncertain` back to `queued` unless no byte was sent, or the
 * service or the user says that nothing was accepted: this keeps a job from being submitted twice.
 */
const TABLE = {
  hold: {
    from: ['queued'],
    to: 'held',
    by: ['user', 'submitter'],
    event: 'held',
    when: 'put on hold, or three videos of its batch in a row were refused for their content',
    onDiskFirst: 'the choice, or the reason',
  },
  release: {
    from: ['held'],
    to: 'queued',
    by: ['user'],
    event: 'released',
    when: 'released',
    onDiskFirst: 'the choice',
  },
  cancel: {
    from: STATE_GROUPS.unsent,
    to: 'cancelled',
    by: ['user'],
    event: 'cancelled',
    when: 'cancelled before it was sent',
    onDiskFirst: 'the choice',
  },
  restore: {
    from: ['cancelled'],
    to: 'held',
    by: ['user'],
    event: 'restored',
    when: 'its cancelling was undone; it was never sent',
    onDiskFirst: 'the choice',
  },
  reserve: {
    from: ['queued'],
    to: 'reserved',
    by: ['submitter'],
    event: 'reserved',
    when: 'its turn at the rate limit',
    onDiskFirst: 'the rate slot and a quota hold',
  },
  unreserve: {
    from: ['reserved'],
    to: 'queued',
    by: ['submitter', 'start-up'],
    event: 'not-sent',
    when: 'the attempt could not be stored, or found in this state at start-up: nothing was sent',
    onDiskFirst: 'the hold released',
  },
  send: {
    from: ['reserved'],
    to: 'sending',
    by: ['submitter'],
    event: 'sending',
    when: 'before the first byte',
    onDiskFirst: 'an attempt row',
  },
  accept: {
    from: ['sending'],
    to: 'submitted',
    by: ['submitter'],
    event: 'accepted',
    when: 'the service gave it an id',
    onDiskFirst: 'the id and the quota charge',
  },
  requeue: {
    from: ['sending'],
    to: 'queued',
    by: ['submitter'],
    event: 'not-accepted',
    when: 'failed before the first byte, or 401, 429 or quota used up: not executed',
    onDiskFirst: 'the hold released, and what the queue waits for',
  },
  reject: {
    from: ['sending'],
    to: 'rejected',
    by: ['submitter'],
    event: 'refused',
    when: 'the service refused the request',
    onDiskFirst: "the service's own words; the hold released, or charged if the refusal may cost",
  },
  markUncertain: {
    from: ['sending'],
    to: 'uncertain',
    by: ['submitter', 'start-up'],
    event: 'outcome-unknown',
    when: 'no conclusive answer after the first byte, or found in this state at start-up',
    onDiskFirst: 'the hold kept: it counts as spent',
  },
  confirmAccepted: {
    from: ['uncertain'],
    to: 'submitted',
    by: ['user', 'settler'],
    event: 'found-accepted',
    when: 'the service accepted it, with this id: the user, its list or a repeated answer says so',
    onDiskFirst: 'the id and the quota charge',
  },
  resend: {
    from: ['uncertain'],
    to: 'queued',
    by: ['user'],
    event: 'queued-to-resend',
    when: 'the service did not accept it: resend',
    onDiskFirst: 'the choice, the hold released',
  },
  abandonUncertain: {
    from: ['uncertain'],
    to: 'abandoned',
    by: ['user'],
    event: 'abandoned',
    when: 'abandoned without knowing',
    onDiskFirst: 'the choice, the hold turned into a charge',
  },
  render: {
    from: ['submitted'],
    to: 'rendering',
    by: ['poller'],
    event: 'rendering',
    when: 'the service renders it',
    onDiskFirst: 'the status body as received',
  },
  finish: {
    from: STATE_GROUPS.atService,
    to: 'ready',
    by: ['poller'],
    event: 'rendered',
    when: 'the service says done',
    onDiskFirst: 'the status body as received',
  },
  refuse: {
    from: STATE_GROUPS.atService,
    to: 'rejected',
    by: ['poller', 'fetcher'],
    event: 'refused',
    when: 'the service refused it after it had accepted the request',
    onDiskFirst: "the service's own words; a refund if the refusal is free",
  },
  renderFailed: {
    from: STATE_GROUPS.atService,
    to: 'failed',
    by: ['poller'],
    event: 'render-failed',
    when: 'the service says failed, rejected or cancelled, no longer has it, or reports an unknown status',
    onDiskFirst: "the service's own words; a refund when it failed",
  },
  download: {
    from: ['ready'],
    to: 'downloading',
    by: ['fetcher'],
    event: 'download-started',
    when: 'a transfer slot is free and there is a link',
    onDiskFirst: 'the file it goes to',
  },
  notReady: {
    from: ['ready'],
    to: 'rendering',
    by: ['fetcher'],
    event: 'link-not-ready',
    when: 'the service gives no link: its status is asked for again',
    onDiskFirst: 'the answer as received',
  },
  verify: {
    from: ['downloading'],
    to: 'verifying',
    by: ['fetcher'],
    event: 'verifying',
    when: 'all bytes are downloaded',
    onDiskFirst: 'nothing more',
  },
  save: {
    from: ['verifying'],
    to: 'done',
    by: ['fetcher'],
    event: 'saved',
    when: 'complete, verified and under its final name',
    onDiskFirst: 'path, length, duration and SHA-256',
  },
  interrupt: {
    from: ['downloading', 'verifying'],
    to: 'ready',
    by: ['fetcher', 'start-up'],
    event: 'download-interrupted',
    when: 'stopped; resumes where it stopped',
    onDiskFirst: 'the part file stays',
  },
  downloadFailed: {
    from: STATE_GROUPS.afterRendering,
    to: 'failed',
    by: ['fetcher'],
    event: 'download-failed',
    when: 'can never be downloaded',
    onDiskFirst: 'the reason',
  },
  rename: {
    from: ['done'],
    to: 'done',
    by: ['user'],
    event: 'renamed',
    when: 'its file was renamed',
    onDiskFirst: 'the new name',
  },
  markMissing: {
    from: ['done'],
    to: 'missing',
    by: ['file check'],
    event: 'file-missing',
    when: 'its file is missing or changed',
    onDiskFirst: 'which of the two',
  },
  markFound: {
    from: ['missing'],
    to: 'done',
    by: ['file check'],
    event: 'file-found',
    when: 'its file is back, byte for byte',
    onDiskFirst: 'nothing more',
  },
  abandon: {
    from: STATE_GROUPS.accepted,
    to: 'abandoned',
    by: ['user'],
    event: 'abandoned',
    when: 'abandoned after it was sent',
    onDiskFirst: 'the choice; the quota stays spent',
  },
  endCancelling: {
    from: ['abandoned'],
    to: 'abandoned',
    by: ['canceller'],
    event: 'cancelled-at-service',
    when: 'the service cancelled it, or said that it does not',
    onDiskFirst: 'which of the two',
  },
  downloadAgain: {
    from: ['missing', 'abandoned', 'failed', 'cancelled'],
    to: 'ready',
    by: ['user'],
    event: 'queued-to-download-again',
    when: 'download again; it has an id',
    onDiskFirst: 'the choice',
  },
  askStatusAgain: {
    from: ['failed'],
    to: 'rendering',
    by: ['user'],
    event: 'asked-about-again',
    when: 'check again; the service did not know it',
    onDiskFirst: 'the choice; the failure stays until an answer replaces it',
  },
  retry: {
    from: ['failed', 'rejected', 'cancelled', 'missing'],
    to: 'queued',
    by: ['user'],
    event: 'queued-to-render-again',
    when: 'render it again, for a new unit of quota; a lost file, if its service deleted the video',
    onDiskFirst: 'the choice; the old id is forgotten',
  },
} satisfies Record<string, Move>;

export type MoveName = keyof typeof TABLE;

export const MOVES: Readonly<Record<MoveName, Move>> = TABLE;

export const MOVE_NAMES = Object.keys(MOVES) as readonly MoveName[];

export function canMove(move: MoveName, from: JobState): boolean {
  return MOVES[move].from.includes(from);
}

/** The moves of jobs that a stopped engine left in a transient state. */
export const RECOVERY: readonly MoveName[] = MOVE_NAMES.filter((move) =>
  MOVES[move].by.includes('start-up'),
);
