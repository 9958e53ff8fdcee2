/**
 * Keeps a table of each batch's results beside its source: `NAME.results.csv`, one line a row. It is
 * written again after changes, at intervals that grow with the batch. A file that cannot be written
 * is reported once and tried again later; nothing waits for it.
 */
import { constants } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Batch } from '../../contract/batch.ts';
import { JOB_STATES } from '../../contract/job-states.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { csvLine, type CsvCell } from '../csv-line.ts';
import { codeOf } from '../error-codes.ts';
import { renameOver } from '../files/replace-file.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import type { WakeSignal } from './wake-signal.ts';

const COLUMNS = ['row', 'title', 'state', 'file', 'seconds', 'cost', 'reason'];
const HEADER = `\ufeff${csvLine(COLUMNS)}`;

/** The least time between two writings, in milliseconds, and what each row adds to it. */
const MIN_INTERVAL_MS = 2000;
const INTERVAL_PER_ROW_MS = 2;
/** A file that could not be written is tried again after this. */
const RETRY_MS = 30_000;
/** Rows that are read at a time, before other work gets its turn. */
const ROWS_AT_ONCE = 1000;
/** Numbers that are tried when a name is taken. */
const MAX_NUMBER = 1000;

/** It may become a pipe after it was looked at. Windows lacks the flag; `undefined` counts as 0. */
const WITHOUT_WAITING = constants.O_NONBLOCK;

/** A row of the table that is no video of the batch. */
const otherRowSchema = z.object({
  row: z.int().nullable(),
  title: z.string(),
  state: z.enum(['left out', 'duplicate', 'in another batch']),
  reason: z.string(),
});

export type OtherRow = z.infer<typeof otherRowSchema>;

const storedSchema = z.object({ file: z.string(), others: z.array(otherRowSchema) });

type Stored = Readonly<z.infer<typeof storedSchema>>;

/** Where a batch's file is, and whether its last writing failed. */
interface Tracked extends Stored {
  problem: UserMessage | null;
  /** When it is written next; `null` when nothing has changed. */
  dueAt: number | null;
  writtenAt: number | null;
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly wakeSignal: WakeSignal;
  /** What a video has cost or probably costs; `null` for nothing that is known. */
  readonly costOf: (job: JobRow) => string | null;
  /** Whether the user wants these files. */
  readonly isWanted: () => boolean;
  /** A file can no longer be written, or can be again. */
  readonly onProblem: () => void;
}

