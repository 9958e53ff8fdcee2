import { z } from 'zod';
import type { HistoryEntry, JobFilter } from '../../contract/job.ts';
import { JOB_STATES, type JobState } from '../../contract/job-states.ts';
import { foldCase } from '../../contract/job-filter.ts';
import type { JobOrder } from '../../contract/job-order.ts';
import { jobConditions } from './job-conditions.ts';
import { JobUnknownError } from '../engine-error.ts';
import { unsettledSchema, type Unsettled } from './attempt-mark.ts';
import { historyOf } from './job-history.ts';
import {
  ALIKE_COLUMNS,
  alikeJobSchema,
  JOB_COLUMNS,
  jobOutlineSchema,
  jobRowSchema,
  OUTLINE_COLUMNS,
  type AlikeJob,
  type JobOutline,
  type JobRow,
} from './job-row.ts';
import { orderBy } from './list-order.ts';
import { MOVES } from './lifecycle.ts';
import { storedValues, type StoredValues } from './stored-values.ts';
import { ServiceTables } from './transactions.ts';

/** A part of the matching jobs; all of them when left out. */
interface ListQuery extends JobFilter {
  readonly order?: JobOrder | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

const countedFailureSchema = jobRowSchema
  .pick({ state: true, failure: true })
  .extend({ count: z.int() });

export type CountedFailure = Readonly<z.infer<typeof countedFailureSchema>>;

const foldedCountSchema = jobRowSchema
  .pick({ batchId: true, state: true })
  .extend({ count: z.int() });

const idsSchema = z.array(z.number());

const jobPlaceSchema = z.object({ origin: z.string(), state: z.enum(JOB_STATES) });

/** Attempts that are read to find the last jobs. */
const MAX_LAST_SENT = 50;

/** The length of the texts that the index of archived titles consists of, in characters. */
const MIN_INDEXED = 3;

/** From this number of titles on, reading the whole archive is quicker than looking each one up. */
const MANY_IN_ARCHIVE = 5000;

/** Jobs of the service that are not archived: all that are open, and those that are listed. */
const LISTED = 'service_id = ? AND archived_at IS NULL';

/** The part of a list that a group is: its condition, without that on the service, and its order. */
export interface ListPart {
  readonly where: string;
  readonly values: readonly (string | number)[];
  /**
   * Only jobs in these states, in the queue's order: jobs in one state are in that order in an index,
   * and need to be merged but not sorted.
   */
  readonly states?: readonly JobState[];
  readonly orderBy: string;
}

/** Reads the jobs of one service without keeping the queue in memory. */
export class JobReader extends ServiceTables {
  /** @throws {JobUnknownError} that names the other service if the job is one of its jobs */
  get(id: number): JobRow {
    const row = this.find(id);
    if (!row) throw this.unknown(id);
    return row;
  }

  unknown(id: number): JobUnknownError {
    const found = this.database.get(
      `SELECT origin, state FROM job JOIN service ON service.id = job.service_id WHERE job.id = ?`,
      id,
    );
    return new JobUnknownError(found === undefined ? undefined : jobPlaceSchema.parse(found));
  }

  find(id: number): JobRow | null {
    return this.#select('WHERE id = ? AND service_id = ?', id, this.serviceId)[0] ?? null;
  }

  /** The first jobs in one of these states, in queue order. */
  first(states: readonly JobState[], limit: number): JobRow[] {
    return states
      .flatMap((state) =>
        this.#select(
          `WHERE ${LISTED} AND state = ? ORDER BY priority DESC, position LIMIT ?`,
          this.serviceId,
          state,
          limit,
        ),
      )
      .toSorted((a, b) => b.priority - a.priority || a.position - b.position)
      .slice(0, limit);
  }

