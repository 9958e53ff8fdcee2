import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { forEach } from './for-each.ts';

export interface PgBossRun {
  /** A new, empty database. */
  readonly url: string;
  readonly workers: number;
  /** Jobs sent at the same time. */
  readonly requests: number;
  readonly jobs: number;
  /** Jobs before the measurement. */
  readonly warmUp: number;
}

/** Sends and completes empty jobs of pg-boss at the same time; `measure` runs those that count. */
export async function runPgBoss<Result>(
  { url, workers, requests, jobs, warmUp }: PgBossRun,
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
