import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Collision } from '../../../src/contract/batch.ts';
import type { JobState } from '../../../src/contract/job-states.ts';

/** A row of the queue on disk. */
export interface QueuedRow {
  readonly id: number;
  readonly origin: string;
  readonly state: JobState;
  readonly title: string;
  readonly body: string;
  readonly remoteId: string | null;
  readonly filePath: string | null;
  /** The target path of its file. */
  readonly target: string | null;
  readonly onCollision: Collision;
  readonly attempts: number;
  /** When its last request was sent, by the computer's clock of that time. */
  readonly lastAttemptAt: number | null;
  readonly failure: string | null;
}

/** Reads the queue's database without the engine: the state that a kill would leave. */
export class QueueReader {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** What was read, by statement and value, since another connection committed for the last time. */
  readonly #read = new Map<string, readonly Record<string, unknown>[]>();
  #version: unknown = null;

  constructor(folder: string) {
    this.#database = new DatabaseSync(path.join(folder, 'spool.db'), {
      readOnly: true,
      timeout: 5000,
    });
  }

  /** The first row in the queue; `null` when none waits to be sent. */
  firstQueued(origin: string): number | null {
    const [row] = this.#all(
      `SELECT job.id FROM job JOIN service ON service.id = service_id
        WHERE origin = ? AND state = 'queued' ORDER BY priority DESC, position LIMIT 1`,
      origin,
    );
    return row ? Number(row.id) : null;
  }

  /** How many rows there are in each state. */
  counts(origin: string): ReadonlyMap<JobState, number> {
    const rows = this.#all(
      `SELECT state, count(*) AS count FROM job JOIN service ON service.id = service_id
        WHERE origin = ? GROUP BY state`,
      origin,
    );
    return new Map(rows.map(({ state, count }) => [state as JobState, Number(count)]));
  }

  rows(origin?: string): readonly QueuedRow[] {
    return this.#all(
      `SELECT job.id, origin, state, title, body, remote_id AS remoteId, file_path AS filePath,
          folder || '/' || file_name AS target, on_collision AS onCollision, failure, (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS attempts,
          (SELECT max(started_at) FROM attempt WHERE attempt.job_id = job.id) AS lastAttemptAt
        FROM job JOIN request ON request.job_id = job.id JOIN batch ON batch.id = batch_id
          JOIN service ON service.id = job.service_id
        WHERE ?1 IS NULL OR origin = ?1 ORDER BY job.id`,
      origin ?? null,
    ) as unknown as readonly QueuedRow[];
  }

  /** The number of stored attempts: each is stored before its request is sent. */
  attempts(): number {
    return Number(this.#statement('SELECT count(*) AS count FROM attempt').get()?.count);
  }

  close(): void {
    this.#database.close();
  }

  /** All rows; read again only after a commit: the invariants ask far more often than rows change. */
  #all(sql: string, value: string | null): readonly Record<string, unknown>[] {
    const version = this.#statement('PRAGMA data_version').get()?.data_version;
    if (version !== this.#version) this.#read.clear();
    this.#version = version;
    const key = `${sql}\n${value}`;
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const rows = this.#statement(sql).all(value);
    this.#read.set(key, rows);
    return rows;
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
