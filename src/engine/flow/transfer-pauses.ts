import { z } from 'zod';
import type { KeyValueStore } from '../jobs/key-value-store.ts';

const NOTE = 'transfers-paused';

const noteSchema = z.object({ all: z.boolean(), except: z.array(z.int()) });

/**
 * The videos that the user does not want downloaded for now. Stored, so a restart changes nothing.
 */
export class TransferPauses {
  readonly #notes: KeyValueStore;
  #all: boolean;
  /** Those that run although all are paused, or are paused although all run. */
  #except: Set<number>;

  constructor(notes: KeyValueStore) {
    const note = notes.read(NOTE, noteSchema);
    this.#notes = notes;
    this.#all = note?.all ?? false;
    this.#except = new Set(note?.except);
  }

  /** Whether all are paused except those that were resumed since. */
  get all(): boolean {
    return this.#all;
  }

  /** How many are treated differently from the rest. */
  get exceptions(): number {
    return this.#except.size;
  }

  has(jobId: number): boolean {
    return this.#all !== this.#except.has(jobId);
  }

  /** @param jobIds all, and future ones, when left out */
  pause(jobIds?: readonly number[]): void {
    this.#set(true, jobIds);
  }

  /** @param jobIds all when left out */
  resume(jobIds?: readonly number[]): void {
    this.#set(false, jobIds);
  }

  /** The job is downloaded, so its pauses need not be remembered. */
  forget(jobId: number): void {
    if (this.#except.delete(jobId)) this.#persist();
  }

  #set(paused: boolean, jobIds: readonly number[] | undefined): void {
    if (!jobIds) {
      this.#all = paused;
      this.#except = new Set();
    } else {
      for (const id of jobIds) {
        if (paused === this.#all) this.#except.delete(id);
        else this.#except.add(id);
      }
    }
    this.#persist();
  }

  #persist(): void {
    if (!this.#all && this.#except.size === 0) this.#notes.remove(NOTE);
    else this.#notes.write(NOTE, { all: this.#all, except: [...this.#except] });
  }
}
