import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../error-codes.ts';
import { replaceFileSync } from '../files/replace-file.ts';
import { attemptMarkSchema } from './attempt-mark.ts';
import { jsonColumn } from './stored-values.ts';
import { safeParse } from '../../contract/safe-parse.ts';

const generationSchema = z.object({ generation: z.int() });
const entrySchema = z.object({
  at: z.number(),
  job: z.int(),
  /** What identifies the request; left out when nothing does. */
  mark: attemptMarkSchema.optional().catch(undefined),
});

/** One request that may have left. */
export type SentEntry = Readonly<z.infer<typeof entrySchema>>;

/**
 * A second record, outside of the database, of every request that was about to leave since the last
 * backup. Should the database be damaged and its backup take its place, this is how the engine
 * knows which of the backup's queued jobs may have been made since.
 */
export class SentJournal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * On disk when this returns. It begins a new line, whatever a disk that was full or lost
   * its power left of the one before.
   */
  append(entry: SentEntry): void {
    const file = openSync(this.#path, 'a', 0o600);
    try {
      appendFileSync(file, `\n${JSON.stringify(entry)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Oldest first. A line that a power cut tore is no entry: its request had not left. */
  read(): SentEntry[] {
    return this.#lines(entrySchema);
  }

  /** The database's when this was cleared last (`DatabaseIdentity`); 0 when that is unknown. */
  get generation(): number {
    return Math.max(0, ...this.#lines(generationSchema).map(({ generation }) => generation));
  }

  /** Leaves nothing but the database's generation in it, once a backup knows all of it. */
  clear(generation: number): void {
    replaceFileSync(this.#path, `${JSON.stringify({ generation })}\n`);
  }

  #lines<T>(schema: z.ZodType<T>): T[] {
    return readLines(this.#path).flatMap((line) => {
      const parsed = safeParse(jsonColumn.pipe(schema), line);
      return parsed.success ? [parsed.data] : [];
    });
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
