import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { JobCounts } from '../../contract/batch.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import { Serial } from '../serial.ts';
import { DatabaseIdentity, leaveShutdownMark, stateSinceShutdown } from './database-identity.ts';
import {
  openDatabase,
  openDatabaseToRead,
  storePaths,
  writeBackup,
  type OpenedDatabase,
} from './database.ts';
import { DiskReserve } from './disk-reserve.ts';
import { DISTRUST_NOTE, distrustOf, type QueueCondition } from './distrust.ts';
import type { JobRow } from './job-row.ts';
import type { InstanceLock } from './instance-lock.ts';
import { JobStore } from './job-store.ts';
import { KeyValueStore } from './key-value-store.ts';
import { Ledger } from './ledger.ts';
import {
  holdChangedSince,
  markSentSinceUncertain,
  recover,
  sentSince,
  type Recoverable,
} from './recovery.ts';
import { SentJournal, type SentEntry } from './sent-journal.ts';
import { SentWitness } from './sent-witness.ts';
import { StateCounts } from './state-counts.ts';
import { Store } from './store.ts';
import { errorOfOpening, Transactions } from './transactions.ts';

export interface DatabaseOptions {
  readonly folder: string;
  /** The folder's lock, which the caller holds. */
  readonly lock: Pick<InstanceLock, 'assertOurs' | 'check' | 'lost'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Absolute path of a folder elsewhere, for the witness of requests (`sent-witness.ts`); there is
   * none when left out.
   */
  readonly stateDir?: string | undefined;
  /** Called once if the witness cannot be read or written. */
  readonly onWitnessFailure?: (error: unknown) => void;
  /** The disk is too full for any write: the database is opened read-only. */
  readonly onlyRead?: boolean;
}

/** The name of the note of a service that was taken out of use. */
const FORGOTTEN_NOTE = 'forgotten';

/** The id of no service. */
const NO_SERVICE = 0;

const SOUND: QueueCondition = { condition: 'sound', keptAt: null, lacked: 0 };

/**
 * The queue's database, opened once for the sessions of all services: one connection, one journal
 * of requests, one reserve, one backup. Recovery of all services runs when it is opened and never
 * later, so it cannot mistake a request that another session is sending for one that a crash left
 * behind.
 */