export class ResultsFiles {
  readonly #parts: Parts;
  readonly #tracked = new Map<number, Tracked>();

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const { id } of parts.store.batches.all()) {
      const stored = parts.store.notes.read(noteOf(id), storedSchema);
      if (stored) this.#tracked.set(id, { ...stored, problem: null, dueAt: null, writtenAt: null });
    }
  }

  /** For `Batch.results`. */
  of(batchId: number): Batch['results'] {
    const tracked = this.#tracked.get(batchId);
    return tracked === undefined ? null : { file: tracked.file, problem: tracked.problem };
  }

  /**
   * Begins a file for a batch that was added, or goes on with its file.
   * @param folder absolute path
   * @param name of the source, without its ending
   */
  async begin(batchId: number, folder: string, name: string, others: OtherRow[]): Promise<void> {
    const known = this.#tracked.get(batchId);
    const file = known?.file ?? (await this.#freeName(folder, name));
    const stored: Stored = { file, others };
    this.#parts.store.notes.write(noteOf(batchId), stored);
    this.#tracked.set(batchId, {
      ...stored,
      problem: known?.problem ?? null,
      dueAt: this.#parts.clock.now(),
      writtenAt: known?.writtenAt ?? null,
    });
    this.#parts.wakeSignal.notify();
  }

  /** A job of the batch has changed. */
  changed(batchId: number): void {
    const tracked = this.#tracked.get(batchId);
    if (tracked === undefined || tracked.dueAt !== null) return;
    const { clock, store } = this.#parts;
    const counts = Object.values(store.jobs.counts.of(batchId));
    const rows = counts.reduce((sum, count) => sum + count, 0);
    const interval = Math.max(MIN_INTERVAL_MS, rows * INTERVAL_PER_ROW_MS);
    tracked.dueAt = Math.max(clock.now(), (tracked.writtenAt ?? 0) + interval);
  }

  /** Writes what is due until `stop` is aborted. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, wakeSignal } = this.#parts;
    await wakeSignal.repeat(async () => {
      for (const [id, tracked] of this.#tracked) {
        if (tracked.dueAt !== null && tracked.dueAt <= clock.now()) await this.#write(id, tracked);
        if (stop.aborted) return 0;
      }
      const due = [...this.#tracked.values()].flatMap(({ dueAt }) => dueAt ?? []);
      return due.length === 0 ? Infinity : Math.max(1, Math.min(...due) - clock.now());
    }, stop);
  }

  /** Writes all that has changed, before the queue closes. */
  async flush(): Promise<void> {
    for (const [id, tracked] of this.#tracked) {
      if (tracked.dueAt !== null && tracked.problem === null) await this.#write(id, tracked);
    }
  }

  async #write(batchId: number, tracked: Tracked): Promise<void> {
    const { clock, isWanted, onProblem } = this.#parts;
    tracked.dueAt = null;
    if (!isWanted()) return;
    const before = tracked.problem;
    try {
      await replaceResults(tracked.file, await this.#table(batchId, tracked));
      tracked.problem = null;
      tracked.writtenAt = clock.now();
    } catch (error) {
      const { file } = tracked;
      tracked.problem =
        error instanceof ForeignFileError
          ? userMessage('results-file-replaced', { file: error.file })
          : userMessage('results-file-unwritable', { file, code: codeOf(error) ?? 'EIO' });
      tracked.dueAt = clock.now() + RETRY_MS;
    }
    if ((before === null) !== (tracked.problem === null)) onProblem();
  }

  async #table(batchId: number, { others }: Stored): Promise<string> {
    const { jobs } = this.#parts.store;
    const lines: { readonly row: number | null; readonly cells: readonly CsvCell[] }[] = [];
    for (const state of JOB_STATES) {
      let after = 0;
      for (;;) {
        const page = jobs.walk(state, after, ROWS_AT_ONCE, batchId);
        for (const job of page) lines.push({ row: job.rowNumber, cells: this.#cellsOf(job) });
        after = page.at(-1)?.id ?? after;
        if (page.length < ROWS_AT_ONCE) break;
        await nextTurn();
      }
    }
    for (const { row, title, state, reason } of others) {
      lines.push({ row, cells: [row, title, state, null, null, null, reason] });
    }
    lines.sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
    return HEADER + lines.map(({ cells }) => csvLine(cells)).join('');
  }

  #cellsOf(job: JobRow): CsvCell[] {
    const { rowNumber, title, state, filePath, fileSeconds, failure, notice } = job;
    return [
      rowNumber,
      title,
      state === 'done' ? 'saved' : state,
      filePath,
      fileSeconds,
      this.#parts.costOf(job),
      (failure ?? notice)?.message ?? null,
    ];
  }

  /** A file that exists is the user's, or another batch's. */
  async #freeName(folder: string, name: string): Promise<string> {
    const taken = new Set([...this.#tracked.values()].map(({ file }) => file));
    for (let number = 1; number <= MAX_NUMBER; number += 1) {
      const ending = `${number === 1 ? '' : `-${number}`}.results.csv`;
      const file = path.join(folder, `${withoutSeparators(name)}${ending}`);
      if (!taken.has(file) && !(await exists(file))) return file;
    }
    throw new Error(`Every name is taken in ${folder}.`);
  }
}

/** The file at this place was written by another program. */
class ForeignFileError extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`${file} is no table of results.`);
    this.file = file;
  }
}

/** @throws {ForeignFileError}, or the file system's error; the file is then unchanged */
async function replaceResults(file: string, content: string): Promise<void> {
  const fresh = `${file}.new`;
  if (!(await isResults(file))) throw new ForeignFileError(file);
  // What a stop left there may end anywhere.
  if (!(await isResults(fresh, true))) throw new ForeignFileError(fresh);
  // Nothing that has this name is written to: a link may lead anywhere.
  await rm(fresh, { force: true });
  try {
    await using handle = await open(fresh, 'wx');
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
  try {
    await renameOver(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/**
 * Whether a file is such a table, or is not there.
 * @param isPartEnough whether it may end within the header
 */
async function isResults(file: string, isPartEnough = false): Promise<boolean> {
  try {
    const found = await lstat(file);
    // Opening a pipe waits for another process. A folder's own error says more.
    if (!found.isFile() && !found.isDirectory()) return false;
    await using handle = await open(file, constants.O_RDONLY | WITHOUT_WAITING);
    const header = Buffer.from(HEADER);
    const begins = Buffer.alloc(header.length);
    const { bytesRead } = await handle.read(begins, 0, begins.length, 0);
    const compared = isPartEnough ? bytesRead : header.length;
    return begins.subarray(0, compared).equals(header.subarray(0, compared));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
}

function noteOf(batchId: number): string {
  return `results ${batchId}`;
}

function withoutSeparators(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 150) || 'Batch';
}
