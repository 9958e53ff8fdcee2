import { SvelteSet } from 'svelte/reactivity';
import type { JobState } from '../../contract/job-states.ts';
import type { JobList } from './job-list.svelte.ts';

/** The cursor of a list and the rows chosen in it. */
export class Selection {
  /** Index of the row that the keyboard acts on; -1 before the first touch. */
  cursor = $state(-1);
  readonly ids = new SvelteSet<string>();

  readonly #list: JobList;
  #anchor = -1;

  constructor(list: JobList) {
    this.#list = list;
  }

  /** Chooses one row and nothing else. */
  choose(index: number): void {
    const job = this.#list.at(index);
    this.cursor = index;
    this.#anchor = index;
    this.ids.clear();
    if (job !== undefined) this.ids.add(job.id);
  }

  /** Chooses everything from where the choice began up to `index`, read or not. */
  async extendTo(index: number): Promise<void> {
    if (this.#anchor < 0) this.#anchor = index;
    this.cursor = index;
    const [from, to] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
    const held = this.#heldIds(from, to);
    this.#replace(held ?? []);
    if (held !== null) return;
    const ids = await this.#list.idsOf(from, to);
    if (this.cursor === index) this.#replace(ids);
  }

  toggle(index: number): void {
    const job = this.#list.at(index);
    this.cursor = index;
    this.#anchor = index;
    if (job !== undefined && !this.ids.delete(job.id)) this.ids.add(job.id);
  }

  /** Chooses every row that the list's filter lets through, read or not. */
  async chooseAll(): Promise<void> {
    this.#replace(await this.#list.idsOf());
  }

  /** States among the chosen rows, as far as they are read; `null` when some are not. */
  states(): readonly JobState[] | null {
    const held = this.#list.held().filter((job) => this.ids.has(job.id));
    return held.length < this.ids.size ? null : held.map((job) => job.state);
  }

  clear(): void {
    this.ids.clear();
    this.#anchor = this.cursor;
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

  #replace(ids: readonly string[]): void {
    this.ids.clear();
    for (const id of ids) this.ids.add(id);
  }
}
