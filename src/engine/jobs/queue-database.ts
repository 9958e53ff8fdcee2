import { DatabaseSync } from 'node:sqlite';
import type { JobCounts } from '../../contract/batch.ts';
import { Serial } from '../serial.ts';
import {
  DatabaseIdentity,
  leaveShutdownMark,
  wasChangedSinceShutdown,
} from './database-identity.ts';
import {
  openDatabase,
  openDatabaseToRead,
  storePaths,
  writeBackup,
  type OpenedDatabase,
} from './database.ts';
import { DiskReserve } from './disk-reserve.ts';
import type { JobRow } from './job-row.ts';
import type { InstanceLock } from './instance-lock.ts';
import { JobStore } from './job-store.ts';
import { KeyValueStore } from './key-value-store.ts';
import { Ledger } from './ledger.ts';
import { markSentSinceUncertain, recover, sentSince, type Recoverable } from './recovery.ts';
import { SentJournal } from './sent-journal.ts';
import { StateCounts } from './state-counts.ts';
import { Store } from './store.ts';
import { errorOfOpening, Transactions } from './transactions.ts';

export interface DatabaseOptions {
  readonly folder: string;
  /** The folder's lock, which the caller holds. */
  readonly lock: Pick<InstanceLock, 'assertOurs' | 'check' | 'lost'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The disk is too full for any write: the database is opened read-only. */
  readonly onlyRead?: boolean;
}

/**
 * The queue's database, opened once for the sessions of all services: one connection, one journal
 * of requests, one reserve, one backup. Recovery of all services runs when it is opened and never
 * later, so it cannot mistake a request that another session is sending for one that a crash left
 * behind.
 */
export class QueueDatabase {
  readonly transactions: Transactions;
  readonly journal: SentJournal;
  readonly reserve: DiskReserve;
  readonly identity: DatabaseIdentity;
  /** Path of the damaged database, if it was damaged. */
  readonly setAside: string | null;
  readonly #condition: OpenedDatabase['condition'];
  readonly #database: DatabaseSync;
  readonly #folder: string;
  readonly #lock: DatabaseOptions['lock'];
  readonly #isReadOnly: boolean;
  /** Services that have had a store since this was opened. */
  readonly #known = new Set<number>();
  readonly #backups = new Serial();
  #nextBackup: Promise<void> | null = null;
  #changesInBackup: number;

  private constructor(
    { database, condition, setAside }: OpenedDatabase,
    { folder, lock, onlyRead = false }: DatabaseOptions,
  ) {
    this.#database = database;
    this.#folder = folder;
    this.#lock = lock;
    this.#isReadOnly = onlyRead;
    this.#condition = condition;
    this.setAside = setAside;
    const paths = storePaths(folder);
    this.reserve = new DiskReserve(folder);
    const refusal = onlyRead ? this.reserve.fullError() : null;
    this.transactions = Transactions.on(database, this.reserve, lock, refusal);
    this.journal = new SentJournal(paths.journal);
    this.identity = new DatabaseIdentity(paths.database, this.transactions);
    this.#changesInBackup = this.#changes();
  }

  /**
   * Opens the database and repairs what a stopped engine or a damaged file left, for all services.
   * @throws {EngineError} `store-newer`; `folder-unusable` or `disk-full` when the folder takes no writes
   */
  static async open(options: DatabaseOptions): Promise<QueueDatabase> {
    const { folder, now, onlyRead = false } = options;
    if (onlyRead) {
      const database = openDatabaseToRead(folder);
      return new QueueDatabase({ database, condition: 'sound', setAside: null }, options);
    }
    new DiskReserve(folder).makeRoomToOpen();
    const wasWrittenOver = wasChangedSinceShutdown(storePaths(folder));
    const opened = await openDatabase(folder, now);
    try {
      const queue = new QueueDatabase(opened, options);
      const { generation } = queue.journal;
      if (wasWrittenOver || queue.identity.generation < generation) {
        queue.identity.forget(generation);
      }
      queue.#recoverAll(now);
      queue.reserve.refill();
      return queue;
    } catch (error) {
      opened.database.close();
      throw errorOfOpening(folder, error);
    }
  }

