import { SvelteMap } from 'svelte/reactivity';
import type { Client } from '../../contract/contract.ts';
import type { Job } from '../../contract/job.ts';
import { STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';

/** Which rows a list shows. */
export interface JobFilter {
  readonly batchId: string | null;
  /** `null` shows every state. */
  readonly states: readonly JobState[] | null;
  /** Keeps rows that were saved once while they are fetched again. */
  readonly alsoFetchedAgain?: boolean;
  readonly search: string;
}

const PAGE = 100;
/** The contract lists no more rows at once. */
const MAX_PAGE = 1000;
/** Pages kept beyond the wanted ones on either side. */
const MARGIN = 1;
/** Rows beyond the visible ones on either side that are read, so that scrolling seldom waits. */
const AHEAD = 50;
/** A filtered list is read again at most this often while rows change, in milliseconds. */
const SETTLE_MS = 400;

/** Where a row may stand between having been fetched again and being saved. */
const ON_ITS_WAY: ReadonlySet<JobState> = new Set([...STATE_GROUPS.afterRendering, 'failed']);

/** A filter as the contract takes it. */
interface ListQuery {
  batchId?: string;
  states?: JobState[];
  alsoFetchedAgain?: true;
  search?: string;
}

interface Reading {
  /** Rows that changed while the page was on its way, by id; they are newer than it. */
  readonly newer: Record<string, Job>;
}

interface Fetched {
  readonly page: number;
  readonly reading: Reading;
  /** `null` when it could not be read. */
  readonly answer: { readonly total: number; readonly jobs: readonly Job[] } | null;
}

/**
 * A window on the engine's rows, however many there are: it holds the pages around the visible
 * rows and no others, and keeps them true as updates come.
 */
export class JobList {
  /** How many rows match; `null` until the first answer. */
  total = $state<number | null>(null);
  filter = $state.raw<JobFilter>({ batchId: null, states: null, search: '' });
  /** True when the last reading failed; the next update or scroll tries again. */
  unreadable = $state(false);
  /** Settles when the visible rows are as they were at the latest `reload`. Never rejects. */
  read: Promise<void> = Promise.resolve();

  readonly #client: Client;
  readonly #pointerReleased: PointerReleased;
  readonly #pages = new SvelteMap<number, readonly Job[]>();
  // Nothing shows what is being read, so nothing need react to it.
  readonly #readings = new Map<number, Reading>();
  #generation = 0;
  #first = 0;
  #last = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, pointerReleased: PointerReleased) {
    this.#client = client;
    this.#pointerReleased = pointerReleased;
  }

  /** The row at `index`, or `undefined` while it is on its way. */
  at(index: number): Job | undefined {
    return index < 0 ? undefined : this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  byId(id: string): Job | undefined {
    return this.at(this.indexOf(id));
  }

  /** Where a row stands among those held, or -1. */
  indexOf(id: string): number {
    for (const [page, jobs] of this.#pages) {
      const within = jobs.findIndex((job) => job.id === id);
      if (within >= 0) return page * PAGE + within;
    }
    return -1;
  }

  /** Every row that is held now, in no particular order. */
  held(): readonly Job[] {
    return [...this.#pages.values()].flat();
  }

  /** Reads the ids of the rows that match, without holding the rows: all, or from one to another. */
  async idsOf(first = 0, last = Infinity): Promise<readonly string[]> {
    return this.#readIds(this.#query(), first, last);
  }

  /** Reads the ids of the rows in some states, among all that the batch and the search let through. */
  async idsIn(states: readonly JobState[]): Promise<readonly string[]> {
    const { batchId, search } = this.#query();
    return this.#readIds({
      ...(batchId === undefined ? {} : { batchId }),
      ...(search === undefined ? {} : { search }),
      states: [...states],
    });
  }

  /** Looks for a row wherever it is; -1 when it is not in the list. */
  async locate(id: string): Promise<number> {
    return (await this.idsOf()).indexOf(id);
  }

  /**
   * Whether a row that was in the list still is, after a change. Where rows that are downloaded again
   * are listed, only saved ones were in the list, so what is on its way now was saved once.
   */
  keeps(job: Job): boolean {
    const { alsoFetchedAgain = false } = this.filter;
    return this.#matches(job) || (alsoFetchedAgain && ON_ITS_WAY.has(job.state));
  }

  /** Says which rows are visible, so that they are read and far ones are let go. */
  show(first: number, last: number): void {
    this.#first = first;
    this.#last = last;
    const [from, to] = this.#wanted();
    for (const page of this.#pages.keys()) {
      if (page < from - MARGIN || page > to + MARGIN) this.#pages.delete(page);
    }
    for (let page = from; page <= to; page += 1) {
      if (!this.#pages.has(page) && !this.#readings.has(page)) void this.#read(page);
    }
  }

  narrow(filter: JobFilter): void {
    this.filter = filter;
    this.#pages.clear();
    this.total = null;
    this.#first = 0;
    this.#last = 0;
    this.reload();
  }

  /** Reads the visible pages again; what is shown stays until the new rows are here. */
  reload(): void {
    this.#generation += 1;
    this.#readings.clear();
    const [from, to] = this.#wanted();
    for (const page of this.#pages.keys()) {
      if (page < from || page > to) this.#pages.delete(page);
    }
    const generation = this.#generation;
    const fetches: Promise<Fetched>[] = [];
    for (let page = from; page <= to; page += 1) fetches.push(this.#fetch(page));
    // All at once: a row that goes from one page to another is held all the while.
    const read: Promise<void> = Promise.all(fetches).then((fetched) => {
      this.#place(generation, fetched);
      // What a later reading replaces brings no rows.
      return this.read === read ? undefined : this.read;
    });
    this.read = read;
  }

  apply(update: Update): void {
    // A first answer that is on its way is waited for, or a busy queue would put it off for ever.
    const unread = this.total === null && this.#readings.size === 0;
    if (update.relist || unread || this.unreadable) {
      this.reload();
      return;
    }
    for (const job of update.jobs) {
      for (const reading of this.#readings.values()) reading.newer[job.id] = job;
    }
    if (this.#replace(update.jobs) && this.filter.states !== null) this.#settle();
  }

  stop(): void {
    clearTimeout(this.#settling);
    this.#generation += 1;
  }

  /** True when a row may have entered or left a list that is filtered by state. */
  #replace(changed: readonly Job[]): boolean {
    const newer = Object.fromEntries(changed.map((job) => [job.id, job]));
    const kept: Job[] = [];
    for (const [page, jobs] of this.#pages) {
      if (!jobs.some((job) => job.id in newer)) continue;
      this.#pages.set(
        page,
        jobs.map((job) => newer[job.id] ?? job),
      );
      kept.push(...jobs.flatMap((job) => newer[job.id] ?? []));
    }
    const matching = changed.filter((job) => this.#matches(job));
    return matching.some((job) => !kept.includes(job)) || kept.some((job) => !this.keeps(job));
  }

  #matches(job: Job): boolean {
    const { batchId, states, search } = this.filter;
    return (
      (batchId === null || job.batchId === batchId) &&
      (states?.includes(job.state) ?? true) &&
      job.title.toLowerCase().includes(search.toLowerCase())
    );
  }

  #settle(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (this.#readings.size > 0) this.#settle();
      else this.reload();
    }, SETTLE_MS);
  }

  #wanted(): [from: number, to: number] {
    const end = this.total === null ? this.#last : Math.min(this.total - 1, this.#last + AHEAD);
    return [
      Math.floor(Math.max(0, this.#first - AHEAD) / PAGE),
      Math.floor(Math.max(this.#last, end) / PAGE),
    ];
  }

  async #readIds(query: ListQuery, first = 0, last = Infinity): Promise<readonly string[]> {
    const ids: string[] = [];
    for (;;) {
      const offset = first + ids.length;
      const { total, jobs } = await this.#client.jobs.list({
        ...query,
        offset,
        limit: Math.min(MAX_PAGE, last - offset + 1),
      });
      ids.push(...jobs.map(({ id }) => id));
      if (jobs.length === 0 || first + ids.length > Math.min(last, total - 1)) return ids;
    }
  }

  #query(): ListQuery {
    const { batchId, states, alsoFetchedAgain = false, search } = this.filter;
    return {
      ...(batchId === null ? {} : { batchId }),
      ...(states === null ? {} : { states: [...states] }),
      ...(alsoFetchedAgain ? { alsoFetchedAgain } : {}),
      ...(search === '' ? {} : { search }),
    };
  }

  async #read(page: number): Promise<void> {
    const generation = this.#generation;
    this.#place(generation, [await this.#fetch(page)]);
  }

  /** Asks for the rows of a page. Never rejects. */
  async #fetch(page: number): Promise<Fetched> {
    const reading: Reading = { newer: {} };
    this.#readings.set(page, reading);
    try {
      const answer = await this.#client.jobs.list({
        ...this.#query(),
        offset: page * PAGE,
        limit: PAGE,
      });
      // Rows that are shown may go to other places.
      if (this.#pages.has(page)) await this.#pointerReleased();
      return { page, reading, answer };
    } catch {
      return { page, reading, answer: null };
    }
  }

  #place(generation: number, fetched: readonly Fetched[]): void {
    if (generation !== this.#generation) return;
    this.unreadable = fetched.some(({ answer }) => answer === null);
    for (const { page, reading, answer } of fetched) {
      this.#readings.delete(page);
      if (answer === null) continue;
      this.total = answer.total;
      this.#pages.set(
        page,
        answer.jobs.map((job) => reading.newer[job.id] ?? job),
      );
    }
  }
}
