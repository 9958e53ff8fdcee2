import type { ActivityKind } from '../../contract/activity-kinds.ts';
import type { JobEvent } from '../../contract/job-events.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import { canMove, MOVE_NAMES, MOVES } from './lifecycle.ts';
import type { MessageName } from '../../contract/messages.ts';

/** Stored in databases: do not rename them. */
const GONE: readonly string[] = ['video-not-found', 'video-deleted-there'] satisfies MessageName[];

/** Whether this message says that the service no longer has a video that it accepted. */
export function isVideoGone(note: UserMessage | null): boolean {
  return saysAny(note, GONE);
}

const STATUS_UNKNOWN: readonly string[] = [
  'status-unknown',
  'status-missing',
] satisfies MessageName[];

function saysAny(note: UserMessage | null, sentences: readonly string[]): boolean {
  return note?.says.some(({ sentence }) => sentences.includes(sentence)) ?? false;
}

/**
 * The kind that each event is listed under; `null` for an intermediate step, which is not listed.
 */
const KIND_OF: Readonly<Record<JobEvent, ActivityKind | null>> = {
  added: 'added',
  held: 'arranged',
  released: 'arranged',
  restored: 'arranged',
  'not-accepted': 'arranged',
  'queued-to-resend': 'arranged',
  'queued-to-download-again': 'arranged',
  'queued-to-render-again': 'arranged',
  'asked-about-again': 'arranged',
  cancelled: 'cancelled',
  abandoned: 'cancelled',
  'cancelled-at-service': 'cancelled',
  'not-cancelled-at-service': 'cancelled',
  accepted: 'sent',
  'found-accepted': 'sent',
  rendering: 'rendering',
  rendered: 'rendering',
  'link-not-ready': 'rendering',
  saved: 'saved',
  'file-found': 'saved',
  renamed: 'renamed',
  'file-missing': 'missing',
  'file-damaged': 'missing',
  refused: 'failed',
  'render-failed': 'failed',
  'status-unknown': 'failed',
  'download-failed': 'failed',
  'video-gone': 'failed',
  'outcome-unknown': 'uncertain',
  reserved: null,
  'not-sent': null,
  sending: null,
  'download-started': null,
  'download-interrupted': null,
  verifying: null,
};

/**
 * The event of a job's change from one state to another; `null` when no move makes that change.
 * @param from `null` for a job that was added
 * @param note the reason, which distinguishes a missing file from a damaged one, a failed video
 *   from one that the service no longer has, and one that was not cancelled from one that was
 */
export function eventOf(
  from: JobState | null,
  to: JobState,
  note: UserMessage | null,
): JobEvent | null {
  if (from === null) return 'added';
  const move = MOVE_NAMES.find((name) => MOVES[name].to === to && canMove(name, from));
  if (move === undefined) return null;
  if (to === 'failed' && isVideoGone(note)) return 'video-gone';
  if (to === 'failed' && saysAny(note, STATUS_UNKNOWN)) return 'status-unknown';
  if (move === 'endCancelling' && note !== null) return 'not-cancelled-at-service';
  const isDamage = note?.says.some(({ sentence }) => sentence === 'named-file-damaged') ?? false;
  return move === 'markMissing' && isDamage ? 'file-damaged' : MOVES[move].event;
}

export function kindOf(event: JobEvent): ActivityKind | null {
  return KIND_OF[event];
}

/** The states that moves of these kinds start from, by the state that they lead to. */
export function movesOfKinds(
  isWanted: (kind: ActivityKind) => boolean,
): ReadonlyMap<JobState, readonly JobState[]> {
  const moves = new Map<JobState, readonly JobState[]>();
  for (const name of MOVE_NAMES) {
    const { from, to, event } = MOVES[name];
    const kind = KIND_OF[event];
    if (kind === null || !isWanted(kind)) continue;
    moves.set(to, [...(moves.get(to) ?? []), ...from]);
  }
  return moves;
}
