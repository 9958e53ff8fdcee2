import { statSync } from 'node:fs';
import { z } from 'zod';
import type { Notes } from './notes.ts';

const NOTE = 'file-number';

/**
 * Whether the queue's file is the one that was worked on last. A copy of it, or one brought back by
 * a backup program, has another number in its file system; one that was renamed or moved within it
 * has the same. What a copy calls unsent may have been sent since by the original.
 */
export class Whereabouts {
  readonly #path: string;
  readonly #notes: Notes;

  constructor(path: string, notes: Notes) {
    this.#path = path;
    this.#notes = notes;
  }

  /** False for a queue that never took note of it. */
  get haveChanged(): boolean {
    const known = this.#notes.read(NOTE, z.string());
    return known !== null && known !== this.#here();
  }

  /** Takes the file for the one to work on. */
  remember(): void {
    this.#notes.write(NOTE, this.#here());
  }

  #here(): string {
    return String(statSync(this.#path, { bigint: true }).ino);
  }
}
