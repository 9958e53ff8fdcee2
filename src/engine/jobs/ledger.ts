import { z } from 'zod';
import type { UnitFilter } from '../../contract/activity.ts';
import { unitSchema as unitNameSchema } from '../../contract/amount.ts';
import type { CostSum } from '../../contract/costs.ts';
import { jobConditions } from './job-conditions.ts';
import { columnsOf, jobRowSchema } from './job-row.ts';
import { ServiceTables } from './transactions.ts';

/** What this engine knows to have been used of the quota in a period. */
export interface Spent {
  /** Charged, and not refunded. */
  readonly charged: number;
  /** Reserved for requests that are running or of unknown outcome. */
  readonly held: number;
}

/** What the user or the service said about the quota. */
export interface QuotaWord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /**
   * Videos used in the cycle, according to the user; `null` when the service refused for want of
   * quota.
   */
  readonly used: number | null;
  /** By how much that changed the count. */
  readonly difference: number;
}

const wordSchema = z.object({
  at: z.number(),
  used: z.int().nonnegative().nullable(),
  difference: z.int(),
});

const spentSchema = z.object({ at: z.number(), state: z.enum(['held', 'charged']) });

const videoFields = jobRowSchema.pick({
  state: true,
  remoteId: true,
  filePath: true,
  fileBytes: true,
  fileSeconds: true,
  cost: true,
  savedAt: true,
});

const NO_VIDEO = {
  state: null,
  remoteId: null,
  filePath: null,
  fileBytes: null,
  fileSeconds: null,
  cost: null,
  savedAt: null,
};

const unitSchema = z
  .object({
    id: z.int(),
    at: z.number(),
    quota: z.enum(['held', 'charged', 'refunded']),
    jobId: z.int().transform(String),
    title: z.string(),
    batchName: z.string(),
    isLatest: z.int(),
  })
  .extend(videoFields.shape)
  .transform(({ isLatest, ...row }) => ({
    ...row,
    // A job that was rendered again shows its present video, which belongs to its latest unit only.
    ...(isLatest === 1 ? {} : NO_VIDEO),
  }));

/** One unit of quota that was taken, and its outcome. */
export type QuotaUnit = Readonly<z.infer<typeof unitSchema>>;

const chargedUnitSchema = z.object({
  id: z.int(),
  at: z.number(),
  jobId: z.int(),
  batchId: z.int(),
  /** What the service said that it cost; `null` of a unit whose video was rendered again. */
  cost: jobRowSchema.shape.cost,
});

/** One unit of quota that is spent. */
export type ChargedUnit = Readonly<z.infer<typeof chargedUnitSchema>>;

const otherCostSchema = z.object({
  origin: z.string(),
  videos: z.int(),
  unit: unitNameSchema.nullable(),
  currency: z.string().nullable(),
  amount: z.number().nullable(),
});

interface ChargedQuery {
  /** The start, inclusive, and the end, exclusive, by the local clock. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly batchId?: number | undefined;
  /** Only units after this one. */
  readonly after: number;
  readonly limit: number;
}

interface UnitQuery extends UnitFilter {
  /** Only units before this one. */
  readonly before: number;
  readonly limit: number;
}

/**
 * Accounts for the quota: a hold when a request is reserved, turned into a charge when it is
 * accepted, released when it was certainly not executed, refunded when its render failed, since
 * only successful generations count (service-api.md §4.1). Runs inside the caller's transaction.
 */
export class Ledger extends ServiceTables {
  /**
   * @param at by the local clock, milliseconds since the epoch, to be shown
   * @param serviceAt by the service's clock, which decides the cycle
   */
  hold(jobId: number, at: number, serviceAt = at): void {
    this.database.insert('charge', {
      service_id: this.serviceId,
      job_id: jobId,
      at,
      service_at: serviceAt,
      state: 'held',
    });
  }

  /** @param serviceAt when the service accepted it, by its clock; as it was held when left out */
  charge(jobId: number, serviceAt?: number): void {
    if (serviceAt !== undefined) {
      this.database.run(
        "UPDATE charge SET service_at = ? WHERE job_id = ? AND state = 'held'",
        serviceAt,
        jobId,
      );
    }
    this.#turn(jobId, 'held', 'charged');
  }

  release(jobId: number): void {
    this.#turn(jobId, 'held', 'released');
  }

  refund(jobId: number): void {
    this.#turn(jobId, 'charged', 'refunded');
  }

  /** @param from inclusive, @param to exclusive; milliseconds since the epoch, service's clock */
  spent(from: number, to: number): Spent {
    const count = (state: string): string =>
      `(SELECT count(*) FROM charge WHERE service_id = ?1 AND state = '${state}'
        AND service_at >= ?2 AND service_at < ?3) AS ${state}`;
    const sql = `SELECT ${count('charged')}, ${count('held')}`;
    const found = this.database.get(sql, this.serviceId, from, to);
    return { charged: Number(found?.charged), held: Number(found?.held) };
  }