export class QueueDatabase {
  readonly transactions: Transactions;
  readonly journal: SentJournal;
  readonly witness: SentWitness | null;
  readonly reserve: DiskReserve;
  readonly identity: DatabaseIdentity;
  #found: QueueCondition;
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
    { database, condition, keptAt }: OpenedDatabase,
    { folder, lock, stateDir, onWitnessFailure, onlyRead = false }: DatabaseOptions,
  ) {
    this.#database = database;
    this.#folder = folder;
    this.#lock = lock;
    this.#isReadOnly = onlyRead;
    this.#found = { condition, keptAt, lacked: 0 };
    const paths = storePaths(folder);
    this.reserve = new DiskReserve(folder);
    const refusal = onlyRead ? this.reserve.fullError() : null;
    this.transactions = Transactions.on(database, this.reserve, lock, refusal);
    this.journal = new SentJournal(paths.journal);
    this.identity = new DatabaseIdentity(paths.database, this.transactions);
    this.witness =
      stateDir === undefined
        ? null
        : new SentWitness(
            path.join(stateDir, 'sent'),
            () => this.identity.witnessed,
            onWitnessFailure,
          );
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
      return new QueueDatabase({ database, condition: 'sound', keptAt: null }, options);
    }
    new DiskReserve(folder).makeRoomToOpen();
    const since = stateSinceShutdown(storePaths(folder));
    const opened = await openDatabase(folder, now, since === 'unchanged');
    try {
      const queue = new QueueDatabase(opened, options);
      await queue.witness?.prepare();
      if (since === 'changed') queue.identity.forget();
      queue.#recoverAll(now);
      // From now on the backup has what was found out, and the journal is not needed for it.
      if (queue.#found.condition !== 'sound') await queue.backUp();
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
    const found = this.#known.has(serviceId) ? SOUND : this.#found;
    const store = new Store(this, { serviceId, found, onChange });
    if (store.notes.read(FORGOTTEN_NOTE, z.boolean()) === true) store.notes.remove(FORGOTTEN_NOTE);
    this.#known.add(serviceId);
    return store;
  }

  /** The stored values of a service, whether or not it has a store. A store shares them. */
  notesOf(origin: string): KeyValueStore {
    return new KeyValueStore(this.transactions, this.#serviceIdOf(origin));
  }

  /**
   * Takes a service without a store out of use: cancels its unsent jobs, and archives or removes all
   * of them. Until it has a store again, it is not counted.
   * @throws {NotPossibleNowError} while it has other open jobs; nothing is changed then
   */
  forget(origin: string, rows: 'archive' | 'remove', now: number): void {
    const { transactions } = this;
    const serviceId = this.#serviceIdOf(origin);
    transactions.write(() => {
      const { jobs } = this.#recoverable(serviceId);
      for (const state of STATE_GROUPS.unsent)
        for (const id of jobs.ids(state)) jobs.move(id, 'cancel', now);
      const count = jobs.counts.sum(STATE_GROUPS.mayBePaid);
      if (count > 0) throw new NotPossibleNowError(userMessage('service-has-videos', { count }));
      jobs.clear(now, rows);
      new KeyValueStore(transactions, serviceId).write(FORGOTTEN_NOTE, true);
    });
  }

  /**
   * How many jobs of each service that has any are in each state, without forgotten services.
   * Archived jobs are not counted.
   */
  counts(): { readonly origin: string; readonly counts: JobCounts }[] {
    const rows = this.transactions.all(
      `SELECT id, origin FROM service
        WHERE id NOT IN (SELECT service_id FROM note WHERE name = ?)`,
      FORGOTTEN_NOTE,
    );
    return rows.flatMap(({ id, origin }) => {
      const sql = 'SELECT EXISTS (SELECT 1 FROM job WHERE service_id = ?)';
      if (this.transactions.number(sql, Number(id)) === 0) return [];
      const { total } = new StateCounts(this.transactions, Number(id));
      return [{ origin: String(origin), counts: { ...total } }];
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
    const { transactions, identity, witness, journal } = this;
    const { jobs } = this.#recoverable(NO_SERVICE);
    const written = journal.read();
    const inJournal = sentSince(jobs, written);
    const missing = witness?.missingFrom(({ job, at }) => jobs.hasAttempt(job, at)) ?? [];
    const inWitness = missing.filter(isNotIn(inJournal));
    // A copy may have given the number of a job to another one since.
    const fits = ({ job, body }: SentEntry): boolean => jobs.isStored(job, body ?? '');
    if (this.#found.condition === 'sound') {
      const isIncomplete =
        identity.generation < journal.generation ||
        inJournal.some(({ job }) => !jobs.isStored(job));
      const otherwise = missing.length > 0 ? 'copied' : 'sound';
      this.#found = { ...this.#found, condition: isIncomplete ? 'incomplete' : otherwise };
    }
    const isOlder = this.#found.condition !== 'sound';
    if (isOlder) this.#found = { ...this.#found, lacked: inJournal.length + inWitness.length };
    const services = transactions.all('SELECT id FROM service').map(({ id }) => Number(id));
    const compared = transactions.write(() => {
      const sent = [...inJournal, ...inWitness.filter(fits)];
      for (const id of services) {
        const service = this.#recoverable(id);
        markSentSinceUncertain(service, sent, isOlder, now);
        recover(service, now);
        holdChangedSince(
          service,
          inWitness.filter((entry) => !fits(entry)),
          now,
        );
        const reason = distrustOf(this.#found);
        if (reason) new KeyValueStore(transactions, id).write(DISTRUST_NOTE, reason);
      }
      this.#neverReuse([...written, ...inWitness]);
      identity.ensureId();
      // Reported once: a queue that the user has accepted is not reported as old again.
      return missing.length > 0 ? identity.markCompared() : null;
    });
    if (compared !== null) witness?.addCompared(compared);
    witness?.shorten();
  }

  /** Gives jobs that are added higher ids than these entries have, which may name lost jobs. */
  #neverReuse(entries: readonly SentEntry[]): void {
    const { transactions } = this;
    const id = entries.reduce((highest, { job }) => Math.max(highest, job), 0);
    if (id === 0) return;
    const sql = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'job'";
    const { changes } = transactions.run(sql, id);
    if (changes > 0) return;
    transactions.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('job', ?)", id);
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
    const { identity, journal } = this;
    const generation = identity.raiseGeneration(
      Math.max(identity.generation, journal.generation) + 1,
    );
    const changes = this.#changes();
    await writeBackup(this.#folder);
    this.#lock.assertOurs();
    this.#changesInBackup = changes;
    // A request that left during the backup may be missing from it.
    if (this.journal.read().length === known) this.journal.clear(generation);
  }

  /** `NO_SERVICE` for an unknown service that cannot be stored. */
  #serviceIdOf(origin: string): number {
    const { transactions, identity, journal } = this;
    const known = transactions.number('SELECT id FROM service WHERE origin = ?', origin);
    if (known !== NO_SERVICE || this.#isReadOnly) return known;
    return transactions.write(() => {
      transactions.run('INSERT INTO service (origin) VALUES (?) ON CONFLICT DO NOTHING', origin);
      // A database that replaced a damaged one has no service to store it for.
      const { generation } = journal;
      if (identity.generation < generation) identity.raiseGeneration(generation);
      identity.ensureId();
      return transactions.number('SELECT id FROM service WHERE origin = ?', origin);
    });
  }
}

function isNotIn(others: readonly SentEntry[]): (entry: SentEntry) => boolean {
  const known = new Set(others.map(({ job, at }) => `${job} ${at}`));
  return ({ job, at }) => !known.has(`${job} ${at}`);
}
