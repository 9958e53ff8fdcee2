import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JobState } from '../../../../src/contract/job-states.ts';

/** One row of the queue on disk. */
export interface RowOnDisk {
  readonly id: number;
  readonly origin: string;
  readonly state: JobState;
  readonly body: string;
  readonly remoteId: string | null;
  readonly filePath: string | null;
  readonly fileSha256: string | null;
  readonly renameTo: string | null;
  readonly priority: number;
  readonly position: number;
  readonly isArchived: 0 | 1;
}

/** What a data folder holds, read past the engine: only this would be left if it died now. */
export interface Disk {
  readonly rows: readonly RowOnDisk[];
  readonly attempts: readonly { job: number; startedAt: number; endedAt: number | null }[];
  readonly charges: readonly { job: number; state: string }[];
  readonly history: readonly { job: number; from: JobState; to: JobState; at: number }[];
  /** By origin and name. */
  readonly notes: ReadonlyMap<string, string>;
  /** What the second record of sent requests has. */
  readonly journal: readonly { job: number; at: number }[];
}

export function readDisk(folder: string): Disk {
  const database = new DatabaseSync(path.join(folder, 'spool.db'), { readOnly: true });
  try {
    const all = (sql: string): unknown[] => database.prepare(sql).all();
    const notes = all(
      `SELECT origin || ' ' || name AS name, value
        FROM note JOIN service ON service.id = service_id`,
    ) as { name: string; value: string }[];
    return {
      rows: all(
        `SELECT job.id, origin, state, body, remote_id AS remoteId, file_path AS filePath,
            file_sha256 AS fileSha256, rename_to AS renameTo, priority, position,
            archived_at IS NOT NULL AS isArchived
          FROM job JOIN request ON job_id = job.id JOIN service ON service.id = service_id
          ORDER BY priority DESC, position`,
      ) as RowOnDisk[],
      attempts: all(
        `SELECT job_id AS job, started_at AS startedAt, ended_at AS endedAt FROM attempt
          WHERE outcome IS NOT 'not-sent' ORDER BY id`,
      ) as Disk['attempts'],
      charges: all('SELECT job_id AS job, state FROM charge ORDER BY id') as Disk['charges'],
      history: all(
        `SELECT job_id AS job, from_state AS "from", to_state AS "to", at
          FROM history ORDER BY job_id, step`,
      ) as Disk['history'],
      notes: new Map(notes.map(({ name, value }) => [name, value])),
      journal: readJournal(path.join(folder, 'sent.log')),
    };
  } finally {
    database.close();
  }
}

function readJournal(file: string): Disk['journal'] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { job: number; at: number });
}
