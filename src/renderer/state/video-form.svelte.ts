import { SvelteSet } from 'svelte/reactivity';
import type { BatchField, BatchSource } from '../../contract/batch.ts';

/** One video, described field by field instead of by a row of a file. */
export class VideoForm {
  values = $state<Record<string, string>>({});
  /** Fields that were edited: errors of the others are not shown yet. */
  readonly touched = new SvelteSet<string>();
  /** Name of the batch that gets the video. */
  readonly batch: string;

  constructor(batch: string) {
    this.batch = batch;
  }

  write(field: string, value: string): void {
    this.values[field] = value;
    this.touched.add(field);
  }

  /** The same as a batch of one row that has every field, so that each can have its error. */
  source(fields: readonly BatchField[]): BatchSource {
    const row = Object.fromEntries(fields.map(({ name }) => [name, this.values[name] ?? '']));
    return { name: `${this.batch}.json`, content: JSON.stringify([row]) };
  }
}
