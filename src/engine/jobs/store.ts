import { otherServiceSchema, type OtherService } from '../../contract/other-service.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import { ActivityLog } from './activity-log.ts';
import { BatchStore } from './batch-store.ts';
import type { DatabaseIdentity } from './database-identity.ts';
import type { DiskReserve } from './disk-reserve.ts';
import type { QueueCondition } from './distrust.ts';
import { FilePatterns } from './file-patterns.ts';
import { JobFiles } from './job-files.ts';
import type { JobRow } from './job-row.ts';
import { JobStore } from './job-store.ts';
import { Ledger } from './ledger.ts';
import { KeyValueStore } from './key-value-store.ts';
import { QueueOrder } from './queue-order.ts';
import type { SentJournal } from './sent-journal.ts';
import type { SentWitness } from './sent-witness.ts';
import type { Transactions } from './transactions.ts';
import { UndoLog } from './undo-log.ts';

/** What the stores of all services have in common (`QueueDatabase`). */
interface SharedDatabase {
  readonly transactions: Transactions;
  readonly journal: SentJournal;
  readonly witness: SentWitness | null;
  readonly reserve: DiskReserve;
  readonly identity: DatabaseIdentity;
  backUp(): Promise<void>;
}

interface StoreOptions {
  readonly serviceId: number;
  readonly found: QueueCondition;
  readonly onChange: (job: JobRow) => void;
}

/**
 * Everything that is stored of one service, in the database of all services. Changes are written
 * first, and acted on and announced afterwards. The parts share transactions, so that what belongs
 * together is written together.
 */
export class Store {
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly order: QueueOrder;
  readonly undo: UndoLog;
  readonly patterns: FilePatterns;
  readonly batches: BatchStore;
  readonly files: JobFiles;
  readonly ledger: Ledger;
  readonly activity: ActivityLog;
  readonly notes: KeyValueStore;
  /** Of all services. */
  readonly journal: SentJournal;
  /** Of all services; `null` without a folder for it. */
  readonly witness: SentWitness | null;
  /** Of all services. */
  readonly reserve: DiskReserve;
  /** At the start. */
  readonly found: QueueCondition;
  readonly #database: SharedDatabase;
  readonly #serviceId: number;

  /** Use `QueueDatabase.storeOf`. */
  constructor(database: SharedDatabase, { serviceId, found, onChange }: StoreOptions) {
    const transactions = database.transactions.forStore();
    this.#database = database;
    this.#serviceId = serviceId;
    this.reserve = database.reserve;
    this.journal = database.journal;
    this.witness = database.witness;
    this.transactions = transactions;
    this.jobs = new JobStore(transactions, serviceId, onChange);
    this.undo = new UndoLog(transactions, serviceId);
    this.patterns = new FilePatterns(transactions, serviceId);
    this.order = new QueueOrder(transactions, serviceId, this.undo);
    this.batches = new BatchStore(transactions, serviceId);
    this.files = new JobFiles(transactions, serviceId);
    this.ledger = new Ledger(transactions, serviceId);
    this.activity = new ActivityLog(transactions, serviceId);
    this.notes = new KeyValueStore(transactions, serviceId);
    // A copy with nothing left to send is as good as the original.
    const isCopied =
      database.identity.hasOtherFile(this.notes) && this.jobs.counts.sum(STATE_GROUPS.unsent) > 0;
    this.found =
      found.condition === 'sound' && isCopied ? { ...found, condition: 'copied' } : found;
  }

  /** Stores the database's file as the current one: it no longer counts as a copy. */
  rememberFile(): void {
    this.#database.identity.rememberFile(this.notes);
  }

  /** For a session that is closed: its remaining work must not write beside the next session. */
  refuseWrites(): void {
    this.transactions.refuseWrites();
  }

  /** Writes a backup of the whole database. */
  backUp(): Promise<void> {
    return this.#database.backUp();
  }

  /** What the queue contains for other services. */
  otherServices(): readonly OtherService[] {
    return this.transactions
      .all(
        `SELECT origin, count(*) AS videos,
            sum(state IN (SELECT value FROM json_each(?))) AS active
          FROM job JOIN service ON service.id = job.service_id
          WHERE service_id <> ? AND archived_at IS NULL GROUP BY origin ORDER BY origin`,
        JSON.stringify(STATE_GROUPS.active),
        this.#serviceId,
      )
      .map((row) => otherServiceSchema.parse(row));
  }
}
