import type { JobState } from '../../contract/job-states.ts';
import { type UserMessage } from '../../contract/user-message.ts';
import { JobUnknownError } from '../engine-error.ts';
import {
  ALIKE_COLUMNS,
  alikeJobSchema,
  assignments,
  JOB_COLUMNS,
  jobOutlineSchema,
  jobRowSchema,
  OUTLINE_COLUMNS,
  type AlikeJob,
  type JobChange,
  type JobOutline,
  type JobRow,
} from './job-row.ts';
import { canMove, MOVES, startsFrom, type MoveName } from './lifecycle.ts';
import { StateCounts } from './state-counts.ts';
import type { Transactions } from './transactions.ts';

/** Distance between neighbours in the queue, so that a row can be put between two others. */
export const POSITION_STEP = 1024;

/** A job that does not exist yet. */
export interface NewJob {
  readonly row: number | null;
  readonly title: string;
  readonly preset: string;
  /** The request, byte for byte, and its SHA-256 in hex. */
  readonly body: string;
  readonly bodySha256: string;
  readonly occurrence: number;
  /** The import's cells as a JSON list of names and texts, in the order of its columns. */
  readonly cells: string;
  readonly fileName: string;
  readonly state: 'draft' | 'queued' | 'ready' | 'cancelled';
  /** Of the video that was made for the same body before; with state `ready`. */
  readonly remoteId: string | null;
}

/** A move that `MOVES` does not have: a defect of the caller, and nothing was written. */
export class IllegalMoveError extends Error {
  constructor(move: MoveName, from: JobState) {
    super(`No move “${move}” from ${from}; it starts from ${startsFrom(move).join(', ')}.`);
  }
}

/**
 * The jobs of one service. Every change of a state goes through `move`, is checked against the
 * lifecycle and leaves a line in the history; `onChange` hears of it once it is on disk.
 */
export class JobStore {
  readonly counts: StateCounts;
  readonly #database: Transactions;
  readonly #serviceId: number;
  readonly #onChange: (job: JobRow) => void;

  constructor(database: Transactions, serviceId: number, onChange: (job: JobRow) => void) {
    this.#database = database;
    this.#serviceId = serviceId;
    this.#onChange = onChange;
    this.counts = new StateCounts(database, serviceId);
  }

  /** @throws {JobUnknownError} */
  get(id: number): JobRow {
    const row = this.find(id);
    if (!row) throw new JobUnknownError();
    return row;
  }

