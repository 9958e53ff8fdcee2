import { z } from 'zod';
import type { ActivityEntry, ActivityFilter, ActivityKind } from '../../contract/activity.ts';
import { JOB_STATES, type JobState } from '../../contract/job-states.ts';
import { eventOf, kindOf, movesOfKinds } from './job-events.ts';
import { jobConditions } from './job-conditions.ts';
import { ServiceTables, type SqlRow } from './transactions.ts';
import { messageColumns, messageIn } from './stored-values.ts';

/** Fewer jobs than this are looked up one by one; with more, a scan backwards soon finds enough. */
const FEW_JOBS = 10_000;

const MOVE_COLUMNS = `h.at, h.job_id, h.step, h.from_state, h.to_state, h.note, h.says,
  job.title, job.batch_id, batch.name AS batch_name,
  CASE WHEN h.to_state IN ('failed', 'rejected') THEN (
    SELECT charge.state FROM charge WHERE charge.job_id = h.job_id AND charge.at <= h.at
    ORDER BY charge.id DESC LIMIT 1) END AS charge`;

// The joins are in the order that is cheap, which SQLite keeps for CROSS JOIN.
const MOVES_BY_TIME = `SELECT ${MOVE_COLUMNS} FROM history h INDEXED BY history_time
  CROSS JOIN job ON job.id = h.job_id CROSS JOIN batch ON batch.id = job.batch_id`;

const MOVES_BY_JOB = `SELECT ${MOVE_COLUMNS} FROM json_each(?) AS few
  CROSS JOIN job ON job.id = few.value CROSS JOIN history h ON h.job_id = job.id
  CROSS JOIN batch ON batch.id = job.batch_id`;

/**
 * A step that repeats an earlier one and adds nothing: a request that was put back for the same
 * reason as last time, or a finished video that still has no link.
 */
const REPEATS = `(
  (h.from_state = 'sending' AND h.to_state = 'queued' OR
    h.from_state IN ('ready', 'rendering') AND h.to_state IN ('ready', 'rendering'))
  AND EXISTS (SELECT 1 FROM history AS earlier WHERE earlier.job_id = h.job_id
    AND earlier.step = h.step - CASE h.from_state WHEN 'sending' THEN 3 ELSE 2 END
    AND earlier.from_state = h.from_state AND earlier.to_state = h.to_state
    AND earlier.note IS h.note))`;

/** The release of a row that waited, by the undo of its cancelling: it was put back on hold first. */
const RELEASED_BY_UNDO = `(h.from_state = 'held' AND h.to_state = 'queued' AND EXISTS (
  SELECT 1 FROM history AS earlier WHERE earlier.job_id = h.job_id AND earlier.step = h.step - 1
    AND earlier.from_state = 'cancelled' AND earlier.at = h.at))`;

/** Within the period, before the cursor, no repetition and no half of an undo. */
const BEFORE = `h.at >= ? AND h.at < ? AND (h.at, h.job_id, h.step) < (?, ?, ?)
  AND NOT ${REPEATS} AND NOT ${RELEASED_BY_UNDO}`;

/**
 * A cursor of the log: entries are ordered by time, then by job, then by step. A quota event has
 * job 0 and the number of its row as the step; a job's arrival is its step 0.
 */
export type ActivityPlace = readonly [at: number, job: number, step: number];

export interface ActivityQuery extends ActivityFilter {
  /** Only entries before this cursor. */
  readonly before?: ActivityPlace | undefined;
  readonly limit: number;
}

/** An entry with its cursor, which the entry itself does not contain. */
export interface PlacedEntry {
  readonly place: ActivityPlace;
  readonly entry: ActivityEntry;
}

const state = z.enum(JOB_STATES);

const rowSchema = z.object({
  at: z.number(),
  job_id: z.int(),
  step: z.int(),
  from_state: state.nullable(),
  to_state: state,
  ...messageColumns,
  title: z.string(),
  batch_id: z.int(),
  batch_name: z.string(),
  /** Of the unit of a video that failed or was refused. */
  charge: z.enum(['held', 'charged', 'released', 'refunded']).nullable(),
});

const quotaRowSchema = z.object({
  at: z.number(),
  id: z.int(),
  used: z.int().nullable(),
  difference: z.int(),
});

const AFTER_ALL: ActivityPlace = [Number.MAX_SAFE_INTEGER, 0, 0];

/** What happened to one service's jobs and quota, read newest first and page by page. */
export class ActivityLog extends ServiceTables {
  /** Newest first, at most `limit`. */
  page(query: ActivityQuery): readonly PlacedEntry[] {
    return [...this.#moves(query), ...this.#arrivals(query), ...this.#quota(query)]
      .toSorted((one, other) => comparePlaces(other.place, one.place))
      .slice(0, query.limit);
  }

  #moves(query: ActivityQuery): PlacedEntry[] {
    const moves = [...movesOfKinds((kind) => wants(query, kind))];
    const { sql, values } = jobConditions(query, true);
    const few = sql === '' ? null : this.#fewJobs(sql, values);
    const rows =
      few === null
        ? moves.flatMap(([to, from]) =>
            this.database.all(
              `${MOVES_BY_TIME} WHERE h.to_state = ?
                AND h.from_state IN (SELECT value FROM json_each(?))
                AND ${BEFORE} AND job.service_id = ? ${sql}
                ORDER BY h.at DESC, h.job_id DESC, h.step DESC LIMIT ?`,
              to,
              JSON.stringify(from),
              ...range(query),
              this.serviceId,
              ...values,
              query.limit,
            ),
          )
        : this.database.all(
            `${MOVES_BY_JOB}
              WHERE h.from_state || ' ' || h.to_state IN (SELECT value FROM json_each(?))
              AND ${BEFORE} ORDER BY h.at DESC, h.job_id DESC, h.step DESC LIMIT ?`,
            JSON.stringify(few),
            JSON.stringify(moves.flatMap(wordsOf)),
            ...range(query),
            query.limit,
          );
    return rows.map(moveEntry);
  }

