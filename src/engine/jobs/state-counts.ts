import { z } from 'zod';
import { JOB_STATES, type JobState } from '../../contract/job-states.ts';
import type { JobCounts } from '../../contract/batch.ts';
import type { Transactions } from './transactions.ts';

const countRowSchema = z.object({
  batch_id: z.int(),
  state: z.enum(JOB_STATES),
  jobs: z.int(),
});

export function noCounts(): JobCounts {
  return Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as JobCounts;
}

/** How many jobs that are not archived are in each state, kept in memory so that no summary has to count 100,000 rows. */
export class StateCounts {
  readonly #total = noCounts();
  readonly #byBatch = new Map<number, JobCounts>();

  constructor(database: Transactions, serviceId: number) {
    const rows = database.all(
      `SELECT batch_id, state, count(*) AS jobs FROM job
        WHERE service_id = ? AND archived_at IS NULL GROUP BY state, batch_id`,
      serviceId,
    );
    for (const row of rows) {
      const { batch_id, state, jobs } = countRowSchema.parse(row);
      this.add(batch_id, state, jobs);
    }
  }

  get total(): Readonly<JobCounts> {
    return this.#total;
  }

  of(batchId: number): Readonly<JobCounts> {
    return this.#byBatch.get(batchId) ?? noCounts();
  }

  /** Whether a batch has a job that is not archived. */
  has(batchId: number): boolean {
    return Object.values(this.of(batchId)).some((jobs) => jobs > 0);
  }

  sum(states: readonly JobState[]): number {
    return states.reduce((sum, state) => sum + this.#total[state], 0);
  }

  add(batchId: number, state: JobState, jobs: number): void {
    let counts = this.#byBatch.get(batchId);
    if (!counts) {
      counts = noCounts();
      this.#byBatch.set(batchId, counts);
    }
    counts[state] += jobs;
    this.#total[state] += jobs;
  }
}
