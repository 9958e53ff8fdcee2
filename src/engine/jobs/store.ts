import { DatabaseSync } from 'node:sqlite';
import { otherServiceSchema, type OtherService } from '../../contract/other-service.ts';
import { ActivityLog } from './activity-log.ts';
import { BatchStore } from './batch-store.ts';
import { DatabaseIdentity, ShutdownMarker } from './database-identity.ts';
import {
  openDatabase,
  openDatabaseToRead,
  storePaths,
  writeBackup,
  type OpenedDatabase,
} from './database.ts';
import { DiskReserve } from './disk-reserve.ts';
import { JobFiles } from './job-files.ts';
import type { JobRow } from './job-row.ts';
import { JobStore } from './job-store.ts';
import { Ledger } from './ledger.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import { KeyValueStore } from './key-value-store.ts';
import { QueueOrder } from './queue-order.ts';
import { doubtSentSince, recover, sentSince, type Recoverable } from './recovery.ts';
import { SentJournal } from './sent-journal.ts';
import { Transactions } from './transactions.ts';

export interface StoreOptions {
  readonly folder: string;
  /** The service whose jobs these are; another origin's jobs stay in the file untouched. */
  readonly origin: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called for every job that changed, once the change is on disk. */
  readonly onChange: (job: JobRow) => void;
  /** The disk is too full for any write: the database is read as it is. */
  readonly onlyRead?: boolean;
}

/**
 * Everything the engine keeps, in one SQLite database: written first, acted on and announced after. Its
 * parts share the transactions, so that what belongs together is written together.
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
  readonly journal: SentJournal;
  readonly identity: DatabaseIdentity;
  readonly reserve: DiskReserve;
  /** What was found at the start; see `OpenedDatabase`. */
  readonly condition: OpenedDatabase['condition'];
  /** Where the damaged database is, if it was. */
  readonly setAside: string | null;
  readonly #database: DatabaseSync;
  readonly #mark: ShutdownMarker | null;
  readonly #folder: string;
  readonly #serviceId: number;
  #backup = Promise.resolve();
  #nextBackup: Promise<void> | null = null;
  #changesInBackup: number;

  private constructor(opened: OpenedDatabase, mark: ShutdownMarker | null, options: StoreOptions) {
    this.#mark = mark;
    this.#database = opened.database;
    this.#folder = options.folder;
    this.condition = opened.condition;
    this.setAside = opened.setAside;
    const reserve = new DiskReserve(options.folder);
    const refusal = options.onlyRead ? reserve.fullError() : null;
    const transactions = new Transactions(opened.database, reserve, refusal);
    const serviceId = serviceIdOf(transactions, options);
    this.reserve = reserve;
    this.#serviceId = serviceId;
    this.transactions = transactions;
    this.jobs = new JobStore(transactions, serviceId, options.onChange);
    this.order = new QueueOrder(transactions, serviceId);
    this.batches = new BatchStore(transactions, serviceId);
    this.files = new JobFiles(transactions, serviceId);
    this.ledger = new Ledger(transactions, serviceId);
    this.activity = new ActivityLog(transactions, serviceId);
    this.notes = new KeyValueStore(transactions, serviceId);
    const paths = storePaths(options.folder);
    this.journal = new SentJournal(paths.journal);
    this.identity = new DatabaseIdentity(paths.database, transactions, this.notes);
    this.#changesInBackup = this.#changes();
  }

  /** Opens the store and sets right what a stopped engine or a damaged database left. */
  static async open(options: StoreOptions): Promise<Store> {
    if (options.onlyRead) {
      const database = openDatabaseToRead(options.folder);
      return new Store({ database, condition: 'sound', setAside: null }, null, options);
    }
    new DiskReserve(options.folder).makeRoomToOpen();
    const paths = storePaths(options.folder);
    const mark = new ShutdownMarker(paths.database, paths.mark);
    const wasWrittenOver = mark.showsChange();
    const opened = await openDatabase(options.folder, options.now);
    try {
      const store = new Store(opened, mark, options);
      const { generation } = store.journal;
      if (wasWrittenOver || store.identity.generation < generation) {
        store.identity.forget(generation);
      }
      store.#setRight(options.now);
      store.reserve.refill();
      return store;
    } catch (error) {
      opened.database.close();
      throw error;
    }
  }

  /**
   * Copies the database aside, as it is now or a little later, while work goes on; what was sent until then
   * need not be in the journal.
   */
  backUp(): Promise<void> {
    // One under way may have begun before the latest change, so it will not do.
    if (!this.#nextBackup) {
      const before = this.#backup.catch(() => undefined);
      this.#backup = this.#nextBackup = before.then(() => {
        this.#nextBackup = null;
        return this.#writeBackup();
      });
    }
    return this.#nextBackup;
  }

  /**
   * Closes the database, also when its last backup fails.
   * @throws what kept that backup from being written
   */
  async close(): Promise<void> {
    try {
      await this.#backup.catch(() => undefined);
      if (this.#changes() !== this.#changesInBackup) await this.backUp();
    } finally {
      this.#database.close();
      this.#mark?.write();
    }
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

  /** For every service, since the journal and the backup are those of all. */
  #setRight(now: number): void {
    const { transactions, journal } = this;
    transactions.write(() => {
      const sent = sentSince(this.jobs, journal.read());
      for (const service of this.#services()) {
        doubtSentSince(service, sent, this.condition === 'restored', now);
        recover(service, now);
      }
      this.jobs.endOpenAttempts('lost', now);
    });
  }

  #services(): Recoverable[] {
    const others = this.transactions
      .all('SELECT id FROM service')
      .map(({ id }) => Number(id))
      .filter((id) => id !== this.#serviceId)
      .map((id) => ({
        jobs: new JobStore(this.transactions, id, () => undefined),
        ledger: new Ledger(this.transactions, id),
      }));
    return [this, ...others];
  }

  #changes(): number {
    return this.transactions.number('SELECT total_changes()');
  }

  async #writeBackup(): Promise<void> {
    const known = this.journal.read().length;
    const generation = this.identity.raiseGeneration();
    const changes = this.#changes();
    await writeBackup(this.#folder);
    this.#changesInBackup = changes;
    // A request that left while the copy was made may be missing from it.
    if (this.journal.read().length === known) this.journal.clear(generation);
  }
}

/** Zero, the id of no service, for an unknown one that cannot be stored. */
function serviceIdOf(transactions: Transactions, { origin, onlyRead }: StoreOptions): number {
  const known = transactions.number('SELECT id FROM service WHERE origin = ?', origin);
  if (known !== 0 || onlyRead) return known;
  return transactions.write(() => {
    transactions.run('INSERT INTO service (origin) VALUES (?) ON CONFLICT DO NOTHING', origin);
    return transactions.number('SELECT id FROM service WHERE origin = ?', origin);
  });
}
