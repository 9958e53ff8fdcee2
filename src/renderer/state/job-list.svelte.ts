import { SvelteMap } from 'svelte/reactivity';
import type { Client } from '../../contract/contract.ts';
import { matches } from '../../contract/job-filter.ts';
import type { Job, JobGroup, JobQuery } from '../../contract/job.ts';
import { batchGroup, QUEUE_SECTIONS, SECTION_STATES } from '../../contract/job-order.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import { videosOfLine } from '../formatting/line-videos.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';

const PAGE = 100;
/** Pages kept beyond the wanted ones on either side. */
const MARGIN = 1;
/** Rows read beyond the visible ones on either side, so that scrolling seldom waits. */
const AHEAD = 50;
/** A filtered list is read again at most this often while rows change, in milliseconds. */
const RELOAD_INTERVAL_MS = 400;

interface Reading {
  /** Rows that changed while the page was being read, by id: newer than its answer. */
  readonly newer: Record<string, Job>;
}

interface Fetched {
  readonly page: number;
  readonly reading: Reading;
  /** `null` when it could not be read. */
  readonly answer: {
    readonly total: number;
    readonly jobs: readonly Job[];
    readonly groups: readonly JobGroup[];
  } | null;
}

/** The groups of the rows that are shown. */
export interface ShownGroups {
  readonly groups: readonly JobGroup[];
  /** Keys of those whose rows are listed; `null` for all. */
  readonly unfolded: readonly string[] | null;
  /** Rows whose videos have a line each, while others have one line (`Job.rowId`). */
  readonly unfoldedRows: readonly string[];
}

/**
 * A view of the engine's rows, in pages. It holds only the pages around the visible rows, and
 * updates them.
 */
export class JobList {
  /** How many rows are shown; `null` while none were read. */
  total = $state<number | null>(null);
  /** Whether the rows of another filter are being read: `total` and the groups are not theirs yet. */
  isNarrowing = $state(false);
  filter = $state.raw<JobQuery>({});
  shownGroups = $state.raw<ShownGroups>({ groups: [], unfolded: null, unfoldedRows: [] });
  /** True when the last read failed; the next update or scroll tries again. */
  unreadable = $state(false);
  /** Settles when the rows of the latest `reload` are shown. Never rejects. */
  read: Promise<void> = Promise.resolve();

  readonly #client: Client;
  readonly #pointerReleased: PointerReleased;
  readonly #pages = new SvelteMap<number, readonly Job[]>();
  // Not reactive, since no component shows it.
  readonly #readings = new Map<number, Reading>();
  #generation = 0;
  #first = 0;
  #last = 0;
  #isReloadPlanned = false;
  /** How many rows were in each state, at the last update. */
  #counts = '';

  constructor(client: Client, pointerReleased: PointerReleased) {
    this.#client = client;
    this.#pointerReleased = pointerReleased;
  }

