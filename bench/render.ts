/**
 * Compares the renderer's frames per second with the ffmpeg command line, which draws and encodes a
 * similar video: same size, rate, bit rate and length, a slowly moving gradient, text that rises
 * and fades in, AAC sound; libx264 at its default preset (medium).
 *
 *     npm run bench:render [-- --seconds 24 --rounds 3]
 *
 * The two alternate, and the median of the rounds counts. Both use every core for encoding. The
 * throughput of one worker is also compared with several workers' at the same time. Then libx264
 * encodes our pictures, drawn without loss, at the rate of our file, and the SSIM of both with the
 * drawn pictures is printed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { RenderPool } from '../src/local-service/rendering/render-pool.ts';
import { ffmpegRender } from './render/ffmpeg-render.ts';
import { benchVideo, type BenchVideo } from './render/bench-video.ts';
import { encodeAgain, qualityOf, writeLossless, type Quality } from './render/quality.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const folder = await mkdtemp(path.join(tmpdir(), 'render-bench-'));

async function framesASecond(frames: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return frames / ((performance.now() - start) / 1000);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

async function renderAll(pool: RenderPool, video: BenchVideo, videos: number): Promise<void> {
  await Promise.all(
    Array.from({ length: videos }, (_, i) =>
      pool.render(
        {
          storyboard: video.storyboard,
          videoPath: path.join(folder, `spool-${i}.mp4`),
          posterPath: path.join(folder, `spool-${i}.jpg`),
        },
        () => undefined,
      ),
    ),
  );
}

/** A pool whose workers have started, since a service starts them only once. */
async function warmPool(workers: number): Promise<RenderPool> {
  const pool = new RenderPool({ workers });
  await renderAll(pool, benchVideo(480, 2), workers);
  return pool;
}

async function compare(resolution: 720 | 1080): Promise<void> {
  const video = benchVideo(resolution, seconds);
  const several = Math.max(2, availableParallelism() - 1);
  const measured: Record<'ffmpeg' | 'one' | 'several', number[]> = {
    ffmpeg: [],
    one: [],
    several: [],
  };
  const [one, many] = [await warmPool(1), await warmPool(several)];
  for (let round = 0; round < rounds; round++) {
    const file = path.join(folder, 'ffmpeg.mp4');
    measured.ffmpeg.push(await framesASecond(video.frames, () => ffmpegRender(video, file)));
    measured.one.push(await framesASecond(video.frames, () => renderAll(one, video, 1)));
    const frames = video.frames * several;
    measured.several.push(await framesASecond(frames, () => renderAll(many, video, several)));
  }
  await one.close();
  await many.close();
  const ffmpeg = median(measured.ffmpeg);
  const alone = median(measured.one);
  const together = median(measured.several);
  const size = `${video.width}×${video.height}`;
  console.log(
    `${size} at ${video.fps} fps, ${(video.bitrate / 1e6).toFixed(1)} Mbit/s, ${seconds} s`,
  );
  console.log(`  ffmpeg               ${ffmpeg.toFixed(1).padStart(7)} frames/s`);
  console.log(
    `  Spool, 1 worker      ${alone.toFixed(1).padStart(7)} frames/s   ${(alone / ffmpeg).toFixed(2)} × ffmpeg`,
  );
  console.log(
    `  Spool, ${several} workers     ${together.toFixed(1).padStart(7)} frames/s   ${(together / alone).toFixed(2)} × 1 worker`,
  );
}

/** Without sound, so that the rate is the pictures'. */
async function compareQuality(video: BenchVideo): Promise<void> {
  const [lossless, again] = [path.join(folder, 'drawn.mkv'), path.join(folder, 'again.mp4')];
  const silent = { ...video, storyboard: { ...video.storyboard, soundtrack: 'none' as const } };
  const pool = await warmPool(1);
  await renderAll(pool, silent, 1);
  await pool.close();
  await writeLossless(video, lossless);
  const own = await qualityOf(path.join(folder, 'spool-0.mp4'), lossless, video);
  const line = (name: string, { ssim, rate }: Quality) => {
    console.log(`  ${name.padEnd(20)} SSIM ${ssim.toFixed(4)}   ${rate.toFixed(0)} kbit/s`);
  };
  line('Spool', own);
  for (const preset of ['veryfast', 'medium']) {
    await encodeAgain(lossless, again, { preset, rate: own.rate });
    line(`libx264 ${preset}`, await qualityOf(again, lossless, video));
  }
}

try {
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${rounds} rounds, median; ${availableParallelism()} cores, load ${load}`);
  await compare(720);
  await compareQuality(benchVideo(720, Math.min(8, seconds)));
  await compare(1080);
} finally {
  await rm(folder, { recursive: true, force: true });
}
