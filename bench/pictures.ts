/**
 * Measures a table of 500 rows with photos of 12 megapixels each: `npm run bench:pictures`.
 *
 * Targets: the check reads each file once, at the speed of reading and hashing it; memory stays
 * flat, so few pictures are in memory at a time (150 MiB more than before); the 20 thumbnails of a
 * screen are there within 2 s, whether or not the photos contain previews as those of cameras do; a
 * check that finds the files unchanged takes 250 ms. The time for thumbnails includes the start of
 * the processes that decode.
 *
 * Then the page shows the table with these thumbnails, and is scrolled to the end and back, three
 * times. Targets: the first screen has its thumbnails 2 s after the file was chosen; the third time
 * leaves at most 10 MiB more than the first in the app and in the page. The app's figure includes
 * what builds and drives the page here.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hash } from 'node:crypto';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { BatchReadings } from '../src/engine/intake/batch-readings.ts';
import { storyboardProfile } from '../src/engine/profiles/storyboard.ts';
import { DECODER_FILE, decoderInNode } from '../src/host/posters/decoder-process.ts';
import { PictureFitter } from '../src/host/posters/picture-fitter.ts';
import { Thumbnails, THUMBNAILS_AT_ONCE } from '../src/host/thumbnails.ts';
import { scrollTable } from './pictures/scrolled-table.ts';
import { jpegWithPreview } from '../test/rigs/pictures.ts';

const ROWS = 500;
const SCREEN = 20;
const MIB = 1024 ** 2;

/** A photo with as much detail as one of a phone, if it has 4032 × 3024 pixels. */
function photo(width: number, height: number): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let index = 0; index < 60_000; index += 1) {
    context.fillStyle = `oklch(${0.2 + ((index * 37) % 70) / 100} 0.1 ${(index * 61) % 360})`;
    context.fillRect((index * 7919) % width, (index * 104_729) % height, 40, 25);
  }
  return canvas.toBuffer('image/jpeg', 90);
}

const names = Array.from({ length: ROWS }, (_, index) => `Photo ${index + 1}.jpg`);

function writePhotos(folder: string): void {
  const jpeg = photo(4032, 3024);
  const withPreview = jpegWithPreview(jpeg, photo(160, 120), 6);
  // Decoders ignore what follows the end of the picture; its hash is another one.
  names.forEach((name, index) => {
    const bytes = index < SCREEN ? jpeg : withPreview;
    writeFileSync(path.join(folder, name), Buffer.concat([bytes, Buffer.from(String(index))]));
  });
}

const [, , toWrite] = process.argv;
if (toWrite !== undefined) {
  writePhotos(toWrite);
  process.exit();
}

const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-pictures-'));
try {
  // In another process, whose memory does not count.
  execFileSync(process.execPath, [import.meta.filename, folder]);
  const size = statSync(path.join(folder, names[0] ?? '')).size;
  // Into the same memory each time, which the process would otherwise keep.
  const bytes = Buffer.alloc(size + names.length);
  const bare = timed(() => {
    for (const name of names) {
      const opened = openSync(path.join(folder, name), 'r');
      hash('sha256', bytes.subarray(0, readSync(opened, bytes)));
      closeSync(opened);
    }
  });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const readings = new BatchReadings();
  const content = ['title,picture', ...names.map((name, index) => `Row ${index + 1},${name}`)];
  const source = { name: 'Photos.csv', content: content.join('\n'), folder };
  const read = () => readings.read(source, storyboardProfile.request);
  const first = await timedAsync(read);
  const again = await timedAsync(read);
  const { rows } = await read();
  const references = rows.map(({ body }) => (JSON.parse(body) as { picture: string }).picture);
  const screen = async (from: number): Promise<number> => {
    const fitter = new PictureFitter(decoderInNode(DECODER_FILE), THUMBNAILS_AT_ONCE);
    const thumbnails = new Thumbnails(readings.files.pictures, fitter.fit);
    const time = await timedAsync(async () => {
      const shown = references.slice(from, from + SCREEN);
      const made = await Promise.all(shown.map((reference) => thumbnails.of(reference)));
      if (made.some(({ kind }) => kind !== 'made')) throw new Error('A thumbnail is missing.');
    });
    fitter.close();
    return time;
  };
  const [bareScreen, previewScreen] = [await screen(0), await screen(SCREEN)];
  clearInterval(watch);
  const fitter = new PictureFitter(decoderInNode(DECODER_FILE), THUMBNAILS_AT_ONCE);
  const thumbnails = new Thumbnails(readings.files.pictures, fitter.fit);
  const scrolled = await scrollTable(ROWS, (row) =>
    // First those with previews, as the photos of cameras are.
    thumbnails.of(references[(row + SCREEN) % ROWS] ?? ''),
  );
  fitter.close();
  const bareFitter = new PictureFitter(decoderInNode(DECODER_FILE), THUMBNAILS_AT_ONCE);
  const bareThumbnails = new Thumbnails(readings.files.pictures, bareFitter.fit);
  const bareScrolled = await scrollTable(SCREEN, (row) => bareThumbnails.of(references[row] ?? ''));
  bareFitter.close();
  const megabytes = (ROWS * size) / 1e6;
  const machine = `${availableParallelism()} cores, load ${(loadavg()[0] ?? NaN).toFixed(1)}`;
  console.log(`${ROWS} photos of ${(size / 1e6).toFixed(1)} MB each; ${machine}`);
  console.log(
    `read and hash them          ${bare.toFixed(0)} ms, ${(megabytes / bare).toFixed(2)} GB/s`,
  );
  console.log(`check the table             ${first.toFixed(0)} ms`);
  console.log(`check it again              ${again.toFixed(0)} ms (target 250)`);
  console.log(`${SCREEN} thumbnails of previews   ${previewScreen.toFixed(0)} ms (target 2000)`);
  console.log(`${SCREEN} thumbnails of photos     ${bareScreen.toFixed(0)} ms (target 2000)`);
  console.log(`memory, more than before    ${((peak - before) / MIB).toFixed(0)} MiB (target 150)`);
  console.log(`first screen, of previews   ${scrolled.firstScreenMs.toFixed(0)} ms (target 2000)`);
  console.log(
    `first screen, of photos     ${bareScrolled.firstScreenMs.toFixed(0)} ms (target 2000)`,
  );
  for (const side of ['app', 'page'] as const) {
    const [first = NaN, ...after] = scrolled.memory.map((memory) => memory[side]);
    const growth = (after.at(-1) ?? NaN) - (after[0] ?? NaN);
    console.log(
      `memory of the ${side.padEnd(13)} ${first.toFixed(0)} MiB; to the end and back: ` +
        `${after.map((memory) => memory.toFixed(0)).join(', ')}; ` +
        `${growth.toFixed(0)} MiB from the first time to the last (target 10)`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

async function timedAsync(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
