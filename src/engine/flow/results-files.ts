/**
 * Keeps a table of each batch's results beside its source: `NAME.results.csv`, one line a row. It is
 * written again after changes, at intervals that grow with the batch. A file that cannot be written
 * is reported once and tried again later; nothing waits for it. A file that was changed outside Spool
 * stays as it is, and the table goes on beside it.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Batch } from '../../contract/batch.ts';
import { type Failure, remoteReason } from '../../contract/failure.ts';
import { JOB_STATES } from '../../contract/job-states.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { RESULTS_ENDING } from '../../contract/table-extensions.ts';
import type { Clock } from '../clock.ts';
import { csvLine, type CsvCell, type CsvSeparator } from '../csv-line.ts';
import { codeOf } from '../error-codes.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { WakeSignal } from './wake-signal.ts';
import { ChangedOutsideError, replaceWritten, unfinishedOf } from './written-file.ts';

const COLUMNS = ['row', 'title', 'variant', 'state', 'file', 'seconds', 'cost', 'reason'];
const headerOf = (separator: CsvSeparator): string => `\ufeff${csvLine(COLUMNS, separator)}`;

/** The least time between two writings, in milliseconds, and what each row adds to it. */
const MIN_INTERVAL_MS = 2000;
const INTERVAL_PER_ROW_MS = 2;
/** A file that could not be written is tried again after this. */
const RETRY_MS = 30_000;
/** Rows that are read at a time, before other work gets its turn. */
const ROWS_AT_ONCE = 1000;
/** Numbers that are tried when a name is taken. */
const MAX_NUMBER = 1000;

/** A row of the table that is no video of the batch. */
const otherRowSchema = z.object({
  row: z.int().nullable(),
  title: z.string(),
  state: z.enum(['left out', 'duplicate', 'in another batch']),
  reason: z.string(),
});

export type OtherRow = z.infer<typeof otherRowSchema>;

const storedSchema = z.object({
  file: z.string(),
  separator: z.enum([',', ';']),
  others: z.array(otherRowSchema),
});

type Stored = Readonly<z.infer<typeof storedSchema>>;

const writtenSchema = z.array(z.string());

/** A line of the table; the videos of a row follow each other as they were added. */
interface Line {
  readonly row: number;
  readonly id: number;
  readonly cells: readonly CsvCell[];
}

/** Where a batch's file is, and whether its last writing failed. Times are monotonic. */
interface Tracked extends Stored {
  file: string;
  problem: UserMessage | null;
  /** An earlier file was changed outside Spool. */
  notice: UserMessage | null;
  /** When it is written next; `null` when nothing has changed. */
  dueAt: number | null;
  writtenAt: number | null;
}

const NOT_WRITTEN = { problem: null, notice: null, dueAt: null, writtenAt: null };

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  /** What a video has cost or probably costs; `null` for nothing that is known. */
  readonly costOf: (job: JobRow) => string | null;
  /** Whether the user wants these files. */
  readonly isWanted: () => boolean;
  /** A file can no longer be written, or can be again. */
  readonly onProblem: () => void;
}