  /** The row at `index`; `undefined` while it is not read. */
  at(index: number): Job | undefined {
    return index < 0 ? undefined : this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  byId(id: string): Job | undefined {
    return this.at(this.indexOf(id));
  }

  /** The index of a row that is held, else -1. */
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

  /** Reads the ids of the videos of matching lines, by default all, without holding the lines. */
  async idsOf(first = 0, last = Infinity): Promise<readonly string[]> {
    const range = last === Infinity ? {} : { offset: first, limit: last - first + 1 };
    return (await this.#client.jobs.ids({ ...this.filter, ...range })).ids;
  }

  /** Reads the ids of rows in `states` that match the rest of the filter. */
  async idsIn(states: readonly JobState[]): Promise<readonly string[]> {
    const { batchId, archived, search } = this.filter;
    return (await this.#client.jobs.ids({ batchId, archived, search, states })).ids;
  }

  /** Reads a row's index, whether or not it is held; -1 when it is not in the list. */
  async locate(id: string): Promise<number> {
    const { ids } = await this.#client.jobs.ids({ ...this.filter, oneALine: true });
    return ids.indexOf(id);
  }

  /**
   * Whether a row of the list still belongs to it after a change. A list with `alsoDownloadingAgain`
   * had only saved rows, so a row that is being downloaded now was saved once.
   */
  keeps(job: Job): boolean {
    return matches(job, this.filter, true) && this.#isUnfolded(job);
  }

  /**
   * The rows that can be moved, from `first` to before `end`: in a list with sections, those that
   * wait. After them, the list goes on with rows that cannot be moved, or are folded (`hasMore`).
   */
  movable(): { readonly first: number; readonly end: number; readonly hasMore: boolean } {
    const { groups, unfolded } = this.shownGroups;
    if (this.filter.grouping !== 'sections')
      return { first: 0, end: this.total ?? 0, hasMore: false };
    let [first, end, hasMore] = [0, 0, false];
    for (const { key, lines } of groups) {
      const rows = unfolded?.includes(key) === false ? 0 : lines;
      if (key === 'now' || key === 'attention') first += rows;
      else if (key === 'next' || key === 'later') {
        end += rows;
        hasMore ||= rows < lines;
      }
    }
    return { first, end: first + end, hasMore };
  }

  /** Sets the visible rows: reads missing pages and drops distant ones. */
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

  /** Reads the list in another order, or with other groups unfolded. Shown rows stay until then. */
  arrange(change: Pick<JobQuery, 'order' | 'unfolded' | 'unfoldedRows'>): void {
    this.filter = { ...this.filter, ...change };
    this.reload();
  }

  /**
   * Shows the rows of another filter, from the first one on. Until they are read, the lines of the
   * former ones stay, and count as not read: no key or click means a row that does not match.
   */
  narrow(filter: JobQuery): void {
    this.filter = filter;
    this.#pages.clear();
    this.isNarrowing = true;
    // That nothing matches holds for the former filter only.
    if (this.total === 0) this.total = null;
    this.#last -= this.#first;
    this.#first = 0;
    this.reload();
  }

  /** Reads the visible pages again; the shown rows stay until the new ones are read. */
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
    // All at once, so that a row that moves between pages is always in one of them.
    const read: Promise<void> = Promise.all(fetches).then((fetched) => {
      this.#store(generation, fetched);
      // A later reload replaces this one: wait for that.
      return this.read === read ? undefined : this.read;
    });
    this.read = read;
  }

  apply(update: Update): void {
    // Does not restart the first read, or frequent updates could postpone it for ever.
    const unread = this.total === null && this.#readings.size === 0;
    if (update.relist || unread || this.unreadable) {
      this.reload();
      return;
    }
    for (const job of update.jobs) {
      for (const reading of this.#readings.values()) reading.newer[job.id] = job;
    }
    const mayHaveMoved = this.#replace(update.jobs);
    const { states, grouping, order } = this.filter;
    const isArranged = grouping === 'sections' || order !== undefined;
    const haveCountsChanged = isArranged && this.#haveCountsChanged(update);
    if (haveCountsChanged || (mayHaveMoved && states !== undefined)) this.#reloadSoon();
  }

  /** Whether rows changed their state since the last update, listed or not. */
  #haveCountsChanged({ summary: { batches } }: Update): boolean {
    const before = this.#counts;
    this.#counts = batches.map(({ counts }) => Object.values(counts).join()).join(';');
    return before !== this.#counts;
  }

  #isUnfolded(job: Job): boolean {
    const { grouping, unfolded } = this.filter;
    if (grouping !== 'sections' || unfolded === undefined) return true;
    const isFinished = (SECTION_STATES.finished as readonly JobState[]).includes(job.state);
    if (isFinished) return unfolded.includes(batchGroup(job.batchId));
    return QUEUE_SECTIONS.some(
      (section) =>
        unfolded.includes(section) &&
        (SECTION_STATES[section] as readonly JobState[]).includes(job.state),
    );
  }

  /** True when a row may have entered or left a list that is filtered by state. */
  #replace(changed: readonly Job[]): boolean {
    const newer = Object.fromEntries(changed.map((job) => [job.id, job]));
    const kept: Job[] = [];
    for (const [page, jobs] of this.#pages) {
      const listed = jobs.flatMap(videosOfLine).flatMap(({ id }) => newer[id] ?? []);
      if (listed.length === 0) continue;
      this.#pages.set(
        page,
        jobs.map((job) => newerLine(job, newer)),
      );
      kept.push(...listed);
    }
    const matching = changed.filter((job) => matches(job, this.filter, false));
    return matching.some((job) => !kept.includes(job)) || kept.some((job) => !this.keeps(job));
  }

  #reloadSoon(): void {
    if (this.#isReloadPlanned) return;
    this.#isReloadPlanned = true;
    setTimeout(() => {
      this.#isReloadPlanned = false;
      if (this.#readings.size > 0) this.#reloadSoon();
      else this.reload();
    }, RELOAD_INTERVAL_MS);
  }

  #wanted(): [from: number, to: number] {
    const end = this.total === null ? this.#last : Math.min(this.total - 1, this.#last + AHEAD);
    return [
      Math.floor(Math.max(0, this.#first - AHEAD) / PAGE),
      Math.floor(Math.max(this.#last, end) / PAGE),
    ];
  }

  async #read(page: number): Promise<void> {
    const generation = this.#generation;
    this.#store(generation, [await this.#fetch(page)]);
  }

  /** Asks for the rows of a page. Never rejects. */
  async #fetch(page: number): Promise<Fetched> {
    const reading: Reading = { newer: {} };
    this.#readings.set(page, reading);
    try {
      const answer = await this.#client.jobs.list({
        ...this.filter,
        offset: page * PAGE,
        limit: PAGE,
      });
      // Shown rows may move, which must not happen under a pressed pointer.
      if (this.#pages.has(page)) await this.#pointerReleased();
      return { page, reading, answer };
    } catch {
      return { page, reading, answer: null };
    }
  }

  #store(generation: number, fetched: readonly Fetched[]): void {
    if (generation !== this.#generation) return;
    this.unreadable = fetched.some(({ answer }) => answer === null);
    if (this.isNarrowing && this.unreadable) this.total = null;
    this.isNarrowing = false;
    for (const { page, reading, answer } of fetched) {
      this.#readings.delete(page);
      if (answer === null) continue;
      this.total = answer.total;
      this.#showGroups(answer.groups);
      this.#pages.set(
        page,
        answer.jobs.map((job) => newerLine(job, reading.newer)),
      );
    }
  }

  /** The lines of a table depend on them, so equal ones are kept. */
  #showGroups(groups: readonly JobGroup[]): void {
    const { unfolded = null, unfoldedRows = [] } = this.filter;
    const shown: ShownGroups = { groups, unfolded, unfoldedRows };
    if (JSON.stringify(shown) !== JSON.stringify(this.shownGroups)) this.shownGroups = shown;
  }
}

/** A line after updates of its videos, by their ids. */
function newerLine(line: Job, newer: Readonly<Record<string, Job>>): Job {
  const job = newer[line.id] ?? line;
  if (line.videos === undefined) return job;
  return { ...job, videos: line.videos.map((video) => newer[video.id] ?? video) };
}
