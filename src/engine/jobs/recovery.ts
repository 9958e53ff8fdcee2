import type { JobState } from '../../contract/job-states.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { UNMADE } from './job-row.ts';
import type { JobReader } from './job-reader.ts';
import type { JobStore } from './job-store.ts';
import type { Ledger } from './ledger.ts';
import { MOVES, RECOVERY, type MoveName } from './lifecycle.ts';
import type { SentEntry } from './sent-journal.ts';

/** What recovery changes: the jobs of one service. */
export interface Recoverable {
  readonly jobs: JobStore;
  readonly ledger: Ledger;
}

/** The note in a job's history about its recovery, by the move that was made. */
function noteFor(move: MoveName): UserMessage {
  switch (move) {
    case 'markUncertain':
      return userMessage('stopped-while-sending');
    case 'unreserve':
      return userMessage('stopped-before-sending');
    default:
      return userMessage('stopped-during-download');
  }
}

/**
 * Moves every job that a stopped engine left in a transient state to a safe one. Each download that
 * waited is tried once; if that fails, its backoff continues.
 */
export function recover(store: Recoverable, now: number): void {
  for (const move of RECOVERY) {
    for (const id of MOVES[move].from.flatMap((state) => store.jobs.ids(state))) {
      if (move === 'unreserve') store.ledger.release(id);
      store.jobs.move(id, move, now, {}, noteFor(move));
    }
  }
  store.jobs.moveWaits((nextTryAt) => Math.min(nextTryAt, now));
  store.jobs.endOpenAttempts(now);
}

/**
 * The requests that left after the database's last change: the database is a backup, or the end of
 * its log was lost. An earlier request without an attempt never left, because the database contains
 * everything up to its last change.
 * @param sent the journal, oldest first
 */
export function sentSince(jobs: JobReader, sent: readonly SentEntry[]): readonly SentEntry[] {
  return sent.slice(sent.findLastIndex(({ job, at }) => jobs.hasAttempt(job, at)) + 1);
}

const DOWNLOAD_AGAIN_FAILED = ['downloadAgain', 'downloadFailed', 'retry'] as const;

/**
 * The moves by which a job returns to the queue, to be sent. One that was sent before failed since,
 * the user decided that it was not accepted, or the service no longer had its video when that was
 * downloaded again.
 */
const WAY_TO_QUEUE: Partial<Record<JobState, readonly MoveName[]>> = {
  held: ['release'],
  queued: [],
  uncertain: ['resend'],
  submitted: ['renderFailed', 'retry'],
  rendering: ['renderFailed', 'retry'],
  ready: ['downloadFailed', 'retry'],
  downloading: ['downloadFailed', 'retry'],
  verifying: ['downloadFailed', 'retry'],
  done: ['markMissing', ...DOWNLOAD_AGAIN_FAILED],
  missing: DOWNLOAD_AGAIN_FAILED,
  abandoned: DOWNLOAD_AGAIN_FAILED,
  failed: ['retry'],
  rejected: ['retry'],
  cancelled: ['retry'],
};

/**
 * Marks requests uncertain that left without the database's knowledge. Jobs of other services are
 * not changed.
 * @param restored the database is its last backup
 */
export function markSentSinceUncertain(
  store: Recoverable,
  sent: readonly SentEntry[],
  restored: boolean,
  now: number,
): void {
  for (const { job: id, at, mark } of sent) {
    const state = store.jobs.find(id)?.state;
    const way = state && WAY_TO_QUEUE[state];
    // An engine that stopped between journal and attempt also leaves a reserved job; nothing was
    // sent.
    const isReserved = state === 'reserved' && restored;
    if (!way && !isReserved) continue;
    if (way) {
      for (const move of way) store.jobs.move(id, move, at);
      store.ledger.release(id);
      store.ledger.hold(id, at);
      store.jobs.move(id, 'reserve', at, UNMADE);
    }
    store.jobs.beginAttempt(id, at, mark ?? null);
    store.jobs.move(id, 'send', at);
    store.jobs.move(id, 'markUncertain', now, {}, userMessage('queue-older-than-request'));
  }
}

/**
 * Holds unsent jobs whose number left with another request: the job was edited since the copy, and
 * sending it as it was would be paid for as well. Or another job had the number; then the user releases
 * it.
 */
export function holdChangedSince(
  { jobs }: Recoverable,
  sent: readonly SentEntry[],
  now: number,
): void {
  for (const id of new Set(sent.map(({ job }) => job))) {
    if (jobs.find(id)?.state !== 'queued') continue;
    jobs.move(id, 'hold', now, {}, userMessage('sent-otherwise-since'));
  }
}
