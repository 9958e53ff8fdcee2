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
 * A second log, outside of the database, of every request that was about to leave since the last
 * backup. If the database is damaged and replaced by its backup, the engine learns from it which of
 * the backup's queued jobs may have been rendered since.
 */
export class SentJournal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * On disk when this returns. It begins a new line, whatever a full disk or a power cut left of
   * the previous one.
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

  /** Oldest first. A line that a power cut left incomplete is ignored: its request had not left. */
  read(): SentEntry[] {
    return this.#lines(entrySchema);
  }

  /** The database's generation when this was last cleared (`DatabaseIdentity`); 0 when unknown. */
  get generation(): number {
    return Math.max(0, ...this.#lines(generationSchema).map(({ generation }) => generation));
  }

  /** Removes everything but the database's generation, once a backup contains it all. */
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
