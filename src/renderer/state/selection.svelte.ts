import { SvelteSet } from 'svelte/reactivity';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import type { JobList } from './job-list.svelte.ts';

/** A row by its id, and where it was last known to be, for when the list does not hold it. */
interface RowPlace {
  readonly id: string | null;
  readonly index: number;
}

const NOWHERE: RowPlace = { id: null, index: -1 };

/** The cursor of a list and the rows that are selected in it. Both follow rows that move. */
export class Selection {
  readonly ids = new SvelteSet<string>();

  readonly #list: JobList;
  #place = $state.raw<RowPlace>(NOWHERE);
  #anchor: RowPlace = NOWHERE;
  /** Counts changes by the user, so that an answer that arrives after one is dropped. */
  #version = 0;
  #reconciling: Promise<void> | null = null;

  /** Index of the row that the keyboard acts on; -1 before the first touch. */
  readonly cursor: number = $derived.by(() => this.#indexOf(this.#place));

  constructor(list: JobList) {
    this.#list = list;
  }

  /** The row that the cursor was put on, while the list holds it. */
  get rowAtCursor(): Job | undefined {
    return this.#place.id === null ? undefined : this.#list.byId(this.#place.id);
  }

  /** Selects one row and nothing else. */
  choose(index: number): void {
    const { id } = this.#putCursor(index);
    this.#anchor = this.#place;
    this.ids.clear();
    if (id !== null) this.ids.add(id);
  }

  /** Selects everything from where the selection began up to `index`, read or not. */
  async extendTo(index: number): Promise<void> {
    const start = this.#indexOf(this.#anchor);
    this.#putCursor(index);
    if (start < 0) this.#anchor = this.#place;
    const [from, to] =
      start < 0 ? [index, index] : [Math.min(start, index), Math.max(start, index)];
    const held = this.#heldIds(from, to);
    this.#replace(held ?? []);
    if (held === null) await this.#replaceBy(() => this.#list.idsOf(from, to));
  }

  toggle(index: number): void {
    const { id } = this.#putCursor(index);
    this.#anchor = this.#place;
    if (id !== null && !this.ids.delete(id)) this.ids.add(id);
  }

  /** Selects every row that the list's filter lets through, read or not. */
  async chooseAll(): Promise<void> {
    this.#version += 1;
    await this.#replaceBy(() => this.#list.idsOf());
  }

  /** States among the selected rows, as far as they are read; `null` when some are not. */
  states(): readonly JobState[] | null {
    const held = this.#heldRows();
    return this.#areHeld(held) ? Object.values(held).map(({ state }) => state) : null;
  }

  /** The selected rows in one of some states. Asks the engine about rows that are not read. */
  async idsIn(states: readonly JobState[]): Promise<readonly string[]> {
    const held = this.#heldRows();
    if (!this.#areHeld(held)) {
      const matching = await this.#list.idsIn(states);
      return matching.filter((id) => this.ids.has(id));
    }
    return [...this.ids].filter((id) => {
      const job = held[id];
      return job !== undefined && states.includes(job.state);
    });
  }

  clear(): void {
    this.#version += 1;
    this.ids.clear();
    this.#anchor = this.#place;
  }

  /** Forgets the cursor too: the list shows other rows. */
  reset(): void {
    this.#place = NOWHERE;
    this.clear();
  }

  /** Finds the cursor's row wherever it is now, read or not. */
  async followCursor(): Promise<void> {
    const place = this.#place;
    if (place.id === null || this.#list.indexOf(place.id) >= 0) return;
    const index = await this.#list.locate(place.id);
    if (index >= 0 && place === this.#place) this.#place = { ...place, index };
  }

  /** Deselects rows that an update takes out of the list. */
  apply(update: Update): void {
    for (const job of update.jobs) {
      if (this.ids.has(job.id) && !this.#list.keeps(job)) this.ids.delete(job.id);
    }
    if (update.relist) this.reconcile();
  }

  /** Deselects rows that left the list while nothing named them. */
  reconcile(): void {
    if (this.ids.size === 0) return;
    // The next one begins after this one, since its rows may have changed since they were read.
    const before = this.#reconciling ?? Promise.resolve();
    const turn: Promise<void> = before.then(async () => {
      if (this.#reconciling === turn) await this.#dropOthers();
    });
    this.#reconciling = turn;
  }

  async #dropOthers(): Promise<void> {
    const version = this.#version;
    try {
      await this.#list.read;
      if (this.#areHeld(this.#heldRows())) return;
      const listed = new SvelteSet(await this.#list.idsOf());
      if (version !== this.#version) return;
      for (const id of this.ids) if (!listed.has(id)) this.ids.delete(id);
    } catch {
      // Without a connection nothing can be done with the rows. The list is read again afterwards.
    }
  }

  #putCursor(index: number): RowPlace {
    this.#version += 1;
    this.#place = { id: this.#list.at(index)?.id ?? null, index };
    return this.#place;
  }

  #indexOf({ id, index }: RowPlace): number {
    const held = id === null ? -1 : this.#list.indexOf(id);
    return held < 0 ? index : held;
  }

  /** By id, since two pages may both hold a row while it moves between them. */
  #heldRows(): Readonly<Record<string, Job>> {
    const selected = this.#list.held().filter(({ id }) => this.ids.has(id));
    return Object.fromEntries(selected.map((job) => [job.id, job]));
  }

  #areHeld(held: Readonly<Record<string, Job>>): boolean {
    return Object.keys(held).length === this.ids.size;
  }

  /** `null` when some of the rows are not read. */
  #heldIds(from: number, to: number): readonly string[] | null {
    const ids: string[] = [];
    for (let row = from; row <= to; row += 1) {
      const job = this.#list.at(row);
      if (job === undefined) return null;
      ids.push(job.id);
    }
    return ids;
  }

  async #replaceBy(read: () => Promise<readonly string[]>): Promise<void> {
    const version = this.#version;
    const ids = await read();
    if (version === this.#version) this.#replace(ids);
  }

  #replace(ids: readonly string[]): void {
    this.ids.clear();
    for (const id of ids) this.ids.add(id);
  }
}
