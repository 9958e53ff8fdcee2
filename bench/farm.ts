/**
 * Measures the overhead of a service on several computers, without rendering: `npm run bench:farm`.
 *
 * 1, 2 and 4 worker processes claim videos over PostgreSQL, write two small files instead of
 * rendering, store them and finish. pg-boss does as many empty jobs with as many workers; the two
 * alternate, since other programs disturb the measurements. Both begin with a warm-up, after which
 * PostgreSQL analyses its tables. Then the same without storing files, which leaves the cost of
 * everything else.
 *
 * `SPOOL_BENCH_FILES` is the folder of the files: `/dev/shm` leaves out the cost of the disk.
 * `SPOOL_BENCH_RENDER=1` also renders, one video at a time in each process, and counts frames.
 * Targets: at least 0.6 of pg-boss's jobs a second; with an idle worker at most 500 ms from
 * accepted to claimed, for 99 of 100 videos.
 *
 * PostgreSQL runs on this computer too, and its commits are durable.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { storyboardSchema } from '../src/local-service/rendering/storyboard.ts';
import { NO_POSTGRES, postgresPrograms, PostgresServer } from '../test/rigs/postgres-server.ts';
import { runPgBoss } from './farm/pg-boss-run.ts';
import { Farm, type FarmOptions, type ProcessorTimes, processorTimesAlone } from './farm/farm.ts';
import { benchVideo } from './render/bench-video.ts';

const RATIO_TARGET = 0.6;
const CLAIM_TARGET_MS = 500;
const VIDEOS = Number(process.env.SPOOL_BENCH_VIDEOS ?? 1000);
const PROCESSES = [1, 2, 4];
const SLOTS = 4;
const REQUESTS = 8;
const SINGLE_VIDEOS = 100;
/** Videos, and jobs of pg-boss, before the measurement. */
const WARM_UP = 200;
/** Rounds of both, alternating; the median counts. */
const ROUNDS = 3;
const RENDERED_VIDEOS = 12;

interface Measured {
  readonly perSecond: number;
  /** Per video or job. */
  readonly times: ProcessorTimes;
}

const minimalStoryboard = storyboardSchema.parse({
  title: 'Bench',
  scenes: [{ kind: 'title', text: 'Bench' }],
});

/** @param times returns the processor time used so far */
async function measure(
  times: () => ProcessorTimes,
  count: number,
  run: () => Promise<void>,
): Promise<Measured> {
  const before = times();
  const start = performance.now();
  await run();
  const perSecond = (count * 1000) / (performance.now() - start);
  const after = times();
  const used = (part: keyof ProcessorTimes): number => (after[part] - before[part]) / count;
  return {
    perSecond,
    times: { api: used('api'), workers: used('workers'), postgres: used('postgres') },
  };
}

function medianOf(runs: readonly Measured[]): Measured {
  const sorted = runs.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function printTimes(what: string, { api, workers, postgres }: ProcessorTimes): void {
  const parts = [
    `Node ${api.toFixed(2)}`,
    ...(workers > 0 ? [`workers ${workers.toFixed(2)}`] : []),
    `PostgreSQL ${postgres.toFixed(2)}`,
  ];
  const sum = api + workers + postgres;
  console.log(`    ${what}: ${sum.toFixed(2)} ms of processor time (${parts.join(', ')})`);
}

/** @returns whether the targets are reached */
async function compare(name: string, options: FarmOptions): Promise<boolean> {
  const { server, processes, slots, requests } = options;
  await using farm = await Farm.open(options);
  await farm.warmUp(WARM_UP);
  const rounds: { jobs: Measured; videos: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const url = await server.createDatabase();
    const workers = processes * slots;
    rounds.push({
      jobs: await runPgBoss({ url, workers, requests, jobs: VIDEOS, warmUp: WARM_UP }, (run) =>
        measure(() => processorTimesAlone(server), VIDEOS, run),
      ),
      videos: await measure(
        () => farm.processorTimes(),
        VIDEOS,
        () => farm.render(VIDEOS),
      ),
    });
  }
  const jobs = medianOf(rounds.map((round) => round.jobs));
  const videos = medianOf(rounds.map((round) => round.videos));
  const times = await farm.claimTimes(SINGLE_VIDEOS);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  const ratio = videos.perSecond / jobs.perSecond;
  console.log(
    `${name}   ${videos.perSecond.toFixed(0).padStart(5)} videos/s   ` +
      `pg-boss alone ${jobs.perSecond.toFixed(0).padStart(5)} jobs/s   ` +
      `ratio ${ratio.toFixed(2)}   claimed after ${p99.toFixed(0)} ms (p99)`,
  );
  printTimes('a video', videos.times);
  printTimes('a job of pg-boss', jobs.times);
  return ratio >= RATIO_TARGET && p99 <= CLAIM_TARGET_MS;
}

/** Frames a second with real rendering. */
async function render(options: FarmOptions, frames: number): Promise<number> {
  await using farm = await Farm.open(options);
  // The first videos start the render processes.
  await farm.render(options.processes);
  const { perSecond } = await measure(
    () => farm.processorTimes(),
    RENDERED_VIDEOS,
    () => farm.render(RENDERED_VIDEOS),
  );
  return perSecond * frames;
}

async function main(): Promise<boolean> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(path.join(process.env.SPOOL_BENCH_FILES ?? tmpdir(), 'spool-bench-'));
  await using server = await PostgresServer.start(programs, { isDurable: true });
  const options: Omit<FarmOptions, 'processes' | 'folder'> = {
    server,
    slots: SLOTS,
    requests: REQUESTS,
    storyboard: minimalStoryboard,
    files: 'folder',
    renderer: 'none',
  };
  try {
    let isReached = true;
    for (const processes of PROCESSES) {
      const name = `${processes} × ${SLOTS} workers`;
      const taskFolder = path.join(folder, String(processes));
      isReached = (await compare(name, { ...options, processes, folder: taskFolder })) && isReached;
    }
    const taskFolder = path.join(folder, 'none');
    await compare('2 × 4, no files', {
      ...options,
      processes: 2,
      folder: taskFolder,
      files: 'none',
    });
    for (const processes of process.env.SPOOL_BENCH_RENDER === '1' ? PROCESSES : []) {
      const { storyboard, frames } = benchVideo(480, 2);
      const place = path.join(folder, `rendered-${processes}`);
      const perSecond = await render(
        { ...options, slots: 1, renderer: 'real', storyboard, processes, folder: place },
        frames,
      );
      console.log(`${processes} × 1 workers that render   ${perSecond.toFixed(0)} frames/s`);
    }
    console.log(`targets: ratio ${RATIO_TARGET}, claimed after ${CLAIM_TARGET_MS} ms`);
    return isReached;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
