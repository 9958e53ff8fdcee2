/**
 * A copy of the journal of requests outside the data folder. Database and journal of a data folder
 * that was restored as a whole agree with each other; only a file elsewhere can tell that more was
 * sent since (`abuse.md` 64).
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFileSync } from '../files/replace-file.ts';
import { appendLine, readLines, sentEntrySchema, type SentEntry } from './sent-journal.ts';

/** A restored queue that was compared up to here has this mark, too. */
const comparedSchema = z.object({ compared: z.string() });

const lineSchema = z.union([comparedSchema, sentEntrySchema]);

/** What the witness knows the queue by, and the mark of the last comparison. */
export interface WitnessedQueue {
  /** `null` as long as nothing was sent. */
  readonly id: string | null;
  readonly compared: string | null;
}

/**
 * A file is shortened to this many lines when it has twice as many. A copy that is older than that is
 * recognised, but not all that was sent since.
 */
const KEPT_LINES = 20_000;

export class SentWitness {
  readonly #folder: string;
  readonly #queue: () => WitnessedQueue;
  readonly #onFailure: (error: unknown) => void;
  #hasFailed = false;

  /**
   * @param folder absolute path
   * @param onFailure called once when it cannot be read or written. The queue works all the same:
   *   a folder that is restored is then perhaps not recognised
   */
  constructor(
    folder: string,
    queue: () => WitnessedQueue,
    onFailure: (error: unknown) => void = () => undefined,
  ) {
    this.#folder = folder;
    this.#queue = queue;
    this.#onFailure = onFailure;
  }

  /** Call it once before anything else, and before the first request. */
  async prepare(): Promise<void> {
    try {
      await makeFolder(this.#folder, 0o700);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Call it once the attempt is stored and before its request leaves. On disk when this returns. */
  append(entry: SentEntry): void {
    this.#add(entry);
  }

  /** Stores that the queue was compared with all entries so far, with the mark that it stored. */
  addCompared(compared: string): void {
    this.#add({ compared });
  }

  /**
   * The requests that left from this queue and that its folder does not know, oldest first.
   * @param isKnown whether the database has the attempt
   */
  missingFrom(isKnown: (entry: SentEntry) => boolean): readonly SentEntry[] {
    const { compared } = this.#queue();
    const lines = this.#read();
    const known = lines.findLastIndex((line) =>
      'compared' in line ? line.compared === compared : isKnown(line),
    );
    return lines.slice(known + 1).flatMap((line) => ('compared' in line ? [] : [line]));
  }

  #read(): z.infer<typeof lineSchema>[] {
    const file = this.#file;
    if (file === null) return [];
    try {
      return readLines(file, lineSchema);
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }

  #add(line: z.infer<typeof lineSchema>): void {
    const file = this.#file;
    if (file === null) return;
    try {
      // So that the name of a new file survives a power cut, too.
      if (!existsSync(file)) replaceFileSync(file, '');
      appendLine(file, line);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Call it after the comparison, which needs all lines. */
  shorten(): void {
    const file = this.#file;
    const lines = this.#read();
    if (file === null || lines.length < 2 * KEPT_LINES) return;
    const kept = lines.slice(-KEPT_LINES).map((line) => `${JSON.stringify(line)}\n`);
    try {
      replaceFileSync(file, kept.join(''));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (!this.#hasFailed) this.#onFailure(error);
    this.#hasFailed = true;
  }

  get #file(): string | null {
    const { id } = this.#queue();
    return id === null ? null : path.join(this.#folder, `${id}.log`);
  }
}
