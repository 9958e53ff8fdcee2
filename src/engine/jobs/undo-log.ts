/**
 * What the user did lately, and how the jobs were before: written with each change, in its
 * transaction, so that it can be undone after any stop. Undoing itself is
 * `engine/commands/undo-commands.ts`.
 */
import { z } from 'zod';
import type { UndoStep } from '../../contract/undo.ts';
import { UNDO_COMMANDS, type UndoCommand } from '../../contract/undo-words.ts';
import { jsonColumn } from './stored-values.ts';
import { ServiceTables, type Transactions } from './transactions.ts';

/** Steps that a service keeps. */
const MAX_STEPS = 100;

/** Jobs in all steps of a service, besides the last step, which is kept whatever its size. */
const MAX_JOBS = 200_000;

/** Columns of the table of jobs that an undoable command may change. */
const JOB_COLUMNS = [
  ...(['state', 'priority', 'position', 'failure', 'archived_at', 'removed_at'] as const),
  ...(['title', 'title_folded', 'preset', 'body_sha256', 'occurrence', 'duplicate_of'] as const),
  ...(['file_name', 'variant'] as const),
] as const;

export const REQUEST_COLUMNS = ['template_id', 'row_values', 'body'] as const;

/** Columns of a job with their values; the SHA-256 in hex. */
export type Columns = Readonly<Record<string, string | number | null>>;

const columnsSchema = jsonColumn.pipe(
  z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
);

const changedJobSchema = z
  .object({
    jobId: z.int(),
    was: columnsSchema,
    became: columnsSchema,
    wasAt: z.int().nullable(),
    becameAt: z.int().nullable(),
  })
  .transform(({ wasAt, becameAt, was, became, ...job }) => ({
    ...job,
    was: wasAt === null ? was : { ...was, position: wasAt },
    became: becameAt === null ? became : { ...became, position: becameAt },
  }));

/** What a step changed of one job: the changed columns. */
export interface ChangedJob {
  readonly jobId: number;
  readonly was: Columns;
  readonly became: Columns;
}

const stepSchema = z
  .object({
    id: z.int(),
    command: z.enum(UNDO_COMMANDS),
    at: z.number(),
    jobs: z.int(),
    undoneAt: z.number().nullable(),
  })
  .transform((step): UndoStep => ({ ...step, id: String(step.id) }));

/** Records the changes of one command as one step. */
export interface StepRecorder {
  /** The step's id; `null` while nothing has changed. */
  readonly id: string | null;
  /** Changes jobs and records what changed. Joins the caller's transaction. */
  change(jobIds: readonly number[], work: () => void): void;
  /** Records what is about to be changed, such as the name of a file. Joins the transaction. */
  add(jobId: number, was: Columns, became: Columns): void;
}

export class UndoLog extends ServiceTables {
  /** Jobs that a command is changing, with their columns before. */
  #changing = new Map<number, Columns>();

  /** Begins a step, which is stored with its first change. */
  begin(command: UndoCommand, at: number): StepRecorder {
    return new Recorder(this.database, this.serviceId, command, at, this);
  }

  /** Newest first. */
  steps(): readonly UndoStep[] {
    return this.database
      .all(
        `SELECT id, command, at, jobs, undone_at AS undoneAt FROM undo_step
          WHERE service_id = ? ORDER BY id DESC`,
        this.serviceId,
      )
      .map((row) => stepSchema.parse(row));
  }

  find(id: number): UndoStep | null {
    return this.steps().find((step) => step.id === String(id)) ?? null;
  }

  /** Jobs of a step that are not undone, by id; at most `limit`. */
  jobsOf(stepId: number, limit: number): readonly ChangedJob[] {
    return this.database
      .all(
        `SELECT job_id AS jobId, was, became, was_at AS wasAt, became_at AS becameAt
          FROM undo_job WHERE step_id = ? ORDER BY job_id LIMIT ?`,
        stepId,
        limit,
      )
      .map((row) => changedJobSchema.parse(row));
  }

  /** How many jobs of a step are not undone. */
  left(stepId: number): number {
    return this.database.number('SELECT count(*) FROM undo_job WHERE step_id = ?', stepId);
  }

  /** A job of a step is as it was, or cannot be. */
  settle(stepId: number, jobId: number): void {
    this.database.run('DELETE FROM undo_job WHERE step_id = ? AND job_id = ?', stepId, jobId);
  }

  /** Nothing of a step is left to undo. */
  end(stepId: number, at: number): void {
    this.database.update('undo_step', stepId, { undone_at: at });
  }

