import { closeSync, constants, fsyncSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../error-codes.ts';
import { openRegularSync, readRegularSync } from '../files/regular-file.ts';
import { replaceFileSync } from '../files/replace-file.ts';
import { attemptMarkSchema } from './attempt-mark.ts';
import { jsonColumn } from './stored-values.ts';
import { safeParse } from '../../contract/safe-parse.ts';

const generationSchema = z.object({ generation: z.int() });

/** More jobs than any queue will have; a damaged line may name a number that SQLite cannot exceed. */
const MAX_JOB_ID = 2 ** 40;

export const sentEntrySchema = z.object({
  at: z.number(),
  job: z.int().positive().max(MAX_JOB_ID),
  /** SHA-256 of the job's request, without a mark. */
  body: z.string().optional().catch(undefined),
  /** What identifies the request; left out when nothing does. */
  mark: attemptMarkSchema.optional().catch(undefined),
});

/** One request that may have left. */
export type SentEntry = Readonly<z.infer<typeof sentEntrySchema>>;

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

  /** On disk when this returns. */
  append(entry: SentEntry): void {
    appendLine(this.#path, entry);
  }

  /** Oldest first. A line that a power cut left incomplete is ignored: its request had not left. */
  read(): SentEntry[] {
    return readLines(this.#path, sentEntrySchema);
  }

  /** The database's generation when this was last cleared (`DatabaseIdentity`); 0 when unknown. */
  get generation(): number {
    const lines = readLines(this.#path, generationSchema);
    return Math.max(0, ...lines.map(({ generation }) => generation));
  }

  /** Removes everything but the database's generation, once a backup contains it all. */
  clear(generation: number): void {
    replaceFileSync(this.#path, `${JSON.stringify({ generation })}\n`);
  }
}

/**
 * Adds a line of JSON to a file, which is on disk when this returns. It begins a new line, whatever
 * a full disk or a power cut left of the previous one.
 */
export function appendLine(path: string, value: object): void {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants;
  const file = openRegularSync(path, O_WRONLY | O_CREAT | O_APPEND);
  try {
    writeFileSync(file, `\n${JSON.stringify(value)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The lines of a file that a schema accepts. */
export function readLines<T>(path: string, schema: z.ZodType<T>): T[] {
  return linesOf(path).flatMap((line) => {
    const parsed = safeParse(jsonColumn.pipe(schema), line);
    return parsed.success ? [parsed.data] : [];
  });
}

function linesOf(path: string): string[] {
  try {
    return readRegularSync(path).split('\n').filter(Boolean);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