  /** The jobs that match a condition; `null` when they are many. */
  #fewJobs(sql: string, values: readonly (string | number)[]): number[] | null {
    const found = this.database.all(
      `SELECT id FROM job WHERE service_id = ? ${sql} LIMIT ?`,
      this.serviceId,
      ...values,
      FEW_JOBS + 1,
    );
    return found.length > FEW_JOBS ? null : found.map(({ id }) => Number(id));
  }

  #arrivals(query: ActivityQuery): PlacedEntry[] {
    if (!wants(query, 'added')) return [];
    const { sql, values } = jobConditions(query, true);
    return this.database
      .all(
        `SELECT job.added_at AS at, job.id AS job_id, 0 AS step, NULL AS from_state, coalesce(
              (SELECT from_state FROM history WHERE job_id = job.id ORDER BY step LIMIT 1),
              job.state) AS to_state,
            NULL AS note, NULL AS says, job.title, job.batch_id, batch.name AS batch_name, NULL AS charge
          FROM job INDEXED BY job_added CROSS JOIN batch ON batch.id = job.batch_id
          WHERE job.added_at >= ? AND job.added_at < ? AND (job.added_at, job.id, 0) < (?, ?, ?)
            AND job.service_id = ? ${sql}
          ORDER BY job.added_at DESC, job.id DESC LIMIT ?`,
        ...range(query),
        this.serviceId,
        ...values,
        query.limit,
      )
      .map(moveEntry);
  }

  #quota(query: ActivityQuery): PlacedEntry[] {
    if (query.batchId !== undefined || query.search) return [];
    const kinds = (['quota-corrected', 'quota-refused'] as const).filter((kind) =>
      wants(query, kind),
    );
    return this.database
      .all(
        `SELECT at, id, used, difference FROM quota_word
          WHERE at >= ? AND at < ? AND (at, 0, id) < (?, ?, ?) AND service_id = ?
          ORDER BY at DESC, id DESC`,
        ...range(query),
        this.serviceId,
      )
      .map(quotaEntry)
      .filter(({ entry }) => kinds.some((kind) => kind === entry.kind));
  }
}

function wordsOf([to, from]: readonly [JobState, readonly JobState[]]): string[] {
  return from.map((state) => `${state} ${to}`);
}

function wants({ kinds }: ActivityQuery, kind: ActivityKind): boolean {
  return kinds?.includes(kind) ?? true;
}

function range({ from = 0, to, before = AFTER_ALL }: ActivityQuery): number[] {
  const [at] = before;
  // The index is entered by the limit on the time alone.
  return [from, Math.min(to ?? Infinity, at + 1), ...before];
}

function comparePlaces(one: ActivityPlace, other: ActivityPlace): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function moveEntry(sqlRow: SqlRow): PlacedEntry {
  const row = rowSchema.parse(sqlRow);
  const { at, job_id, step, from_state: from, to_state: to } = row;
  const note = messageIn(row);
  const event = eventOf(from, to, note);
  const kind = event && kindOf(event);
  if (event === null || kind === null) throw new Error(`From ${from} to ${to} is not listed.`);
  return {
    place: [at, job_id, step],
    entry: {
      id: `${job_id}-${step}`,
      at,
      kind,
      job: {
        id: String(job_id),
        title: row.title,
        batchId: String(row.batch_id),
        batchName: row.batch_name,
        from,
        to,
        event,
      },
      note,
      units: unitsOf(from, to, row.charge),
      used: null,
    },
  };
}

/**
 * A unit is taken when the service accepts a request or charges for its refusal, or when the user
 * abandons one whose outcome is unknown. It is returned when the render fails, or is refused for
 * free.
 */
function unitsOf(
  from: JobState | null,
  to: JobState,
  charge: z.infer<typeof rowSchema>['charge'],
): number {
  if (to === 'submitted' || (from === 'uncertain' && to === 'abandoned')) return 1;
  if (from === 'sending') return charge === 'charged' ? 1 : 0;
  const isAtService = from === 'submitted' || from === 'rendering';
  return isAtService && charge === 'refunded' ? -1 : 0;
}

function quotaEntry(sqlRow: SqlRow): PlacedEntry {
  const { at, id, used, difference } = quotaRowSchema.parse(sqlRow);
  return {
    place: [at, 0, id],
    entry: {
      id: `quota-${id}`,
      at,
      kind: used === null ? 'quota-refused' : 'quota-corrected',
      job: null,
      note: null,
      units: difference,
      used,
    },
  };
}
