import { otherServiceSchema, type OtherService } from '../../contract/other-service.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import { ActivityLog } from './activity-log.ts';
import { BatchStore } from './batch-store.ts';
import type { OpenedDatabase } from './database.ts';
import type { DatabaseIdentity } from './database-identity.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { JobFiles } from './job-files.ts';
import type { JobRow } from './job-row.ts';
import { JobStore } from './job-store.ts';
import { Ledger } from './ledger.ts';
import { KeyValueStore } from './key-value-store.ts';
import { QueueOrder } from './queue-order.ts';
import type { SentJournal } from './sent-journal.ts';
import type { Transactions } from './transactions.ts';

/** What the stores of all services have in common (`QueueDatabase`). */
interface SharedDatabase {
  readonly transactions: Transactions;
  readonly journal: SentJournal;
  readonly reserve: DiskReserve;
  readonly identity: DatabaseIdentity;
  readonly setAside: string | null;
  backUp(): Promise<void>;
}

interface StoreOptions {
  readonly serviceId: number;
  readonly condition: OpenedDatabase['condition'];
  readonly onChange: (job: JobRow) => void;
}

/**
 * Everything the engine keeps of one service, in the database of all: written first, acted on and
 * announced after. Its parts share the transactions, so that what belongs together is written together.
 */
export class Store {
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly order: QueueOrder;
  readonly batches: BatchStore;
  readonly files: JobFiles;
  readonly ledger: Ledger;
  readonly activity: ActivityLog;
  readonly notes: KeyValueStore;
  /** Of all services. */
  readonly journal: SentJournal;
  /** Of all services. */
  readonly reserve: DiskReserve;
  /**
   * What was found at the start; see `OpenedDatabase`. `copied`: its jobs were worked on in another
   * file, of which this one may be an older copy.
   */
  readonly condition: OpenedDatabase['condition'] | 'copied';
  /** Where the damaged database is, if it was. */
  readonly setAside: string | null;
  readonly #database: SharedDatabase;
  readonly #serviceId: number;

  /** Use `QueueDatabase.storeOf`. */
  constructor(database: SharedDatabase, { serviceId, condition, onChange }: StoreOptions) {
    const transactions = database.transactions.forStore();
    this.#database = database;
    this.#serviceId = serviceId;
    this.setAside = database.setAside;
    this.reserve = database.reserve;
    this.journal = database.journal;
    this.transactions = transactions;
    this.jobs = new JobStore(transactions, serviceId, onChange);
    this.order = new QueueOrder(transactions, serviceId);
    this.batches = new BatchStore(transactions, serviceId);
    this.files = new JobFiles(transactions, serviceId);
    this.ledger = new Ledger(transactions, serviceId);
    this.activity = new ActivityLog(transactions, serviceId);
    this.notes = new KeyValueStore(transactions, serviceId);
    const isCopied = condition === 'sound' && database.identity.hasOtherFile(this.notes);
    this.condition = isCopied ? 'copied' : condition;
  }

  /** Takes the database's file for the one to work on: it is no copy any more. */
  rememberFile(): void {
    this.#database.identity.rememberFile(this.notes);
  }

  /** For a session that is closed: what it still has under way must not write beside the next one. */
  refuseWrites(): void {
    this.transactions.refuseWrites();
  }

  /** Copies the whole database aside. */
  backUp(): Promise<void> {
    return this.#database.backUp();
  }

  /** What the queue has for services other than this one. */
  otherServices(): readonly OtherService[] {
    return this.transactions
      .all(
        `SELECT origin, count(*) AS videos,
            sum(state IN (SELECT value FROM json_each(?))) AS active
          FROM job JOIN service ON service.id = job.service_id
          WHERE service_id <> ? GROUP BY origin ORDER BY origin`,
        JSON.stringify(STATE_GROUPS.active),
        this.#serviceId,
      )
      .map((row) => otherServiceSchema.parse(row));
  }
}
