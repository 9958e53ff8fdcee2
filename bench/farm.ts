/**
 * What the engine of a service on several computers costs by itself: `npm run bench:farm`.
 *
 * Videos are accepted, claimed, stored as files and finished, over PostgreSQL, by 1, 2 and 4 worker
 * processes whose renderer only writes two small files. pg-boss alone does as many empty jobs in
 * turns with them, with as many processes' worth of workers, since a machine is never quiet for long.
 * `SPOOL_BENCH_FILES` says where the files are: `/dev/shm` for a store whose disk costs nothing.
 * Targets: at least 0.6 of pg-boss's jobs a second; with an idle worker at most 500 ms from
 * accepted to claimed, for 99 of 100 videos.
 *
 * PostgreSQL runs on this computer as well, and keeps what it commits.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Account } from '../src/local-service/accounts/account.ts';
import { systemClock } from '../src/local-service/clock.ts';
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from '../src/local-service/postgres/postgres-stores.ts';
import { storyboardSchema } from '../src/local-service/rendering/storyboard.ts';
import { NO_POSTGRES, postgresPrograms, PostgresServer } from '../test/rigs/postgres-server.ts';

const RATIO_TARGET = 0.6;
const CLAIM_TARGET_MS = 500;
const VIDEOS = Number(process.env.SPOOL_BENCH_VIDEOS ?? 1000);
const PROCESSES = [1, 2, 4];
const SLOTS = 4;
const ACCOUNTS = 20;
/** Requests in flight while videos are accepted. */
const REQUESTS = 8;
const SINGLE_VIDEOS = 100;
/** Of each, in turns; the median counts. */
const ROUNDS = 3;

const WORKER = path.join(import.meta.dirname, 'farm', 'worker.ts');
const storyboard = storyboardSchema.parse({
  title: 'Bench',
  scenes: [{ kind: 'title', text: 'Bench' }],
});
const onError = (error: unknown): void => console.error(error);

/** Runs `work` for 0 … `count` - 1, with so many at a time. */
async function forEach(
  count: number,
  atATime: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atATime }, run));
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Empty jobs a second, sent and worked at the same time. */
async function bossAlone(url: string, workers: number): Promise<number> {
  const boss = new PgBoss({ connectionString: url, max: workers + REQUESTS });
  boss.on('error', onError);
  await boss.start();
  try {
    await boss.createQueue('empty');
    const start = performance.now();
    let done = 0;
    const work = async (): Promise<void> => {
      while (done < VIDEOS) {
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
      forEach(VIDEOS, REQUESTS, (index) => boss.send('empty', { video: String(index) })),
      ...Array.from({ length: workers }, work),
    ]);
    return (VIDEOS * 1000) / (performance.now() - start);
  } finally {
    await boss.stop({ graceful: false });
  }
}

class Farm implements AsyncDisposable {
  readonly #children: ChildProcess[] = [];
  readonly #url: string;
  readonly #folder: string;
  readonly stores: PostgresStores;
  readonly accounts: readonly Account[];
  readonly #server: PostgresServer;

  private constructor(
    server: PostgresServer,
    url: string,
    folder: string,
    stores: PostgresStores,
    accounts: readonly Account[],
  ) {
    this.#server = server;
    this.#url = url;
    this.#folder = folder;
    this.stores = stores;
    this.accounts = accounts;
  }

  static async open(server: PostgresServer, folder: string): Promise<Farm> {
    const url = await server.createDatabase();
    mkdirSync(folder);
    await migratePostgres({ url, onError });
    const stores = await openPostgresStores({
      url,
      clock: systemClock,
      window: 'fixed',
      slots: 0,
      maxConnections: REQUESTS + 2,
      onError,
    });
    const accounts: Account[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const email = `bench-${index}@example.com`;
      accounts.push(await stores.accounts.add({ email, plan: 'business' }));
    }
    return new Farm(server, url, folder, stores, accounts);
  }

  async startWorkers(processes: number, slots: number): Promise<void> {
    for (let index = 0; index < processes; index += 1) {
      const child = spawn(
        process.execPath,
        [WORKER, this.#folder, path.join(this.#folder, `.worker-${index}`), String(slots)],
        {
          env: { ...process.env, SPOOL_SERVICE_DATABASE: this.#url },
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      );
      this.#children.push(child);
      await once(child.stdout, 'data');
    }
  }

  async accept(index: number): Promise<string> {
    const account = this.accounts[index % ACCOUNTS]!;
    const accepted = await this.stores.videos.accept(account, storyboard, 5);
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    return accepted.id;
  }

  async finished(): Promise<number> {
    const [row] = await this.#server.query(
      "SELECT count(*)::int AS n FROM spool.video WHERE state = 'done'",
      this.#url,
    );
    return Number(row?.n);
  }

  async untilFinished(videos: number): Promise<void> {
    while ((await this.finished()) < videos) await delay(20);
  }

  /** Videos a second, accepted and worked at the same time. */
  async throughput(): Promise<number> {
    const before = await this.finished();
    const start = performance.now();
    await forEach(VIDEOS, REQUESTS, (index) => this.accept(index));
    await this.untilFinished(before + VIDEOS);
    return (VIDEOS * 1000) / (performance.now() - start);
  }

  /** Milliseconds from the acceptance of a video to its claim by an idle worker, sorted. */
  async claimTimes(): Promise<number[]> {
    const times: number[] = [];
    for (let index = 0; index < SINGLE_VIDEOS; index += 1) {
      const account = this.accounts[index % ACCOUNTS]!;
      const id = await this.accept(index);
      const start = performance.now();
      for (;;) {
        const video = await this.stores.videos.find(account, id);
        if (video?.state !== 'queued') break;
        await delay(1);
      }
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    }
    await this.stores.close();
  }
}

async function main(): Promise<boolean> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(path.join(process.env.SPOOL_BENCH_FILES ?? tmpdir(), 'spool-bench-'));
  await using server = await PostgresServer.start(programs, { isDurable: true });
  try {
    let isReached = true;
    for (const processes of PROCESSES) {
      await using farm = await Farm.open(server, path.join(folder, String(processes)));
      await farm.startWorkers(processes, SLOTS);
      const rounds: { alone: number; videos: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({
          alone: await bossAlone(await server.createDatabase(), processes * SLOTS),
          videos: await farm.throughput(),
        });
      }
      const alone = medianOf(rounds.map((round) => round.alone));
      const videos = medianOf(rounds.map((round) => round.videos));
      const times = await farm.claimTimes();
      const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
      const ratio = videos / alone;
      console.log(
        `${processes} × ${SLOTS} workers   ${videos.toFixed(0).padStart(5)} videos/s   ` +
          `pg-boss alone ${alone.toFixed(0).padStart(5)} jobs/s   ratio ${ratio.toFixed(2)}   ` +
          `claimed after ${p99.toFixed(0)} ms (p99)`,
      );
      isReached &&= ratio >= RATIO_TARGET && p99 <= CLAIM_TARGET_MS;
    }
    console.log(`targets: ratio ${RATIO_TARGET}, claimed after ${CLAIM_TARGET_MS} ms`);
    return isReached;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
