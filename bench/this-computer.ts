/**
 * Compares a batch on this computer, from the moment its rows are added until the last file is
 * saved, with the render workers alone on the same videos: what noticing, links, downloads and
 * checks cost.
 *
 *     npm run bench:computer [-- --rows 40 --seconds 4 --rounds 3]
 *
 * The batch is a `spool run` in a process of its own, which starts the service as a user's does;
 * the workers render the storyboards that this service received. The two alternate, and the median
 * of the rounds' ratios counts: other programs slow both. It also compares one worker with a worker
 * for each core, and saving a finished file by a download with moving it.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { RenderPool } from '../src/local-service/rendering/render-pool.ts';
import { measureSaving } from './computer/saving.ts';
import { storyboardSchema, type Storyboard } from '../src/local-service/rendering/storyboard.ts';
import { rendersAtOnce } from '../src/local-service/renders-at-once.ts';

const GOAL = 1.15;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);
const folder = await mkdtemp(path.join(tmpdir(), 'computer-bench-'));
const batch = path.join(folder, 'batch.csv');
/** The files of the first batch. */
const saved = path.join(folder, 'saved');

/** A `spool run` with its own data folder. */
async function runBatch(dataDir: string): Promise<{ ms: number; storyboards: Storyboard[] }> {
  const main = path.join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');
  const options = ['--data-dir', dataDir, '--out', path.join(dataDir, 'files'), '--json'];
  const child = spawn(process.execPath, [main, 'run', batch, '--service', 'local', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let addedAt: number | undefined;
  let savedAt = 0;
  for await (const line of createInterface(child.stdout)) {
    addedAt ??= line.includes('"event":"job"') ? performance.now() : undefined;
    if (line.includes('"state":"done"')) savedAt = performance.now();
    if (line.includes('"event":"ended"') && !line.includes(`"saved":${rows}`))
      throw new Error(`Not all videos were saved: ${line}`);
  }
  if (addedAt === undefined) throw new Error('No video was added.');
  using database = new DatabaseSync(path.join(dataDir, 'local-service', 'service.sqlite'));
  const stored = database.prepare('SELECT storyboard FROM video ORDER BY seq').all();
  const storyboards = stored.map((row) =>
    storyboardSchema.parse(JSON.parse(String(row.storyboard))),
  );
  return { ms: savedAt - addedAt, storyboards };
}

/** Workers start on demand, as in the service. */
async function renderAlone(storyboards: readonly Storyboard[], workers: number): Promise<number> {
  const pool = new RenderPool({ workers });
  const start = performance.now();
  await Promise.all(
    storyboards.map((storyboard, index) => {
      const file = path.join(folder, `alone-${index}`);
      const paths = { videoPath: `${file}.mp4`, posterPath: `${file}.jpg` };
      return pool.render({ storyboard, ...paths }, () => undefined);
    }),
  );
  const ms = performance.now() - start;
  await pool.close();
  return ms;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;

try {
  const lines = Array.from({ length: rows }, (_, row) => `Row ${row + 1},${values.seconds},480`);
  await writeFile(batch, ['title,seconds,resolution', ...lines].join('\n'));
  const several = availableParallelism();
  const workers = rendersAtOnce();
  const batches: number[] = [];
  const alone: number[] = [];
  const one: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = path.join(folder, `data-${round}`);
    const { ms, storyboards } = await runBatch(dataDir);
    batches.push(ms);
    if (round === 0) await rename(path.join(dataDir, 'files'), saved);
    one.push(await renderAlone(storyboards, 1));
    many.push(await renderAlone(storyboards, several));
    alone.push((workers === 1 ? one : many)[round] ?? NaN);
    await rm(dataDir, { recursive: true, force: true });
  }
  console.log(
    `${rows} videos of ${values.seconds} s at 480p; ${rounds} rounds, median; ${several} cores`,
  );
  console.log(`  1 worker alone     ${inSeconds(median(one))}`);
  console.log(`  ${several} workers alone    ${inSeconds(median(many))}`);
  const ratios = batches.map((ms, round) => ms / (alone[round] ?? NaN));
  const ratio = median(ratios);
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const besides = median(batches.map((ms, round) => (ms - (alone[round] ?? NaN)) / rows));
  const isMet = ratio <= GOAL ? 'met' : 'not met';
  console.log(
    `  spool run          ${inSeconds(median(batches))}   from the added rows to the last file`,
  );
  console.log(
    `  ratio              ${ratio.toFixed(2).padStart(7)}     of spool run to ${workers} workers alone, in the same round (${range})`,
  );
  console.log(`                                 goal: at most ${GOAL}, ${isMet}`);
  console.log(
    `  besides rendering  ${besides.toFixed(0).padStart(7)} ms  a video: requests, status, links, downloads, checks`,
  );
  const names = await readdir(saved, { recursive: true });
  const files = names.filter((name) => name.endsWith('.mp4')).map((name) => path.join(saved, name));
  const saving = await measureSaving(files, path.join(folder, 'saving'));
  const perVideo = median(alone) / rows;
  const share = ((saving.download - saving.move) / perVideo) * 100;
  console.log(
    `saving a finished file of ${(saving.bytes / 1024).toFixed(0)} KiB, one at a time, median:`,
  );
  console.log(`  link and download  ${saving.download.toFixed(1).padStart(7)} ms`);
  console.log(
    `  move with checks   ${saving.move.toFixed(1).padStart(7)} ms   the difference is ${share.toFixed(1)} % of the ${perVideo.toFixed(0)} ms a video`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