  /**
   * The present values of the columns that an undoable command may change.
   * @param withRequest also those of the request
   */
  columnsOf(jobId: number, withRequest: boolean): Columns {
    const row = this.database.get(withRequest ? SELECT_WITH_REQUEST : SELECT_COLUMNS, jobId);
    return (row ?? {}) as Columns;
  }

  /**
   * Runs `work`, which changes jobs, and calls `record` for each with its columns before and after.
   */
  watch(
    jobIds: readonly number[],
    withRequest: boolean,
    work: () => void,
    record: (jobId: number, before: Columns, after: Columns) => void,
  ): void {
    const changing = new Map(jobIds.map((id) => [id, this.columnsOf(id, withRequest)]));
    this.#changing = changing;
    try {
      work();
    } finally {
      this.#changing = new Map();
    }
    for (const [id, before] of changing) record(id, before, this.columnsOf(id, withRequest));
  }

  /** Rows from this position on move back to make room: recorded places move with them. */
  shiftPlaces(from: number, by: number): void {
    for (const [id, columns] of this.#changing) {
      const { position } = columns;
      if (typeof position === 'number' && position >= from)
        this.#changing.set(id, { ...columns, position: position + by });
    }
    for (const column of ['was_at', 'became_at']) {
      this.database.run(
        `UPDATE undo_job SET ${column} = ${column} + ? WHERE ${column} >= ?
          AND step_id IN (SELECT id FROM undo_step WHERE service_id = ?)`,
        by,
        from,
        this.serviceId,
      );
    }
  }

  /** Removes the oldest steps above the limits. */
  shorten(): void {
    let jobs = 0;
    const old = this.steps().filter((step, index) => {
      jobs += step.undoneAt === null ? step.jobs : 0;
      return index >= MAX_STEPS || (index > 0 && jobs > MAX_JOBS);
    });
    for (const { id } of old) {
      this.database.run('DELETE FROM undo_job WHERE step_id = ?', Number(id));
      this.database.run('DELETE FROM undo_step WHERE id = ?', Number(id));
    }
  }
}

class Recorder implements StepRecorder {
  readonly #database: Transactions;
  readonly #serviceId: number;
  readonly #command: UndoCommand;
  readonly #at: number;
  readonly #log: UndoLog;
  #id: number | null = null;

  constructor(
    database: Transactions,
    serviceId: number,
    command: UndoCommand,
    at: number,
    log: UndoLog,
  ) {
    this.#database = database;
    this.#serviceId = serviceId;
    this.#command = command;
    this.#at = at;
    this.#log = log;
  }

  get id(): string | null {
    return this.#id === null ? null : String(this.#id);
  }

  change(jobIds: readonly number[], work: () => void): void {
    this.#database.write(() => {
      this.#log.watch(jobIds, this.#command === 'edit', work, (id, before, after) => {
        const names = Object.keys(before).filter((name) => before[name] !== after[name]);
        if (names.length === 0) return;
        const some = (columns: Columns): Columns =>
          Object.fromEntries(names.map((name) => [name, columns[name] ?? null]));
        this.#insert(id, some(before), some(after));
      });
    });
  }

  add(jobId: number, was: Columns, became: Columns): void {
    this.#database.write(() => this.#insert(jobId, was, became));
  }

  #insert(
    jobId: number,
    { position: wasAt = null, ...was }: Columns,
    { position: becameAt = null, ...became }: Columns,
  ): void {
    this.#database.insert('undo_job', {
      step_id: this.#stepId(),
      job_id: jobId,
      was: JSON.stringify(was),
      became: JSON.stringify(became),
      was_at: wasAt,
      became_at: becameAt,
    });
    this.#database.run('UPDATE undo_step SET jobs = jobs + 1 WHERE id = ?', this.#stepId());
  }

  #stepId(): number {
    if (this.#id !== null) return this.#id;
    const id = this.#database.insert('undo_step', {
      service_id: this.#serviceId,
      command: this.#command,
      at: this.#at,
      jobs: 0,
    });
    this.#id = id;
    this.#database.afterRollback(() => {
      this.#id = null;
    });
    this.#log.shorten();
    return id;
  }
}

const JOB = JOB_COLUMNS.map((name) =>
  name === 'body_sha256' ? 'lower(hex(body_sha256)) AS body_sha256' : name,
).join(', ');

const SELECT_COLUMNS = `SELECT ${JOB} FROM job WHERE id = ?`;

const SELECT_WITH_REQUEST = `SELECT ${JOB}, ${REQUEST_COLUMNS.join(', ')}
  FROM job JOIN request ON request.job_id = job.id WHERE job.id = ?`;
