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

  /** Chooses everything from where the choice began up to `index`, among the rows held. */
  extendTo(index: number): void {
    if (this.#anchor < 0) this.#anchor = index;
    this.cursor = index;
    this.ids.clear();
    const [from, to] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
    for (let row = from; row <= to; row += 1) {
      const job = this.#list.at(row);
      if (job !== undefined) this.ids.add(job.id);
    }
  }

  toggle(index: number): void {
    const job = this.#list.at(index);
    this.cursor = index;
    this.#anchor = index;
    if (job !== undefined && !this.ids.delete(job.id)) this.ids.add(job.id);
  }

  /** Chooses every row that the list's filter lets through, read or not. */
  async chooseAll(): Promise<void> {
    const ids = await this.#list.allIds();
    this.ids.clear();
    for (const id of ids) this.ids.add(id);
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
}
