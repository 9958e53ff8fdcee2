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
 * Moves every job that a stopped engine left in the middle of something to where it is safe, after
 * it has looked whether requests left that this database knows nothing of.
 * @param restored the database is its last backup
 */
export function recover(store: Recoverable, restored: boolean, now: number): void {
  store.transactions.write(() => {
    doubtSentUnknown(store, restored, now);
    for (const move of RECOVERY) {
      for (const id of startsFrom(move).flatMap((state) => store.jobs.ids(state))) {
        if (move === 'unreserve') store.ledger.release(id);
        store.jobs.move(id, move, now, {}, noteFor(move));
      }
    }
    store.record.endOpen('lost', now);
  });
}

/**
 * A request in the journal of which the database has no attempt left after the database was
 * written: it is a backup, or the end of its log was lost.
 */
function doubtSentUnknown(store: Recoverable, restored: boolean, now: number): void {
  for (const { job: id, at } of store.journal.read()) {
    const job = store.jobs.find(id);
    if (!job || store.record.hasAttempt(id, at)) continue;
    // An engine that stopped between journal and attempt leaves a reserved job too; nothing was sent.
    const isReserved = job.state === 'reserved' && restored;
    if (job.state !== 'queued' && !isReserved) continue;
    if (!isReserved) {
      store.ledger.hold(id, at);
      store.jobs.move(id, 'reserve', at);
    }
    store.record.begin(id, at);
    store.jobs.move(id, 'send', at);
    store.jobs.move(id, 'doubt', now, {}, 'The queue’s file is older than this request.');
  }
}
