import path from 'node:path';
import { z } from 'zod';
import type { HistoryEntry } from '../../contract/job.ts';
import { JOB_STATES, type JobState } from '../../contract/job-states.ts';
import { JOB_COLUMNS, jobRowSchema, type JobRow } from './job-row.ts';
import type { Transactions } from './transactions.ts';
import { eventOf } from './job-events.ts';
import { messageColumns, messageIn } from './message-columns.ts';

/** Which rows a list shows. */
export interface ListQuery {
  readonly batchId?: number | undefined;
  readonly states?: readonly JobState[] | undefined;
  /** Beside rows in one of `states`, those that were saved once and are on their way again. */
  readonly alsoFetchedAgain?: boolean | undefined;
  /** Looked for in titles, without regard to case. */
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

const historyRowSchema = z.object({
  at: z.number(),
  from_state: z.enum(JOB_STATES),
  to_state: z.enum(JOB_STATES),
  ...messageColumns,
});

/** On its way to a file, or at the end of that way without one, and was saved before. */
const FETCHED_AGAIN = `(state IN ('ready', 'downloading', 'verifying', 'failed')
  AND EXISTS (SELECT 1 FROM history WHERE job_id = job.id AND to_state = 'done'))`;

/** Reads pages of the queue, and one job's past, without holding the queue in memory. */
export class JobList {
  readonly #database: Transactions;
  readonly #serviceId: number;

  constructor(database: Transactions, serviceId: number) {
    this.#database = database;
    this.#serviceId = serviceId;
  }

  page(query: ListQuery): { readonly total: number; readonly rows: readonly JobRow[] } {
    const conditions = ['service_id = ?'];
    const values: (string | number)[] = [this.#serviceId];
    if (query.batchId !== undefined) {
      conditions.push('batch_id = ?');
      values.push(query.batchId);
    }
    if (query.states) {
      const named = 'state IN (SELECT value FROM json_each(?))';
      conditions.push(query.alsoFetchedAgain === true ? `(${named} OR ${FETCHED_AGAIN})` : named);
      values.push(JSON.stringify(query.states));
    }
    if (query.search) {
      conditions.push('instr(title_folded, ?) > 0');
      values.push(query.search.toLocaleLowerCase('en'));
    }
    const where = conditions.join(' AND ');
    const rows = this.#database.all(
      `SELECT ${JOB_COLUMNS} FROM job WHERE ${where}
        ORDER BY priority DESC, position LIMIT ? OFFSET ?`,
      ...values,
      query.limit,
      query.offset,
    );
    return {
      total: this.#database.number(`SELECT count(*) FROM job WHERE ${where}`, ...values),
      rows: rows.map((row) => jobRowSchema.parse(row)),
    };
  }

  /**
   * The named jobs that exist, in queue order. The plus signs keep SQLite from walking the whole
   * queue in order to find a few rows of it.
   */
  pick(ids: readonly number[]): readonly JobRow[] {
    return this.#database
      .all(
        `SELECT ${JOB_COLUMNS} FROM job
          WHERE id IN (SELECT value FROM json_each(?)) AND +service_id = ?
          ORDER BY +priority DESC, +position`,
        JSON.stringify(ids),
        this.#serviceId,
      )
      .map((row) => jobRowSchema.parse(row));
  }

  /** The jobs that were saved last, in queue order. */
  lastSaved(limit: number): readonly JobRow[] {
    const ids = this.#database
      .all("SELECT job_id FROM history WHERE to_state = 'done' ORDER BY at DESC LIMIT ?", limit)
      .map(({ job_id }) => Number(job_id));
    return this.pick(ids).filter(({ state }) => state === 'done');
  }

  /** Jobs in a state after the one with id `after`, by id: for walks over all of them. */
  walk(state: JobState, after: number, limit: number): readonly JobRow[] {
    return this.#database
      .all(
        `SELECT ${JOB_COLUMNS} FROM job WHERE +service_id = ? AND +state = ? AND id > ?
          ORDER BY id LIMIT ?`,
        this.#serviceId,
        state,
        after,
        limit,
      )
      .map((row) => jobRowSchema.parse(row));
  }

  /** Jobs that have or had a file, in queue order: all of them, or those of `ids`. */
  withFile(ids?: readonly number[]): readonly { readonly id: number; readonly bytes: number }[] {
    const among = ids ? 'AND id IN (SELECT value FROM json_each(?))' : '';
    return this.#database
      .all(
        `SELECT id, file_bytes FROM job
          WHERE service_id = ? AND state IN ('done', 'missing') AND file_path IS NOT NULL ${among}
          ORDER BY priority DESC, position`,
        this.#serviceId,
        ...(ids ? [JSON.stringify(ids)] : []),
      )
      .map(({ id, file_bytes }) => ({ id: Number(id), bytes: Number(file_bytes) }));
  }

