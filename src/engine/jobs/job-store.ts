import { hash } from 'node:crypto';
import { foldCase } from '../../contract/job-filter.ts';
import { isIn, type JobState } from '../../contract/job-states.ts';
import { type UserMessage } from '../../contract/user-message.ts';
import type { AttemptMark, Settling } from './attempt-mark.ts';
import { NO_WAIT, toColumns, type JobChange, type JobRow } from './job-row.ts';
import { JobReader } from './job-reader.ts';
import { canMove, MOVES, type MoveName } from './lifecycle.ts';
import { foldRow } from './schema.ts';
import { StateCounts } from './state-counts.ts';
import type { StoredValues } from './stored-values.ts';
import type { Transactions } from './transactions.ts';
import { REQUEST_COLUMNS, type Columns } from './undo-log.ts';

/** Distance between neighbours in the queue, so that a row can be put between two others. */
export const POSITION_STEP = 1024;

/** The most that is kept of a response; more is never read. */
const MAX_RESPONSE = 16 * 1024;

/** A job's row, and what is derived from it: callers make both together (`intake/row-values.ts`). */
export interface RowOfJob {
  /** How the row becomes a request: JSON. Rows of one batch share the text. */
  readonly template: string;
  readonly values: StoredValues;
  readonly title: string;
  readonly preset: string;
  /** The request, byte for byte, and its SHA-256 in hex. */
  readonly body: string;
  readonly bodySha256: string;
}

export interface NewJob extends RowOfJob {
  readonly row: number | null;
  readonly occurrence: number;
  /**
   * Whether the user wants it although another row has its request: it becomes a duplicate of the
   * job with this id, or of the first one with its request that is inserted together with it.
   */
  readonly duplicateOf?: number | 'first' | null;
  readonly fileName: string;
  readonly state: 'queued' | 'ready' | 'cancelled';
  /** Of a video that was rendered for the same body before; with state `ready`. */
  readonly remoteId: string | null;
}

/** A move that is not in `MOVES`: a defect of the caller, and nothing was written. */
export class IllegalMoveError extends Error {
  constructor(move: MoveName, from: JobState) {
    super(`No move “${move}” from ${from}; it starts from ${MOVES[move].from.join(', ')}.`);
  }
}

/**
 * Writes the jobs of one service, and reads them. Every change of a state goes through `move`,
 * which checks it against the lifecycle and adds it to the history; `onChange` is called once it is
 * on disk.
 */
export class JobStore extends JobReader {
  readonly counts: StateCounts;
  readonly #onChange: (job: JobRow) => void;

  constructor(database: Transactions, serviceId: number, onChange: (job: JobRow) => void) {
    super(database, serviceId);
    this.#onChange = onChange;
    this.counts = new StateCounts(database, serviceId);
  }

  /**
   * Makes a move and writes its changes, in the caller's transaction or its own. Clears the wait of
   * a job that will not be downloaded.
   * @param note why, for the user, in the history
   * @throws {IllegalMoveError} when the job is not in a state where this move starts
   */
  move(id: number, move: MoveName, at: number, change: JobChange = {}, note?: UserMessage): JobRow {
    return this.database.write(() => {
      const before = this.get(id);
      if (!canMove(move, before.state)) throw new IllegalMoveError(move, before.state);
      const { to } = MOVES[move];
      const changes = isIn('accepted', to) ? change : { ...NO_WAIT, ...change };
      // A job that is to make a video again is work, which the archive must not hide.
      const isArchived = before.archivedAt !== null && !isIn('open', to);
      this.database.update('job', id, {
        state: to,
        ...toColumns(changes),
        archived_at: isArchived ? before.archivedAt : null,
        removed_at: isArchived ? before.removedAt : null,
      });
      this.database.run(
        `INSERT INTO history (job_id, step, at, from_state, to_state, note, says) VALUES (?1,
          (SELECT coalesce(max(step), 0) + 1 FROM history WHERE job_id = ?1), ?2, ?3, ?4, ?5, ?6)`,
        id,
        at,
        before.state,
        to,
        note?.message ?? null,
        note?.says ? JSON.stringify(note.says) : null,
      );
      const after = this.get(id);
      this.database.afterCommit(() => {
        if (before.archivedAt === null) this.counts.add(before.batchId, before.state, -1);
        if (!isArchived) this.counts.add(before.batchId, to, 1);
        this.#onChange(after);
      });
      return after;
    });
  }

  /**
   * Changes the end of all waits: the clock was set, or the engine starts. `onChange` is not
   * called.
   */
  moveWaits(to: (nextTryAt: number) => number): void {
    const waiting = this.waiting();
    if (waiting.length === 0) return;
    this.database.write(() => {
      for (const { id, nextTryAt } of waiting) {
        this.database.update('job', id, { next_try_at: to(nextTryAt ?? 0) });
      }
    });
  }

