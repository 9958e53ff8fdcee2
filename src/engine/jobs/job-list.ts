import { z } from 'zod';
import type { HistoryEntry } from '../../contract/job.ts';
import { JOB_STATES, type JobState } from '../../contract/job-states.ts';
import { JOB_COLUMNS, jobRowSchema, type JobRow } from './job-row.ts';
import type { Transactions } from './transactions.ts';
import { toldColumns, toldIn } from './told-columns.ts';

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
  ...toldColumns,
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
    return [
      { at: job.addedAt, from: null, to: steps[0]?.from_state ?? job.state, note: null },
      ...steps.map(({ at, from_state, to_state, ...told }) => ({
        at,
        from: from_state,
        to: to_state,
        note: toldIn(told),
      })),
    ];
  }

  /**
   * Names that jobs of this folder have already been given, or are about to be, relative to it.
   * @param except jobs whose names do not count
   */
  namesIn(folder: string, except: readonly number[] = []): string[] {
    return this.#database
      .all(
        `SELECT file_name, rename_to FROM job JOIN batch ON batch.id = job.batch_id
          WHERE batch.folder = ? AND state <> 'cancelled'
            AND job.id NOT IN (SELECT value FROM json_each(?))`,
        folder,
        JSON.stringify(except),
      )
      .flatMap((row) => [row.file_name, row.rename_to])
      .filter((name) => typeof name === 'string');
  }
}
