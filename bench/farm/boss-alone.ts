import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { forEach } from './for-each.ts';

export interface BossRun {
  /** A new database. */
  readonly url: string;
  readonly workers: number;
  /** Jobs that are sent side by side. */
  readonly requests: number;
  readonly jobs: number;
  /** Jobs before those that are measured. */
  readonly warmUp: number;
}

/** Runs empty jobs of pg-boss, sent and worked at the same time. `measure` is given the jobs that count. */
export async function bossAlone<Result>(
  { url, workers, requests, jobs, warmUp }: BossRun,
  measure: (run: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const boss = new PgBoss({ connectionString: url, max: workers + requests });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  const run = async (count: number): Promise<void> => {
    let done = 0;
    const work = async (): Promise<void> => {
      while (done < count) {
        const [job] = await boss.fetch('empty');
        if (!job) {
          await delay(1);
          continue;
        }
        await boss.complete('empty', job.id);
        done += 1;
      }
    };
    await Promise.all([
      forEach(count, requests, (index) => boss.send('empty', { video: String(index) })),
      ...Array.from({ length: workers }, work),
    ]);
  };
  try {
    await boss.createQueue('empty');
    await run(warmUp);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('ANALYZE');
    await client.end();
    return await measure(() => run(jobs));
  } finally {
    await boss.stop({ graceful: false });
  }
}