  find(id: number): JobRow | null {
    const row = this.#database.get(
      `SELECT ${JOB_COLUMNS} FROM job WHERE id = ? AND service_id = ?`,
      id,
      this.#serviceId,
    );
    return row ? jobRowSchema.parse(row) : null;
  }

  /** The first jobs in one of these states, in queue order. */
  first(states: readonly JobState[], limit: number): JobRow[] {
    const found = states.flatMap((state) =>
      this.#database.all(
        `SELECT ${JOB_COLUMNS} FROM job WHERE service_id = ? AND state = ?
          ORDER BY priority DESC, position LIMIT ?`,
        this.#serviceId,
        state,
        limit,
      ),
    );
    return found
      .map((row) => jobRowSchema.parse(row))
      .toSorted((a, b) => b.priority - a.priority || a.position - b.position)
      .slice(0, limit);
  }

  /** The same for one state, in outline. */
  outlines(state: JobState, limit: number): JobOutline[] {
    return this.#database
      .all(
        `SELECT ${OUTLINE_COLUMNS} FROM job
          WHERE service_id = ? AND state = ? ORDER BY priority DESC, position LIMIT ?`,
        this.#serviceId,
        state,
        limit,
      )
      .map((row) => jobOutlineSchema.parse(row));
  }

  /** Ids of jobs in a state, in queue order: of every one when `limit` is left out. */
  ids(state: JobState, limit = -1): number[] {
    return this.#database
      .all(
        `SELECT id FROM job WHERE service_id = ? AND state = ?
          ORDER BY priority DESC, position LIMIT ?`,
        this.#serviceId,
        state,
        limit,
      )
      .map(({ id }) => Number(id));
  }

  /**
   * Makes a move and writes what belongs to it, in the caller's transaction or its own.
   * @param note why, in a creator's words, for the history
   * @throws {IllegalMoveError} when the job is not where this move starts
   */
  move(id: number, move: MoveName, at: number, change: JobChange = {}, note?: UserMessage): JobRow {
    return this.#database.write(() => {
      const before = this.get(id);
      if (!canMove(move, before.state)) throw new IllegalMoveError(move, before.state);
      const { to } = MOVES[move];
      const { sql, values } = assignments(change);
      this.#database.run(
        `UPDATE job SET ${['state = ?', ...sql].join(', ')} WHERE id = ?`,
        to,
        ...values,
        id,
      );
      this.#database.run(
        `INSERT INTO history (job_id, step, at, from_state, to_state, note, says)
          VALUES (?1,
          (SELECT coalesce(max(step), 0) + 1 FROM history WHERE job_id = ?1), ?2, ?3, ?4, ?5, ?6)`,
        id,
        at,
        before.state,
        to,
        note?.message ?? null,
        note?.says ? JSON.stringify(note.says) : null,
      );
      const after = this.get(id);
      this.#database.afterCommit(() => {
        this.counts.add(before.batchId, before.state, -1);
        this.counts.add(before.batchId, to, 1);
        this.#onChange(after);
      });
      return after;
    });
  }

  /** Changes fields of a job that stays where it is. */
  change(id: number, change: JobChange): void {
    const { sql, values } = assignments(change);
    if (sql.length === 0) return;
    this.#database.write(() => {
      this.#database.run(`UPDATE job SET ${sql.join(', ')} WHERE id = ?`, ...values, id);
      this.#database.afterCommit(() => this.#onChange(this.get(id)));
    });
  }

  /** Adds jobs to the end of the queue. Returns their ids, in the same order. */
  insert(batchId: number, jobs: readonly NewJob[], at: number): number[] {
    return this.#database.write(() => {
      let position = this.#database.number(
        'SELECT max(position) FROM job WHERE service_id = ?',
        this.#serviceId,
      );
      const ids = jobs.map((job) => {
        position += POSITION_STEP;
        return this.#insertOne(batchId, job, position, at);
      });
      this.#database.afterCommit(() => {
        for (const { state } of jobs) this.counts.add(batchId, state, 1);
      });
      return ids;
    });
  }

  request(id: number): { readonly body: string; readonly cells: string } {
    const row = this.#database.get('SELECT body, cells FROM request WHERE job_id = ?', id);
    if (!row) throw new JobUnknownError();
    return { body: String(row.body), cells: String(row.cells) };
  }

  /** Replaces the request of a job that has not been sent. What it was imported as stays known. */
  replaceRequest(id: number, body: string, sha256: string): void {
    this.#database.write(() => {
      const { batchId } = this.get(id);
      const hash = Buffer.from(sha256, 'hex');
      const occurrence = this.#database.number(
        `SELECT coalesce(max(occurrence) + 1, 0) FROM job
          WHERE service_id = ? AND body_sha256 = ? AND batch_id = ? AND id <> ?`,
        this.#serviceId,
        hash,
        batchId,
        id,
      );
      this.#database.run('UPDATE request SET body = ? WHERE job_id = ?', body, id);
      this.#database.run(
        `UPDATE job SET body_sha256 = ?, occurrence = ?,
          imported_sha256 = coalesce(imported_sha256, body_sha256),
          imported_occurrence = coalesce(imported_occurrence, occurrence) WHERE id = ?`,
        hash,
        occurrence,
        id,
      );
      this.#database.afterCommit(() => this.#onChange(this.get(id)));
    });
  }

  /** Jobs that the service gave this identifier, wherever they stand. */
  withRemoteId(remoteId: string): JobRow[] {
    return this.#database
      .all(
        `SELECT ${JOB_COLUMNS} FROM job WHERE service_id = ? AND remote_id = ?`,
        this.#serviceId,
        remoteId,
      )
      .map((row) => jobRowSchema.parse(row));
  }

  /** Whether a job failed while it was downloaded, so that its video was rendered. */
  failedAfterRendering(id: number): boolean {
    const last = this.#database.get(
      'SELECT from_state FROM history WHERE job_id = ? ORDER BY step DESC LIMIT 1',
      id,
    );
    return startsFrom('fetchFailed').some((state) => state === last?.from_state);
  }

  /** Jobs whose request is the same, byte for byte, whatever batch they are in. */
  alike(bodySha256: string): readonly AlikeJob[] {
    return this.#database
      .all(
        `SELECT ${ALIKE_COLUMNS} FROM job WHERE service_id = ? AND body_sha256 = ?`,
        this.#serviceId,
        Buffer.from(bodySha256, 'hex'),
      )
      .map((row) => alikeJobSchema.parse(row));
  }

  /** The job that such a row of a batch became and whose request was edited since. */
  editedFrom(bodySha256: string, batchId: number, occurrence: number): AlikeJob | undefined {
    const row = this.#database.get(
      `SELECT ${ALIKE_COLUMNS} FROM job
        WHERE service_id = ? AND imported_sha256 = ? AND batch_id = ? AND imported_occurrence = ?`,
      this.#serviceId,
      Buffer.from(bodySha256, 'hex'),
      batchId,
      occurrence,
    );
    return row && alikeJobSchema.parse(row);
  }

  #insertOne(batchId: number, job: NewJob, position: number, at: number): number {
    const { id } = this.#database.run(
      `INSERT INTO job (service_id, batch_id, row_number, title, title_folded, preset, body_sha256,
        occurrence, state, position, remote_id, file_name, added_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#serviceId,
      batchId,
      job.row,
      job.title,
      job.title.toLocaleLowerCase('en'),
      job.preset,
      Buffer.from(job.bodySha256, 'hex'),
      job.occurrence,
      job.state,
      position,
      job.remoteId,
      job.fileName,
      at,
    );
    this.#database.run(
      'INSERT INTO request (job_id, body, cells) VALUES (?, ?, ?)',
      id,
      job.body,
      job.cells,
    );
    return id;
  }
}