  /**
   * When each of those units was taken, by the service's clock, and whether its outcome is still
   * open. Oldest first.
   */
  spentUnits(
    from: number,
    to: number,
  ): readonly { readonly at: number; readonly state: 'held' | 'charged' }[] {
    return this.database
      .all(
        `SELECT service_at AS at, state FROM charge
          WHERE service_id = ? AND state IN ('held', 'charged')
            AND service_at >= ? AND service_at < ? ORDER BY service_at`,
        this.serviceId,
        from,
        to,
      )
      .map((row) => spentSchema.parse(row));
  }

  /** Every unit that was taken and not released, with the job that it was taken for, newest first. */
  units({ from = 0, to = Infinity, before, limit, ...filter }: UnitQuery): readonly QuotaUnit[] {
    const { sql, values } = jobConditions(filter, true);
    return this.database
      .all(
        `SELECT charge.id, charge.at, charge.state AS quota, charge.job_id AS jobId,
            job.title, batch.name AS batchName, ${columnsOf(videoFields)}, charge.id =
              (SELECT max(id) FROM charge AS one WHERE one.job_id = charge.job_id) AS isLatest
          FROM charge CROSS JOIN job ON job.id = charge.job_id
          CROSS JOIN batch ON batch.id = job.batch_id
          WHERE charge.id < ? AND charge.service_id = ? AND charge.state <> 'released'
            AND charge.at >= ? AND charge.at < ?${sql} ORDER BY charge.id DESC LIMIT ?`,
        before,
        this.serviceId,
        from,
        to,
        ...values,
        limit,
      )
      .map((row) => unitSchema.parse(row));
  }

  /** Every unit that is spent, oldest first. */
  charged({ from = 0, to = Infinity, batchId, after, limit }: ChargedQuery): ChargedUnit[] {
    return this.database
      .all(
        `SELECT charge.id, charge.at, charge.job_id AS jobId, job.batch_id AS batchId,
            CASE WHEN charge.id = (SELECT max(id) FROM charge AS one WHERE one.job_id = job.id)
              THEN job.cost END AS cost
          FROM charge CROSS JOIN job ON job.id = charge.job_id
          WHERE charge.id > ? AND charge.service_id = ? AND charge.state = 'charged'
            AND charge.at >= ? AND charge.at < ? AND (?5 IS NULL OR job.batch_id = ?5)
          ORDER BY charge.id LIMIT ?`,
        after,
        this.serviceId,
        from,
        to,
        batchId ?? null,
        limit,
      )
      .map((row) => chargedUnitSchema.parse(row));
  }

  /** What was spent at each other service of the queue, as far as those said it. */
  costsOfOthers({ from = 0, to = Infinity }: Pick<ChargedQuery, 'from' | 'to'>): CostSum[] {
    const rows = this.database
      .all(
        `SELECT service.origin, count(*) AS videos, job.cost ->> 'unit' AS unit,
            job.cost ->> 'currency' AS currency, sum(job.cost ->> 'amount') AS amount
          FROM charge JOIN job ON job.id = charge.job_id
          JOIN service ON service.id = charge.service_id
          WHERE charge.service_id <> ? AND charge.state = 'charged'
            AND charge.at >= ? AND charge.at < ?
          GROUP BY service.origin, unit, currency ORDER BY service.origin`,
        this.serviceId,
        from,
        to,
      )
      .map((row) => otherCostSchema.parse(row));
    return [...Map.groupBy(rows, ({ origin }) => origin)].map(([key, parts]) => ({
      key,
      name: null,
      videos: parts.reduce((sum, { videos }) => sum + videos, 0),
      amounts: parts.flatMap(({ unit, currency, amount }) =>
        unit === null || amount === null ? [] : [{ unit, currency, amount, estimated: false }],
      ),
    }));
  }

  /** Stores what the user or the service said about the quota. */
  record({ at, used, difference }: QuotaWord): void {
    this.database.insert('quota_word', { service_id: this.serviceId, at, used, difference });
  }

  /** @param from inclusive, @param to exclusive; oldest first */
  recorded(from: number, to: number): readonly QuotaWord[] {
    return this.database
      .all(
        `SELECT at, used, difference FROM quota_word
          WHERE service_id = ? AND at >= ? AND at < ? ORDER BY at, id`,
        this.serviceId,
        from,
        to,
      )
      .map((row) => wordSchema.parse(row));
  }

  /** A job has one open hold or charge at a time: the latest. */
  #turn(jobId: number, from: string, to: string): void {
    this.database.run(
      `UPDATE charge SET state = ? WHERE id =
        (SELECT max(id) FROM charge WHERE job_id = ? AND state = ?)`,
      to,
      jobId,
      from,
    );
  }
}
