import type { Job } from '../../contract/job.ts';
import { SECTION_STATES } from '../../contract/job-order.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Update } from '../../contract/summary.ts';
import { videosOfLine } from '../formatting/line-videos.ts';
import type { JobList } from './job-list.svelte.ts';

/** A row's id, and its last known index for when the list does not hold the row. */
interface RowPlace {
  readonly id: string | null;
  readonly index: number;
}

/** Videos that the list holds, by id. */
type HeldRows = Readonly<Record<string, Pick<Job, 'id' | 'state'>>>;

const NO_ROW: RowPlace = { id: null, index: -1 };

function setOf(ids: readonly string[]): ReadonlySet<string> {
  return new Set(ids);
}

/** The states in the same section of the queue as a job's. */
function sectionOf(job: Job | undefined): readonly JobState[] | undefined {
  const sections: readonly (readonly JobState[])[] = Object.values(SECTION_STATES);
  return sections.find((states) => job !== undefined && states.includes(job.state));
}

/** The cursor of a list and the rows that are selected in it. Both follow rows that move. */
export class Selection {
  /** Replaced and not changed: a set that tracks each id takes half a second for 100,000 rows. */
  #ids = $state.raw(setOf([]));
  readonly #list: JobList;
  #place = $state.raw<RowPlace>(NO_ROW);
  #anchor: RowPlace = NO_ROW;
  /** Counts changes by the user, so that an answer that arrives after one is dropped. */
  #version = 0;
  #reconciling: Promise<void> | null = null;

  /** Index of the row that the keyboard acts on; -1 for none. */
  readonly cursor: number = $derived.by(() => this.#indexOf(this.#place));

  constructor(list: JobList) {
    this.#list = list;
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** The row at the cursor, while the list holds it. */
  get rowAtCursor(): Job | undefined {
    return this.#place.id === null ? undefined : this.#list.byId(this.#place.id);
  }

  /** Selects one row and nothing else. */
  choose(index: number): void {
    this.#putCursor(index);
    this.#anchor = this.#place;
    this.#replace(this.#idsAt(index));
  }

  /**
   * Selects the videos of a row in the section of the queue that the cursor is in, and their line
   * once the list, which is being read, has one line for them.
   */
  async chooseRow(rowId: string): Promise<void> {
    this.#version += 1;
    const version = this.#version;
    const section = sectionOf(this.#list.at(this.cursor));
    const ofRow = (): readonly Job[] =>
      this.#list.held().filter((job) => job.rowId === rowId && sectionOf(job) === section);
    this.#replace(ofRow().map(({ id }) => id));
    await this.#list.read;
    const [line] = ofRow();
    if (line !== undefined && version === this.#version) this.choose(this.#list.indexOf(line.id));
  }

  /** Selects all rows from the anchor to `index`, read or not. */
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
    this.#putCursor(index);
    this.#anchor = this.#place;
    const ids = this.#idsAt(index);
    const areSelected = ids.every((id) => this.ids.has(id));
    const others = [...this.ids].filter((id) => !ids.includes(id));
    this.#replace(areSelected ? others : [...others, ...ids]);
  }

  /** Selects every row that matches the list's filter, read or not. */
  async chooseAll(): Promise<void> {
    this.#version += 1;
    await this.#replaceBy(() => this.#list.idsOf());
  }

  /** The states of the selected rows; `null` when some rows are not read. */
  states(): readonly JobState[] | null {
    const held = this.#heldRows();
    return this.#areHeld(held) ? Object.values(held).map(({ state }) => state) : null;
  }

  /** Ids of the selected rows in `states`. Asks the engine about rows that are not read. */
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
    this.#replace([]);
    this.#anchor = this.#place;
  }

  /** Resets the cursor too, when the list shows other rows. */
  reset(): void {
    this.#place = NO_ROW;
    this.clear();
  }

  /** Finds the cursor's row after it has moved, read or not. */
  async followCursor(): Promise<void> {
    const place = this.#place;
    if (place.id === null || this.#list.indexOf(place.id) >= 0) return;
    const index = await this.#list.locate(place.id);
    if (index >= 0 && place === this.#place) this.#place = { ...place, index };
  }

  /** Deselects rows that an update takes out of the list. */
  apply(update: Update): void {
    const gone = update.jobs.filter((job) => this.ids.has(job.id) && !this.#list.keeps(job));
    if (gone.length > 0) this.#keep((id) => gone.every((job) => job.id !== id));
    if (update.relist) this.reconcile();
  }

  /** Deselects rows that left the list without an update that named them. */
  reconcile(): void {
    if (this.ids.size === 0) return;
    // Starts after the previous run, which may have read rows that have changed since.
    const previous = this.#reconciling ?? Promise.resolve();
    const run: Promise<void> = previous.then(async () => {
      if (this.#reconciling === run) await this.#deselectUnlisted();
    });
    this.#reconciling = run;
  }

  async #deselectUnlisted(): Promise<void> {
    const version = this.#version;
    try {
      await this.#list.read;
      if (this.#areHeld(this.#heldRows())) return;
      const listed = setOf(await this.#list.idsOf());
      if (version === this.#version) this.#keep((id) => listed.has(id));
    } catch {
      // Without a connection, no command can use the rows. The list is read again afterwards.
    }
  }

  #putCursor(index: number): void {
    this.#version += 1;
    this.#place = { id: this.#list.at(index)?.id ?? null, index };
  }

  /** The videos of a line; none while it is not read. */
  #idsAt(index: number): readonly string[] {
    const job = this.#list.at(index);
    return job === undefined ? [] : videosOfLine(job).map(({ id }) => id);
  }

  #indexOf({ id, index }: RowPlace): number {
    const held = id === null ? -1 : this.#list.indexOf(id);
    return held < 0 ? index : held;
  }

  /** By id, since two pages may hold the same row while it moves between them. */
  #heldRows(): HeldRows {
    const videos = this.#list.held().flatMap(videosOfLine);
    const selected = videos.filter(({ id }) => this.ids.has(id));
    return Object.fromEntries(selected.map((video) => [video.id, video]));
  }

  #areHeld(held: HeldRows): boolean {
    return Object.keys(held).length === this.ids.size;
  }

  /** `null` when some of the rows are not read. */
  #heldIds(from: number, to: number): readonly string[] | null {
    const ids: string[] = [];
    for (let row = from; row <= to; row += 1) {
      const job = this.#list.at(row);
      if (job === undefined) return null;
      ids.push(...videosOfLine(job).map(({ id }) => id));
    }
    return ids;
  }

  async #replaceBy(read: () => Promise<readonly string[]>): Promise<void> {
    const version = this.#version;
    const ids = await read();
    if (version === this.#version) this.#replace(ids);
  }

  #keep(isKept: (id: string) => boolean): void {
    const kept = [...this.ids].filter(isKept);
    if (kept.length < this.ids.size) this.#replace(kept);
  }

  #replace(ids: readonly string[]): void {
    this.#ids = setOf(ids);
  }
}