  /** The same for one state, in outline. */
  outlines(state: JobState, limit: number): JobOutline[] {
    return this.#outlines(
      'archived_at IS NULL AND state = ? ORDER BY priority DESC, position LIMIT ?',
      state,
      limit,
    );
  }

  /** The jobs whose download waits, in any order. */
  waiting(): JobOutline[] {
    return this.#outlines('next_try_at IS NOT NULL');
  }

  /** Ids of jobs in a state, in queue order: of every one when `limit` is left out. */
  ids(state: JobState, limit = -1): number[] {
    return this.#ids(
      `SELECT id FROM job WHERE ${LISTED} AND state = ?
        ORDER BY priority DESC, position LIMIT ?`,
      this.serviceId,
      state,
      limit,
    );
  }

  page({ order, offset = 0, limit = -1, ...filter }: ListQuery): {
    readonly total: number;
    readonly rows: readonly JobRow[];
  } {
    const { from, where, values } = this.#matching(filter);
    // A list in another order is sorted without its rows, which are large.
    const rows =
      order !== undefined && order.by !== 'queue'
        ? this.inThisOrder(this.idsOf({ order, offset, limit, ...filter }))
        : this.#rows(
            `FROM ${from} WHERE ${where} ${orderBy(order)} LIMIT ? OFFSET ?`,
            ...values,
            limit,
            offset,
          );
    const isLast = rows.length > 0 ? limit < 0 || rows.length < limit : offset === 0;
    const total = isLast
      ? offset + rows.length
      : this.database.number(`SELECT count(*) FROM ${from} WHERE ${where}`, ...values);
    return { total, rows };
  }

  /** The ids of a part of a list: all of them when `limit` is left out. */
  idsIn(
    { where, values, states, orderBy: order }: ListPart,
    offset: number,
    limit: number,
  ): number[] {
    const select = `SELECT id, priority, position FROM job WHERE service_id = ?${where}`;
    const selects = states?.map(() => `${select} AND state = ?`) ?? [select];
    const matching = [this.serviceId, ...values];
    return this.#ids(
      `${selects.join(' UNION ALL ')} ${order} LIMIT ? OFFSET ?`,
      ...(states?.flatMap((state) => [...matching, state]) ?? matching),
      limit,
      offset,
    );
  }

  countIn({ where, values, states }: ListPart): number {
    const inStates = states === undefined ? '' : ' AND state IN (SELECT value FROM json_each(?))';
    return this.database.number(
      `SELECT count(*) FROM job WHERE service_id = ?${where}${inStates}`,
      this.serviceId,
      ...values,
      ...(states === undefined ? [] : [JSON.stringify(states)]),
    );
  }

  /** How many jobs each batch has in a list, by the batch's id. */
  countByBatch(filter: JobFilter): ReadonlyMap<number, number> {
    const { from, where, values } = this.#matching(filter);
    const counted = this.database.all(
      `SELECT batch_id, count(*) AS jobs FROM ${from} WHERE ${where} GROUP BY batch_id`,
      ...values,
    );
    return new Map(counted.map(({ batch_id, jobs }) => [Number(batch_id), Number(jobs)]));
  }

  /**
   * How many jobs have no line of their own in a list that folds rows, by batch and state.
   * @param unfoldedRows their videos have lines
   */
  countFolded(
    unfoldedRows: readonly string[],
    batchId: string | undefined,
  ): readonly { readonly batchId: number; readonly state: JobState; readonly count: number }[] {
    const inBatch = batchId === undefined ? '' : 'AND batch_id = ?';
    return this.database
      .all(
        `SELECT batch_id AS batchId, state, count(*) AS count FROM job
          WHERE ${LISTED} AND folded_into IS NOT NULL ${inBatch}
            AND row_id NOT IN (SELECT value FROM json_each(?)) GROUP BY 1, 2`,
        this.serviceId,
        ...(batchId === undefined ? [] : [Number(batchId)]),
        JSON.stringify(unfoldedRows.map(Number)),
      )
      .map((row) => foldedCountSchema.parse(row));
  }

  /**
   * The ids of the jobs that are folded into each of these, in queue order.
   * @param unfoldedRows their videos are not folded
   */
  foldedInto(
    ids: readonly number[],
    unfoldedRows: readonly string[],
  ): ReadonlyMap<number, readonly number[]> {
    const found = this.database.all(
      `SELECT other.id, other.folded_into FROM job AS other
        WHERE other.row_id IN (SELECT row_id FROM job
            WHERE id IN (SELECT value FROM json_each(?1)) AND row_id IS NOT NULL
              AND row_id NOT IN (SELECT value FROM json_each(?2)))
          AND other.folded_into IN (SELECT value FROM json_each(?1))
        ORDER BY +other.priority DESC, +other.position`,
      JSON.stringify(ids),
      JSON.stringify(unfoldedRows.map(Number)),
    );
    const folded = new Map<number, number[]>();
    for (const { id, folded_into } of found) {
      const others = folded.get(Number(folded_into)) ?? [];
      folded.set(Number(folded_into), [...others, Number(id)]);
    }
    return folded;
  }

  /** These jobs that exist, in the order of `ids`. */
  inThisOrder(ids: readonly number[]): JobRow[] {
    const rows = new Map(this.pick(ids).map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** Whether the service has no job at all, archived ones included. */
  get isEmpty(): boolean {
    const sql = 'SELECT EXISTS (SELECT 1 FROM job WHERE service_id = ?)';
    return this.database.number(sql, this.serviceId) === 0;
  }

  /** When a job of a batch, of those that are not archived, last was added, sent, rendered or saved. */
  lastChange(batchId: number): number {
    return this.database.number(
      `SELECT max(max(added_at, coalesce(submitted_at, 0), coalesce(ready_at, 0), coalesce(saved_at, 0)))
        FROM job WHERE service_id = ? AND archived_at IS NULL AND +batch_id = ?`,
      this.serviceId,
      batchId,
    );
  }

  get hasArchived(): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM job INDEXED BY job_archived
      WHERE service_id = ? AND archived_at IS NOT NULL AND removed_at IS NULL)`;
    return this.database.number(sql, this.serviceId) === 1;
  }

  /** The ids of these jobs in the list's order: all of them when `limit` is left out. */
  idsOf({ order, offset = 0, limit = -1, ...filter }: ListQuery): number[] {
    const { from, where, values } = this.#matching(filter);
    return this.#ids(
      `SELECT id FROM ${from} WHERE ${where} ${orderBy(order)} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
  }

  /**
   * The named jobs that exist, in queue order. The plus signs prevent SQLite from scanning the
   * whole queue for a few rows.
   */
  pick(ids: readonly number[]): JobRow[] {
    return this.#select(
      `WHERE id IN (SELECT value FROM json_each(?)) AND +service_id = ?
        ORDER BY +priority DESC, +position`,
      JSON.stringify(ids),
      this.serviceId,
    );
  }

  /** The jobs that were saved last, in queue order. */
  lastSaved(limit: number): readonly JobRow[] {
    const ids = this.database
      .all("SELECT job_id FROM history WHERE to_state = 'done' ORDER BY at DESC LIMIT ?", limit)
      .map(({ job_id }) => Number(job_id));
    return this.pick(ids).filter(({ state }) => state === 'done');
  }

  /**
   * Jobs in a state with an id above `after`, by id: to iterate over all of them.
   * @param batchId of this batch; of all when left out
   */
  walk(state: JobState, after: number, limit: number, batchId?: number): readonly JobRow[] {
    const inBatch = batchId === undefined ? '' : 'AND +batch_id = ?';
    return this.#select(
      `WHERE +service_id = ? AND +state = ? AND id > ? ${inBatch} ORDER BY id LIMIT ?`,
      this.serviceId,
      state,
      after,
      ...(batchId === undefined ? [] : [batchId]),
      limit,
    );
  }

  /** The id of the job that was added last; 0 without jobs. */
  get lastId(): number {
    return this.database.number('SELECT max(id) FROM job');
  }

  /** The request as it was or will be sent, byte for byte. @throws {JobUnknownError} */
  requestBody(id: number): string {
    const row = this.database.get('SELECT body FROM request WHERE job_id = ?', id);
    if (!row) throw new JobUnknownError();
    return String(row.body);
  }

  /** A job's row: the template of its request (JSON), and its values. @throws {JobUnknownError} */
  row(id: number): { readonly template: string; readonly values: StoredValues } {
    const row = this.database.get(
      `SELECT content, row_values FROM request JOIN template ON template.id = template_id
        WHERE job_id = ?`,
      id,
    );
    if (!row) throw new JobUnknownError();
    return { template: String(row.content), values: storedValues.parse(row.row_values) };
  }

  /** Jobs that the service gave this identifier, in any state. */
  withRemoteId(remoteId: string): JobRow[] {
    return this.#select('WHERE service_id = ? AND remote_id = ?', this.serviceId, remoteId);
  }

  /**
   * A job that saved this file for another request; `null` if there is none.
   * @param sha256 of the file
   * @param bodySha256 of the request, in hexadecimal digits
   */
  withFile(sha256: string, bodySha256: string): JobRow | null {
    const [found = null] = this.#select(
      `WHERE service_id = ? AND file_sha256 = ? AND lower(hex(body_sha256)) <> ?
        ORDER BY id LIMIT 1`,
      this.serviceId,
      sha256,
      bodySha256,
    );
    return found;
  }

  /** The jobs of a batch whose requests left last, the latest first; a few of them. */
  lastSent(batchId: number): JobRow[] {
    const ids = this.database
      .all(
        `SELECT job_id AS id FROM attempt CROSS JOIN job ON job.id = attempt.job_id
          WHERE job.batch_id = ? ORDER BY attempt.id DESC LIMIT ?`,
        batchId,
        MAX_LAST_SENT,
      )
      .map(({ id }) => Number(id));
    return [...new Set(ids)].map((id) => this.get(id));
  }

  /** How many jobs of a batch have one of these states, by state and failure. */
  failures(batchId: number, states: readonly JobState[]): readonly CountedFailure[] {
    // One failure stands for all with the same text: they may differ in when to try again.
    return this.database
      .all(
        `SELECT state, count(*) AS count, failure,
            failure ->> 'code' AS code, failure ->> 'message' AS message, failure ->> 'detail' AS detail
          FROM job WHERE service_id = ? AND batch_id = ?
            AND state IN (SELECT value FROM json_each(?))
          GROUP BY 1, 4, 5, 6 ORDER BY count DESC, min(id)`,
        this.serviceId,
        batchId,
        JSON.stringify(states),
      )
      .map((row) => countedFailureSchema.parse(row));
  }

  /** Jobs whose file is being renamed, in queue order. */
  renaming(): JobRow[] {
    return this.#select(
      `INDEXED BY job_renaming
        WHERE service_id = ? AND rename_to IS NOT NULL ORDER BY priority DESC, position`,
      this.serviceId,
    );
  }

  /** Whether a job failed during its download, so its video was rendered. */
  failedAfterRendering(id: number): boolean {
    const last = this.database.get(
      'SELECT from_state FROM history WHERE job_id = ? ORDER BY step DESC LIMIT 1',
      id,
    );
    return MOVES.downloadFailed.from.some((state) => state === last?.from_state);
  }

  /** Jobs with the same request, byte for byte, in any batch. */
  alike(bodySha256: string): readonly AlikeJob[] {
    return this.database
      .all(
        `SELECT ${ALIKE_COLUMNS} FROM job WHERE service_id = ? AND body_sha256 = ?`,
        this.serviceId,
        Buffer.from(bodySha256, 'hex'),
      )
      .map((row) => alikeJobSchema.parse(row));
  }

  /**
   * Other jobs with the same request that are to make, have or may have a video.
   * @param group of wanted duplicates that do not count; `null`: all count
   */
  alikeOutside(bodySha256: string, exceptId: number, group: number | null): readonly AlikeJob[] {
    return this.database
      .all(
        `SELECT ${ALIKE_COLUMNS} FROM job WHERE service_id = ? AND body_sha256 = ? AND id <> ?
          AND coalesce(duplicate_of, id) IS NOT ? AND state NOT IN ('cancelled', 'rejected')`,
        this.serviceId,
        Buffer.from(bodySha256, 'hex'),
        exceptId,
        group,
      )
      .map((row) => alikeJobSchema.parse(row));
  }

  /** Oldest first. The first entry says how the job was added. */
  history(job: JobRow): HistoryEntry[] {
    const rows = this.database.all(
      'SELECT at, from_state, to_state, note, says FROM history WHERE job_id = ? ORDER BY step',
      job.id,
    );
    return historyOf(job, rows);
  }

  /** Whether an attempt of a job began at this exact time. */
  hasAttempt(id: number, at: number): boolean {
    const sql = 'SELECT count(*) FROM attempt WHERE job_id = ? AND started_at = ?';
    return this.database.number(sql, id, at) > 0;
  }

  /**
   * Whether a service has this job.
   * @param bodySha256 whether it also has this request
   */
  isStored(id: number, bodySha256?: string): boolean {
    const sql = `SELECT count(*) FROM job WHERE id = ?1
      AND (?2 IS NULL OR lower(hex(body_sha256)) = ?2)`;
    return this.database.number(sql, id, bodySha256 ?? null) > 0;
  }

  /** When the jobs in a state were last sent, in any order; epoch milliseconds. */
  sentAt(state: JobState): readonly { readonly preset: string; readonly at: number }[] {
    return this.database
      .all(
        `SELECT preset, (SELECT max(started_at) FROM attempt WHERE job_id = job.id) AS at
          FROM job WHERE ${LISTED} AND state = ?`,
        this.serviceId,
        state,
      )
      .map(({ preset, at }) => ({ preset: String(preset), at: Number(at) }));
  }

  /**
   * The uncertain jobs whose last request has a mark, oldest first.
   * @param id restricts it to one job
   */
  unsettled(id: number | null = null): Unsettled[] {
    return this.database
      .all(
        `SELECT job.id AS jobId, attempt.id AS attemptId, started_at AS startedAt, mark, settling
          FROM job JOIN attempt ON attempt.id = (SELECT max(id) FROM attempt AS one
            WHERE one.job_id = job.id AND one.repeats IS NULL)
          WHERE job.service_id = ?1 AND job.state = 'uncertain' AND (?2 IS NULL OR job.id = ?2)
          ORDER BY attempt.id`,
        this.serviceId,
        id,
      )
      .flatMap((row) => {
        const { mark, ...unsettled } = unsettledSchema.parse(row);
        return mark === null ? [] : [{ ...unsettled, mark }];
      });
  }

  /** The service's last response about a job, unchanged. */
  lastResponse(id: number): string | null {
    const row = this.database.get('SELECT body FROM answer WHERE job_id = ?', id);
    return row ? String(row.body) : null;
  }

  #matching(filter: JobFilter) {
    const { sql, values } = jobConditions(filter);
    const found = filter.archived === true ? this.#inArchive(filter.search ?? '') : null;
    if (found === null) {
      return {
        // SQLite would count by another index, and read each row.
        from: filter.archived === true ? 'job INDEXED BY job_archived' : 'job',
        where: `service_id = ?${sql}`,
        values: [this.serviceId, ...values],
      };
    }
    return {
      from: 'job',
      // The plus sign prevents SQLite from scanning the whole archive for a few rows.
      where: `id IN (SELECT value FROM json_each(?)) AND +service_id = ?${sql}`,
      values: [JSON.stringify(found), this.serviceId, ...values],
    };
  }

  /** The ids of archived jobs with a title like this; `null` where they are better read one by one. */
  #inArchive(search: string): number[] | null {
    const text = foldCase(search);
    if (Array.from(text).length < MIN_INDEXED) return null;
    const found = this.database.all(
      'SELECT rowid AS id FROM archived_title WHERE title MATCH ? LIMIT ?',
      // A phrase of SQLite's full-text queries (sqlite.org/fts5.html, 3.1).
      `"${text.replaceAll('"', '""')}"`,
      MANY_IN_ARCHIVE,
    );
    return found.length < MANY_IN_ARCHIVE ? found.map(({ id }) => Number(id)) : null;
  }

  /** The ids that `select` finds, in its order. As one text: a row for each takes four times as long. */
  #ids(select: string, ...values: (string | number)[]): number[] {
    const found = this.database.get(
      `SELECT json_group_array(id) AS ids FROM (${select})`,
      ...values,
    );
    return idsSchema.parse(JSON.parse(String(found?.ids)));
  }

  #select(rest: string, ...values: (string | number)[]): JobRow[] {
    return this.#rows(`FROM job ${rest}`, ...values);
  }

  #rows(rest: string, ...values: (string | number)[]): JobRow[] {
    return this.database
      .all(`SELECT ${JOB_COLUMNS} ${rest}`, ...values)
      .map((row) => jobRowSchema.parse(row));
  }

  #outlines(which: string, ...values: (string | number)[]): JobOutline[] {
    return this.database
      .all(
        `SELECT ${OUTLINE_COLUMNS} FROM job WHERE service_id = ? AND ${which}`,
        this.serviceId,
        ...values,
      )
      .map((row) => jobOutlineSchema.parse(row));
  }
}