  /**
   * Takes a job out of the queue's list and counts, or puts it back at its place.
   * @param at when it was archived; `null` puts it back
   */
  archive(id: number, at: number | null): void {
    this.database.write(() => {
      const { archivedAt, batchId, state } = this.get(id);
      if ((archivedAt === null) === (at === null)) return;
      this.database.update('job', id, {
        archived_at: at,
        ...(at === null ? { removed_at: null } : {}),
      });
      this.database.afterCommit(() => {
        this.counts.add(batchId, state, at === null ? 1 : -1);
        this.#onChange(this.get(id));
      });
    });
  }

  /** Takes a job out of all lists. Another row of its batch may have its request then. */
  remove(id: number, at: number): void {
    this.database.write(() => {
      if (this.get(id).removedAt !== null) return;
      this.archive(id, at);
      this.database.update('job', id, { removed_at: at, occurrence: -id });
      this.database.afterCommit(() => this.#onChange(this.get(id)));
    });
  }

  /**
   * Takes all jobs out of the queue's list, or out of all lists, without counting them or calling
   * `onChange`: for a service that is taken out of use.
   */
  clear(at: number, rows: 'archive' | 'remove'): void {
    const removed =
      rows === 'remove' ? ', removed_at = coalesce(removed_at, ?1), occurrence = -id' : '';
    this.database.run(
      `UPDATE job SET archived_at = coalesce(archived_at, ?1)${removed} WHERE service_id = ?2`,
      at,
      this.serviceId,
    );
  }

  /** Changes fields of a job without changing its state. */
  change(id: number, change: JobChange): void {
    if (Object.keys(change).length === 0) return;
    this.database.write(() => {
      this.database.update('job', id, toColumns(change));
      this.database.afterCommit(() => this.#onChange(this.get(id)));
    });
  }

  /** Adds jobs to the end of the queue. Returns their ids, in the same order. */
  insert(batchId: number, jobs: readonly NewJob[], at: number): number[] {
    return this.database.write(() => {
      let position = this.database.number(
        'SELECT max(position) FROM job WHERE service_id = ?',
        this.serviceId,
      );
      const templates = new Map<string, number>();
      const firsts = new Map<string, number>();
      const ids = jobs.map((job) => {
        position += POSITION_STEP;
        const templateId = templates.get(job.template) ?? this.#templateId(job.template);
        templates.set(job.template, templateId);
        const first = firsts.get(job.bodySha256) ?? null;
        const duplicateOf = job.duplicateOf === 'first' ? first : (job.duplicateOf ?? null);
        const id = this.#insertOne(batchId, { ...job, templateId, duplicateOf }, position, at);
        if (first === null) firsts.set(job.bodySha256, duplicateOf ?? id);
        return id;
      });
      this.database.afterCommit(() => {
        for (const { state } of jobs) this.counts.add(batchId, state, 1);
      });
      return ids;
    });
  }

  /** Makes jobs the videos of one row. Others stay in the row that they were in. */
  joinRow(videos: readonly { readonly id: number; readonly variant: string }[]): void {
    const rowId = Math.min(...videos.map(({ id }) => id));
    this.database.write(() => {
      const before = this.database.all(
        'SELECT DISTINCT row_id FROM job WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(videos.map(({ id }) => id)),
      );
      for (const { id, variant } of videos)
        this.database.run(
          'UPDATE job SET row_id = ?, variant = ? WHERE id = ?',
          rowId,
          variant,
          id,
        );
      const changed = new Set([rowId, ...before.map(({ row_id }) => Number(row_id ?? rowId))]);
      for (const id of changed) this.database.run(foldRow('?'), id);
    });
  }

  /** Replaces the row of a job that has not been sent, and all that is derived from it. */
  replaceRow(id: number, row: RowOfJob): void {
    this.database.write(() => {
      const { batchId } = this.get(id);
      const bodySha256 = Buffer.from(row.bodySha256, 'hex');
      const occurrence = this.database.number(
        `SELECT coalesce(max(occurrence) + 1, 0) FROM job
          WHERE service_id = ? AND body_sha256 = ? AND batch_id = ? AND id <> ? AND occurrence >= 0`,
        this.serviceId,
        bodySha256,
        batchId,
        id,
      );
      this.database.run(
        'UPDATE request SET template_id = ?, row_values = ?, body = ? WHERE job_id = ?',
        this.#templateId(row.template),
        JSON.stringify(row.values),
        row.body,
        id,
      );
      this.database.update('job', id, {
        ...toColumns({ title: row.title }),
        preset: row.preset,
        body_sha256: bodySha256,
        occurrence,
        duplicate_of: null,
      });
      this.database.afterCommit(() => this.#onChange(this.get(id)));
    });
  }

  /**
   * Writes columns as they were before a change (`undo-log.ts`): any but the state, the place and
   * whether the job is archived.
   */
  restore(id: number, { body_sha256: sha256, ...columns }: Columns): void {
    this.database.write(() => {
      const { batchId } = this.get(id);
      const ofRequest = REQUEST_COLUMNS.filter((name) => name in columns);
      const ofJob = Object.fromEntries(
        Object.entries(columns).filter(([name]) => !ofRequest.some((each) => each === name)),
      );
      if (ofRequest.length > 0) {
        const sql = `UPDATE request SET ${ofRequest.map((name) => `${name} = ?`).join(', ')}
          WHERE job_id = ?`;
        this.database.run(sql, ...ofRequest.map((name) => columns[name] ?? null), id);
      }
      const isIdentified = typeof sha256 === 'string' || 'occurrence' in columns;
      const body = typeof sha256 === 'string' ? sha256 : this.get(id).bodySha256;
      const identity = isIdentified ? this.#identity(id, batchId, body, columns) : {};
      if (Object.keys({ ...ofJob, ...identity }).length > 0)
        this.database.update('job', id, { ...ofJob, ...identity });
      this.database.afterCommit(() => this.#onChange(this.get(id)));
    });
  }

  /** A request's SHA-256, and which of the batch's rows with that request a job was, if it still can. */
  #identity(id: number, batchId: number, sha256: string, columns: Columns) {
    const { occurrence: was = this.get(id).occurrence } = columns;
    const body = Buffer.from(sha256, 'hex');
    const taken = this.database
      .all(
        'SELECT occurrence FROM job WHERE service_id = ? AND body_sha256 = ? AND batch_id = ? AND id <> ?',
        this.serviceId,
        body,
        batchId,
        id,
      )
      .map(({ occurrence }) => Number(occurrence));
    const occurrence = taken.includes(Number(was)) ? Math.max(...taken) + 1 : Number(was);
    return { body_sha256: body, occurrence };
  }

  /**
   * Written before a request leaves.
   * @param mark what identifies it
   * @param repeats the attempt whose request it repeats, byte for byte
   */
  beginAttempt(
    jobId: number,
    at: number,
    mark: AttemptMark | null = null,
    repeats: number | null = null,
  ): number {
    return this.database.insert('attempt', {
      job_id: jobId,
      started_at: at,
      repeats,
      own_id: mark?.ownId ?? null,
      mark: mark && JSON.stringify(mark),
    });
  }

  /** Stores what was done to settle an attempt. */
  recordSettling(attemptId: number, settling: Settling): void {
    this.database.update('attempt', attemptId, { settling: JSON.stringify(settling) });
  }

  endAttempt(attemptId: number, outcome: string, at: number): void {
    this.database.update('attempt', attemptId, { ended_at: at, outcome });
  }

  /** Ends attempts that a stopped session left open: their outcomes are lost. */
  endOpenAttempts(at: number): void {
    this.database.run(
      `UPDATE attempt SET ended_at = ?, outcome = 'lost'
        WHERE ended_at IS NULL AND (SELECT service_id FROM job WHERE id = job_id) = ?`,
      at,
      this.serviceId,
    );
  }

  /** Stores the service's last response about a job, unchanged. */
  storeResponse(jobId: number, body: string, at: number): void {
    this.database.run(
      `INSERT INTO answer (job_id, body, at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at`,
      jobId,
      body.slice(0, MAX_RESPONSE),
      at,
    );
  }

  #templateId(content: string): number {
    const sha256 = hash('sha256', content, 'buffer');
    this.database.run(
      'INSERT INTO template (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING',
      sha256,
      content,
    );
    return this.database.number('SELECT id FROM template WHERE sha256 = ?', sha256);
  }

  #insertOne(
    batchId: number,
    job: NewJob & { readonly templateId: number; readonly duplicateOf: number | null },
    position: number,
    at: number,
  ): number {
    const id = this.database.insert('job', {
      service_id: this.serviceId,
      batch_id: batchId,
      row_number: job.row,
      title: job.title,
      title_folded: foldCase(job.title),
      preset: job.preset,
      body_sha256: Buffer.from(job.bodySha256, 'hex'),
      occurrence: job.occurrence,
      duplicate_of: job.duplicateOf,
      state: job.state,
      position,
      remote_id: job.remoteId,
      file_name: job.fileName,
      added_at: at,
    });
    this.database.insert('request', {
      job_id: id,
      template_id: job.templateId,
      row_values: JSON.stringify(job.values),
      body: job.body,
    });
    return id;
  }
}