export class ResultsFiles {
  readonly #parts: Parts;
  readonly #wakeSignal: WakeSignal;
  readonly #tracked = new Map<number, Tracked>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#wakeSignal = new WakeSignal(parts.clock);
    for (const { id } of parts.store.batches.all()) {
      const stored = parts.store.notes.read(noteOf(id), storedSchema);
      if (stored) this.#tracked.set(id, { ...NOT_WRITTEN, ...stored });
    }
  }

  /** For `Batch.results`. */
  of(batchId: number): Batch['results'] {
    const tracked = this.#tracked.get(batchId);
    if (tracked === undefined) return null;
    return { file: tracked.file, problem: tracked.problem ?? tracked.notice };
  }

  /**
   * Begins a file for a batch that was added, or goes on with its file.
   * @param folder absolute path
   * @param name of the source, without its ending
   */
  async begin(
    batchId: number,
    folder: string,
    name: string,
    { separator, others }: Pick<Stored, 'separator' | 'others'>,
  ): Promise<void> {
    const known = this.#tracked.get(batchId);
    const file = known?.file ?? (await this.#freeName(folder, name));
    const stored: Stored = { file, separator, others };
    this.#parts.store.notes.write(noteOf(batchId), stored);
    const dueAt = this.#parts.clock.monotonic();
    this.#tracked.set(batchId, { ...NOT_WRITTEN, ...known, ...stored, dueAt });
    this.#wakeSignal.notify();
  }

  /** A job of the batch has changed. */
  changed(batchId: number): void {
    const tracked = this.#tracked.get(batchId);
    if (tracked === undefined || tracked.dueAt !== null) return;
    const { clock, store } = this.#parts;
    const counts = Object.values(store.jobs.counts.of(batchId));
    const rows = counts.reduce((sum, count) => sum + count, 0);
    const interval = Math.max(MIN_INTERVAL_MS, rows * INTERVAL_PER_ROW_MS);
    tracked.dueAt = Math.max(clock.monotonic(), (tracked.writtenAt ?? -Infinity) + interval);
    this.#wakeSignal.notify();
  }

  /** Writes what is due until `stop` is aborted. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const { version } = this.#wakeSignal;
      const waitMs = await this.#writeDue(stop);
      await this.#wakeSignal.wait(version, waitMs, stop);
    }
  }

  /** @returns milliseconds until the next is due; `null` when nothing has changed */
  async #writeDue(stop: AbortSignal): Promise<number | null> {
    const { clock } = this.#parts;
    for (const [id, tracked] of this.#tracked) {
      if (stop.aborted) return null;
      const { dueAt } = tracked;
      if (dueAt !== null && dueAt <= clock.monotonic()) await this.#write(id, tracked);
    }
    const due = [...this.#tracked.values()].flatMap(({ dueAt }) => dueAt ?? []);
    return due.length === 0 ? null : Math.min(...due) - clock.monotonic();
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
    const before = this.of(batchId)?.problem;
    try {
      const content = await this.#table(batchId, tracked);
      await this.#replace(batchId, tracked, content);
      tracked.problem = null;
      tracked.writtenAt = clock.monotonic();
    } catch (error) {
      const { file } = tracked;
      const code = codeOf(error) ?? 'EIO';
      tracked.problem = userMessage('results-file-unwritable', { file, code });
      tracked.dueAt = clock.monotonic() + RETRY_MS;
    }
    if (before?.message !== this.of(batchId)?.problem?.message) onProblem();
  }

  /** @throws the file system's error */
  async #replace(batchId: number, tracked: Tracked, content: string): Promise<void> {
    const { notes } = this.#parts.store;
    const { file, separator, others } = tracked;
    try {
      await replaceWritten({
        file,
        content,
        beginning: Buffer.from(headerOf(separator)),
        written: notes.read(writtenNoteOf(batchId), writtenSchema) ?? [],
        remember: (written) => notes.write(writtenNoteOf(batchId), written),
      });
    } catch (error) {
      if (!(error instanceof ChangedOutsideError)) throw error;
      const { dir, base } = path.parse(file);
      const next = await this.#freeName(dir, base.slice(0, -RESULTS_ENDING.length));
      notes.write(noteOf(batchId), { file: next, separator, others } satisfies Stored);
      tracked.file = next;
      tracked.notice = userMessage('results-file-changed', { file: error.file, next });
      await this.#replace(batchId, tracked, content);
    }
  }

  async #table(batchId: number, { separator, others }: Stored): Promise<string> {
    const { jobs } = this.#parts.store;
    const lines: Line[] = [];
    for (const state of JOB_STATES) {
      let after = 0;
      for (;;) {
        const page = jobs.walk(state, after, ROWS_AT_ONCE, batchId);
        for (const job of page) {
          lines.push({ row: job.rowNumber ?? 0, id: job.id, cells: this.#cellsOf(job) });
        }
        after = page.at(-1)?.id ?? after;
        if (page.length < ROWS_AT_ONCE) break;
        await nextTurn();
      }
    }
    for (const { row, title, state, reason } of others) {
      lines.push({
        row: row ?? 0,
        id: 0,
        cells: [row, title, null, state, null, null, null, reason],
      });
    }
    lines.sort((one, other) => one.row - other.row || one.id - other.id);
    return headerOf(separator) + lines.map(({ cells }) => csvLine(cells, separator)).join('');
  }

  #cellsOf(job: JobRow): CsvCell[] {
    const { rowNumber, title, variant, state, filePath, fileSeconds, failure, notice } = job;
    return [
      rowNumber,
      title,
      variant,
      state === 'done' ? 'saved' : state,
      filePath === null ? null : { path: filePath },
      fileSeconds,
      this.#parts.costOf(job),
      failure === null ? (notice?.message ?? null) : reasonOf(failure),
    ];
  }

  /** A file that exists is the user's, or another batch's. */
  async #freeName(folder: string, name: string): Promise<string> {
    const taken = new Set([...this.#tracked.values()].map(({ file }) => file));
    for (let number = 1; number <= MAX_NUMBER; number += 1) {
      const numbered = `${withoutSeparators(name)}${number === 1 ? '' : `-${number}`}`;
      const file = path.join(folder, `${numbered}${RESULTS_ENDING}`);
      if (taken.has(file) || (await exists(file)) || (await exists(unfinishedOf(file)))) continue;
      return file;
    }
    throw new Error(`Every name is taken in ${folder}.`);
  }
}

/** With the service's own words, which may be the only ones that say what to change. */
function reasonOf(failure: Failure): string {
  const said = remoteReason(failure);
  return said === null ? failure.message : `${failure.message} ${said}`;
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

function writtenNoteOf(batchId: number): string {
  return `results written ${batchId}`;
}

function withoutSeparators(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 150) || 'Batch';
}