  /**
   * The store of one service. It counts rows in memory, so a service has one store at a time: an
   * earlier one must refuse writes.
   * @param onChange called for every job that changed, once the change is on disk
   */
  storeOf(origin: string, now: number, onChange: (job: JobRow) => void): Store {
    const serviceId = this.#serviceIdOf(origin);
    if (this.#known.has(serviceId) && !this.#isReadOnly) this.#recoverAgain(serviceId, now);
    // The user is informed once per service: a session that is opened later uses the same file.
    const condition = this.#known.has(serviceId) ? 'sound' : this.#condition;
    const store = new Store(this, { serviceId, condition, onChange });
    this.#known.add(serviceId);
    return store;
  }

  /** The stored values of a service, whether or not it has a store. A store shares them. */
  notesOf(origin: string): KeyValueStore {
    return new KeyValueStore(this.transactions, this.#serviceIdOf(origin));
  }

  /** How many jobs of each service are in each state. */
  counts(): { readonly origin: string; readonly counts: JobCounts }[] {
    const rows = this.transactions.all('SELECT id, origin FROM service');
    return rows.flatMap(({ id, origin }) => {
      const { total } = new StateCounts(this.transactions, Number(id));
      const isEmpty = Object.values(total).every((jobs) => jobs === 0);
      return isEmpty ? [] : [{ origin: String(origin), counts: { ...total } }];
    });
  }

  /**
   * Writes a backup of the database as it is now or a little later, while work continues; requests
   * that were sent until then can be removed from the journal.
   */
  backUp(): Promise<void> {
    // A running backup may have begun before the latest change, so another one is needed.
    this.#nextBackup ??= this.#backups.run(() => {
      this.#nextBackup = null;
      return this.#writeBackup();
    });
    return this.#nextBackup;
  }

  /**
   * Closes the database, also when its last backup fails. When the folder is lost, its backup and
   * its shutdown mark are another process's.
   * @throws what kept that backup from being written
   */
  async close(): Promise<void> {
    try {
      await this.#backups.idle();
      this.#lock.check();
      const isChanged = this.#changes() !== this.#changesInBackup;
      if (isChanged && !this.#lock.lost.aborted) await this.backUp();
    } finally {
      this.#database.close();
      if (!this.#isReadOnly && !this.#lock.lost.aborted)
        leaveShutdownMark(storePaths(this.#folder));
    }
  }

  #recoverAll(now: number): void {
    const services = this.transactions
      .all('SELECT id FROM service')
      .map(({ id }): Recoverable => this.#recoverable(Number(id)));
    const [first] = services;
    if (first === undefined) return;
    this.transactions.write(() => {
      const sent = sentSince(first.jobs, this.journal.read());
      for (const service of services) {
        markSentSinceUncertain(service, sent, this.#condition === 'restored', now);
        recover(service, now);
      }
    });
  }

  /**
   * Repairs what the previous store could not finish writing: no other store uses this service now.
   */
  #recoverAgain(serviceId: number, now: number): void {
    this.transactions.write(() => recover(this.#recoverable(serviceId), now));
  }

  #recoverable(serviceId: number): Recoverable {
    return {
      jobs: new JobStore(this.transactions, serviceId, () => undefined),
      ledger: new Ledger(this.transactions, serviceId),
    };
  }

  #changes(): number {
    return this.transactions.number('SELECT total_changes()');
  }

  async #writeBackup(): Promise<void> {
    const known = this.journal.read().length;
    const generation = this.identity.raiseGeneration();
    const changes = this.#changes();
    await writeBackup(this.#folder);
    this.#lock.assertOurs();
    this.#changesInBackup = changes;
    // A request that left during the backup may be missing from it.
    if (this.journal.read().length === known) this.journal.clear(generation);
  }

  /** Zero, the id of no service, for an unknown service that cannot be stored. */
  #serviceIdOf(origin: string): number {
    const { transactions, identity, journal } = this;
    const known = transactions.number('SELECT id FROM service WHERE origin = ?', origin);
    if (known !== 0 || this.#isReadOnly) return known;
    return transactions.write(() => {
      transactions.run('INSERT INTO service (origin) VALUES (?) ON CONFLICT DO NOTHING', origin);
      // A database that replaced a damaged one has no service to store it for.
      const { generation } = journal;
      if (identity.generation < generation) identity.raiseGeneration(generation);
      return transactions.number('SELECT id FROM service WHERE origin = ?', origin);
    });
  }
}