  /** Oldest first. The first entry tells how the job came to be. */
  history(job: JobRow): HistoryEntry[] {
    const steps = this.#database
      .all(
        'SELECT at, from_state, to_state, note, says FROM history WHERE job_id = ? ORDER BY step',
        job.id,
      )
      .map((row) => historyRowSchema.parse(row));
    const arrival = { from: null, to: steps[0]?.from_state ?? job.state, note: null };
    return [
      { at: job.addedAt, ...arrival, event: 'added' },
      ...withoutRepeats(steps).flatMap(({ at, from_state: from, to_state: to, ...told }) => {
        const note = messageIn(told);
        const event = eventOf(from, to, note);
        return event === null ? [] : [{ at, from, to, event, note }];
      }),
    ];
  }

  /**
   * Names in this folder, relative to it, that jobs of any service have or are about to have. The
   * folder of one batch may contain that of another.
   * @param except jobs whose names do not count
   */
  namesIn(folder: string, except: readonly number[] = []): string[] {
    const folders = new Map(
      this.#database
        .all('SELECT id, folder FROM batch')
        .map((batch) => [Number(batch.id), String(batch.folder)] as const)
        .filter(([, other]) => isWithin(folder, other) || isWithin(other, folder)),
    );
    const rows = this.#database.all(
      `SELECT batch_id, file_name, rename_to, file_path FROM job
        WHERE batch_id IN (SELECT value FROM json_each(?)) AND state <> 'cancelled'
          AND id NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...folders.keys()]),
      JSON.stringify(except),
    );
    return rows.flatMap(({ batch_id, file_name, rename_to, file_path }) => {
      const own = folders.get(Number(batch_id)) ?? folder;
      const inFolder = [file_name, rename_to].flatMap((name) => {
        if (typeof name !== 'string') return [];
        return own === folder ? [name] : namesBelow(folder, path.join(own, name));
      });
      // Where the name was taken when the file was saved, the file has another name than its job.
      return typeof file_path === 'string'
        ? [...inFolder, ...namesBelow(folder, file_path)]
        : inFolder;
    });
  }

  /** Saved files of so many bytes of jobs of any service, other than this one. */
  savedFiles(bytes: number, exceptOf: number): string[] {
    return this.#database
      .all(
        `SELECT file_path FROM job WHERE file_bytes = ? AND state = 'done' AND id <> ?
          AND file_path IS NOT NULL`,
        bytes,
        exceptOf,
      )
      .map(({ file_path }) => String(file_path));
  }

  /** Whether a job of any service, other than this one, has its saved file here. */
  isFileOfOther(file: string, jobId: number): boolean {
    return (
      this.#database.number(
        `SELECT count(*) FROM job WHERE file_path = ? AND state = 'done' AND id <> ?`,
        file,
        jobId,
      ) > 0
    );
  }
}

function isWithin(folder: string, other: string): boolean {
  return folder === other || namesBelow(folder, other).length > 0;
}

/** The name of a file inside a folder, with `/` between its parts; none for a file elsewhere. */
function namesBelow(folder: string, file: string): readonly string[] {
  const name = path.relative(folder, file);
  const isBelow = name !== '' && !path.isAbsolute(name) && name.split(path.sep)[0] !== '..';
  return isBelow ? [name.split(path.sep).join('/')] : [];
}

type HistoryRow = z.infer<typeof historyRowSchema>;

/** Numbers of steps that lead back to the first state: a send that is put back, then a download. */
const CYCLE_LENGTHS = [3, 2];

/** Leaves out each cycle of steps that only repeats the one before it, such as a retry. */
function withoutRepeats(steps: readonly HistoryRow[]): HistoryRow[] {
  const kept: HistoryRow[] = [];
  for (const step of steps) {
    kept.push(step);
    const repeated = CYCLE_LENGTHS.find((length) => endsInRepeat(kept, length));
    if (repeated !== undefined) kept.length -= repeated;
  }
  return kept;
}

function endsInRepeat(steps: readonly HistoryRow[], length: number): boolean {
  if (steps.length < 2 * length) return false;
  const last = steps.slice(-length);
  const before = steps.slice(-2 * length, -length);
  return last.every((step, index) => {
    const earlier = before[index];
    return (
      step.from_state === earlier?.from_state &&
      step.to_state === earlier.to_state &&
      step.note === earlier.note
    );
  });
}
