import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';

/** Who may move a job. */
export type Mover = 'owner' | 'submitter' | 'poller' | 'fetcher' | 'file check' | 'start-up';

interface Move {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly by: readonly Mover[];
  /** When it happens, in a few words for the diagram. */
  readonly when: string;
  /** What is committed in the same transaction, before the move has any effect. */
  readonly onDiskFirst: string;
}

/**
 * Every move there is between two states, and the one that a history tells although it leads back
 * to its state. The store makes no other, and `docs/lifecycle.md` is generated from it. No move
 * leads from `sending` or `uncertain` back to `queued` unless the service, the first byte or the
 * owner proves that nothing was made: that is what keeps a job from being submitted twice.
 */
export const MOVES = {
  confirm: {
    from: ['draft'],
    to: 'queued',
    by: ['owner'],
    when: 'confirmed',
    onDiskFirst: 'the request body and its SHA-256',
  },
  hold: {
    from: ['draft', 'queued'],
    to: 'held',
    by: ['owner'],
    when: 'set aside',
    onDiskFirst: 'the choice',
  },
  release: {
    from: ['held'],
    to: 'queued',
    by: ['owner'],
    when: 'put back',
    onDiskFirst: 'the choice',
  },
  cancel: {
    from: STATE_GROUPS.unsent,
    to: 'cancelled',
    by: ['owner'],
    when: 'withdrawn before it was sent',
    onDiskFirst: 'the choice',
  },
  reserve: {
    from: ['queued'],
    to: 'reserved',
    by: ['submitter'],
    when: 'its turn at the rate limit',
    onDiskFirst: 'the rate slot and a quota hold',
  },
  unreserve: {
    from: ['reserved'],
    to: 'queued',
    by: ['submitter', 'start-up'],
    when: 'its attempt could not be written down, or found there at start-up: nothing was sent',
    onDiskFirst: 'the hold released',
  },
  send: {
    from: ['reserved'],
    to: 'sending',
    by: ['submitter'],
    when: 'before the first byte',
    onDiskFirst: 'an attempt row',
  },
  accept: {
    from: ['sending'],
    to: 'submitted',
    by: ['submitter'],
    when: 'the service gave it an id',
    onDiskFirst: 'the id and the quota charge',
  },
  putBack: {
    from: ['sending'],
    to: 'queued',
    by: ['submitter'],
    when: 'failed before the first byte, or 401, 429 or quota used up: not executed',
    onDiskFirst: 'the hold released, and what the queue waits for',
  },
  reject: {
    from: ['sending'],
    to: 'rejected',
    by: ['submitter'],
    when: 'the service refused the request',
    onDiskFirst: "the service's own words, the hold released",
  },
  doubt: {
    from: ['sending'],
    to: 'uncertain',
    by: ['submitter', 'start-up'],
    when: 'no telling answer after the first byte, or found there at start-up',
    onDiskFirst: 'the hold kept: it counts as spent',
  },
  foundMade: {
    from: ['uncertain'],
    to: 'submitted',
    by: ['owner'],
    when: 'it was made, with this id',
    onDiskFirst: 'the id and the quota charge',
  },
  sendAgain: {
    from: ['uncertain'],
    to: 'queued',
    by: ['owner'],
    when: 'it was not made: send again',
    onDiskFirst: 'the choice, the hold released',
  },
  giveUp: {
    from: ['uncertain'],
    to: 'abandoned',
    by: ['owner'],
    when: 'let go without knowing',
    onDiskFirst: 'the choice, the hold turned into a charge',
  },
  render: {
    from: ['submitted'],
    to: 'rendering',
    by: ['poller'],
    when: 'the service is at work on it',
    onDiskFirst: 'the status body as it came',
  },
  finish: {
    from: STATE_GROUPS.atService,
    to: 'ready',
    by: ['poller'],
    when: 'the service says done',
    onDiskFirst: 'the status body as it came',
  },
  renderFailed: {
    from: STATE_GROUPS.atService,
    to: 'failed',
    by: ['poller'],
    when: 'the service says failed, rejected or cancelled, or no longer knows it',
    onDiskFirst: "the service's own words; a refund when it failed",
  },
  download: {
    from: ['ready'],
    to: 'downloading',
    by: ['fetcher'],
    when: 'a transfer is free and a link is here',
    onDiskFirst: 'the file it goes to',
  },
  notReady: {
    from: ['ready'],
    to: 'rendering',
    by: ['fetcher'],
    when: 'the service gives no link: its status is asked for again',
    onDiskFirst: 'the answer as it came',
  },
  verify: {
    from: ['downloading'],
    to: 'verifying',
    by: ['fetcher'],
    when: 'all bytes are here',
    onDiskFirst: 'nothing more',
  },
  save: {
    from: ['verifying'],
    to: 'done',
    by: ['fetcher'],
    when: 'whole, checked and in its place',
    onDiskFirst: 'path, length, duration and SHA-256',
  },
  interrupt: {
    from: ['downloading', 'verifying'],
    to: 'ready',
    by: ['fetcher', 'start-up'],
    when: 'stopped on the way; goes on where it stopped',
    onDiskFirst: 'the part file stays',
  },
  fetchFailed: {
    from: STATE_GROUPS.afterRendering,
    to: 'failed',
    by: ['fetcher'],
    when: 'cannot be fetched for good',
    onDiskFirst: 'the reason',
  },
  rename: {
    from: ['done'],
    to: 'done',
    by: ['owner'],
    when: 'its file got another name',
    onDiskFirst: 'before the file moves, the name that it is to have',
  },
  lose: {
    from: ['done'],
    to: 'missing',
    by: ['file check'],
    when: 'its file is gone, or no longer what was saved',
    onDiskFirst: 'which of the two',
  },
  findAgain: {
    from: ['missing'],
    to: 'done',
    by: ['file check'],
    when: 'its file is back, byte for byte',
    onDiskFirst: 'nothing more',
  },
  letGo: {
    from: STATE_GROUPS.accepted,
    to: 'abandoned',
    by: ['owner'],
    when: 'let go after it was sent',
    onDiskFirst: 'the choice; the quota stays spent',
  },
  fetchAgain: {
    from: ['missing', 'abandoned', 'failed', 'cancelled'],
    to: 'ready',
    by: ['owner'],
    when: 'wanted again, and it has an id',
    onDiskFirst: 'the choice',
  },
  askAgain: {
    from: ['failed'],
    to: 'rendering',
    by: ['owner'],
    when: 'asked about again: the service said that it does not have it',
    onDiskFirst: 'the choice; why it failed stays until an answer says otherwise',
  },
  retry: {
    from: ['failed', 'rejected', 'cancelled'],
    to: 'queued',
    by: ['owner'],
    when: 'render it again, for a new unit of quota',
    onDiskFirst: 'the choice; the old id is forgotten',
  },
} as const satisfies Readonly<Record<string, Move>>;

export type MoveName = keyof typeof MOVES;

export const MOVE_NAMES = Object.keys(MOVES) as readonly MoveName[];

/** States that each move may start from, typed loosely enough to be searched. */
export function startsFrom(move: MoveName): readonly JobState[] {
  return MOVES[move].from;
}

export function canMove(move: MoveName, from: JobState): boolean {
  return startsFrom(move).includes(from);
}

/** How a job that a stopped engine left in the middle of something goes on at start-up. */
export const RECOVERY: readonly MoveName[] = MOVE_NAMES.filter((move) =>
  (MOVES[move].by as readonly Mover[]).includes('start-up'),
);
