import { statSync } from 'node:fs';
import { z } from 'zod';
import type { KeyValueStore } from './key-value-store.ts';
import type { Transactions } from './transactions.ts';

const NOTE = 'file-number';

/**
 * Whether the queue's file is the one that was worked on last. A copy of it, or one brought back by
 * a backup program, has another number in its file system; one that was renamed or moved within it
 * has the same, and so has one that a copy was written over (`closing-mark.ts`). What a copy calls
 * unsent may have been sent since by the original.
 */
export class DatabaseIdentity {
  readonly #path: string;
  readonly #transactions: Pick<Transactions, 'run'>;
  readonly #notes: KeyValueStore;

  constructor(path: string, transactions: Pick<Transactions, 'run'>, notes: KeyValueStore) {
    this.#path = path;
    this.#transactions = transactions;
    this.#notes = notes;
  }

  /** False for a queue that never took note of it. */
  get hasChanged(): boolean {
    const known = this.#notes.read(NOTE, z.string());
    return known !== null && known !== this.#here();
  }

  /** Takes the file for the one to work on. */
  remember(): void {
    this.#notes.write(NOTE, this.#here());
  }

  /** The file is not what it was, although it is where it was: so for the jobs of every service. */
  forget(): void {
    this.#transactions.run('UPDATE note SET value = ? WHERE name = ?', '"elsewhere"', NOTE);
  }

  #here(): string {
    return String(statSync(this.#path, { bigint: true }).ino);
  }
}
