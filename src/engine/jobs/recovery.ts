import type { JobStore } from './job-store.ts';
import type { Ledger } from './ledger.ts';
import { RECOVERY, startsFrom, type MoveName } from './lifecycle.ts';
import type { Record } from './record.ts';
import type { SentJournal } from './sent-journal.ts';
import type { Transactions } from './transactions.ts';

/** The parts of a store that recovery works on. */
export interface Recoverable {
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly ledger: Ledger;
  readonly record: Record;
  readonly journal: SentJournal;
}

/** What a job's history says about its recovery, by the move that was made. */
function noteFor(move: MoveName): string {
  switch (move) {
    case 'doubt':
      return 'Spool stopped while the request was on its way, so it may have been accepted.';
    case 'unreserve':
      return 'Spool stopped before the request was sent.';
    default:
      return 'Spool stopped during the download, which goes on where it stopped.';
  }
}

/**
 * Moves every job that a stopped engine left in the middle of something to where it is safe. After
 * a backup was restored, jobs whose request may have left since become uncertain.
 */
export function recover(store: Recoverable, restored: boolean, now: number): void {
  store.transactions.write(() => {
    if (restored) doubtSentSinceBackup(store, now);
    for (const move of RECOVERY) {
      for (const id of startsFrom(move).flatMap((state) => store.jobs.ids(state))) {
        if (move === 'unreserve') store.ledger.release(id);
        store.jobs.move(id, move, now, {}, noteFor(move));
      }
    }
    store.record.endOpen('lost', now);
  });
}

function doubtSentSinceBackup(store: Recoverable, now: number): void {
  for (const { job, at } of store.journal.read()) {
    if (store.jobs.find(job)?.state !== 'queued') continue;
    store.ledger.hold(job, at);
    store.jobs.move(job, 'reserve', at);
    store.jobs.move(job, 'send', at);
    store.jobs.move(
      job,
      'doubt',
      now,
      {},
      'The queue was restored from a backup that is older than this request.',
    );
  }
}
