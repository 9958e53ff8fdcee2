import { hostOf } from '../../contract/service-id.ts';
import { isDeepStrictEqual } from 'node:util';
import type { OtherServiceStatus } from '../../contract/summary.ts';
import type { QueueDatabase } from '../jobs/queue-database.ts';
import { noCounts } from '../jobs/state-counts.ts';

/** A service that the user has set up, whether or not it has a session. */
export type KnownService = Pick<OtherServiceStatus, 'name' | 'origin' | 'isLocal'>;

const NOT_WORKED = { flow: null, batches: [] };

/** All services that have jobs, a session or are set up, as their status is shown. */
export class ServiceList {
  readonly #database: Pick<QueueDatabase, 'counts'>;
  #known: readonly KnownService[] = [];
  /**
   * Status of all services when a session was last opened or closed; used for those without a
   * session.
   */
  #resting: readonly OtherServiceStatus[] | null = null;

  constructor(database: Pick<QueueDatabase, 'counts'>) {
    this.#database = database;
  }

  /**
   * Sets the services that are listed although they have no jobs.
   * @returns whether that changes the list
   */
  setKnown(known: readonly KnownService[]): boolean {
    if (isDeepStrictEqual(known, this.#known)) return false;
    this.#known = known;
    return true;
  }

  /** A session was opened or closed, or what several of them show has changed. */
  sessionsChanged(): void {
    this.#resting = null;
  }

  /**
   * By name.
   * @param open status of the services that have an open session
   */
  all(open: readonly OtherServiceStatus[]): OtherServiceStatus[] {
    this.#resting ??= this.#database
      .counts()
      .map((counted) => ({ ...counted, name: hostOf(counted.origin), isLocal: false }))
      .map((counted) => ({ ...counted, ...NOT_WORKED }));
    const known = this.#known.map((each) => ({ ...each, ...NOT_WORKED, counts: noCounts() }));
    const byOrigin = new Map<string, OtherServiceStatus>();
    // Later entries are more recent.
    for (const { counts, ...each } of [...known, ...this.#resting]) {
      byOrigin.set(each.origin, { ...each, ...byOrigin.get(each.origin), counts });
    }
    for (const status of open) byOrigin.set(status.origin, status);
    return [...byOrigin.values()].toSorted((one, other) => one.name.localeCompare(other.name));
  }
}
