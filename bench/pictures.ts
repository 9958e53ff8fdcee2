/**
 * Measures a table of 500 rows with photos of 12 megapixels each: `npm run bench:pictures`.
 *
 * Targets: the check reads each file once, at the speed of reading and hashing it; memory stays
 * flat, so no more than one picture is in memory at a time (150 MiB more than before); the 20
 * thumbnails of a screen are there within 4 s; a check that finds the files unchanged takes 250 ms.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { BatchReadings } from '../src/engine/intake/batch-readings.ts';
import { storyboardProfile } from '../src/engine/profiles/storyboard.ts';
import { DECODER_FILE, decoderInNode } from '../src/host/posters/decoder-process.ts';
import { PictureFitter } from '../src/host/posters/picture-fitter.ts';
import { Thumbnails } from '../src/host/thumbnails.ts';

const ROWS = 500;
const SCREEN = 20;
const MIB = 1024 ** 2;

/** A photo of 4032 × 3024 pixels with as much detail as one of a phone. */
function photo(): Buffer {
  const canvas = createCanvas(4032, 3024);
  const context = canvas.getContext('2d');
  for (let index = 0; index < 60_000; index += 1) {
    context.fillStyle = `oklch(${0.2 + ((index * 37) % 70) / 100} 0.1 ${(index * 61) % 360})`;
    context.fillRect((index * 7919) % 4032, (index * 104_729) % 3024, 40, 25);
  }
  return canvas.toBuffer('image/jpeg', 90);
}

const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-pictures-'));
try {
  const jpeg = photo();
  const names = Array.from({ length: ROWS }, (_, index) => `Photo ${index + 1}.jpg`);
  // Decoders ignore what follows the end of the picture; its hash is another one.
  names.forEach((name, index) => {
    writeFileSync(path.join(folder, name), Buffer.concat([jpeg, Buffer.from(String(index))]));
  });
  const bare = timed(() => {
    for (const name of names) hash('sha256', readFileSync(path.join(folder, name)));
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
  const fitter = new PictureFitter(decoderInNode(DECODER_FILE));
  const thumbnails = new Thumbnails(readings.pictures, fitter.fit);
  const references = rows.map(({ body }) => (JSON.parse(body) as { picture: string }).picture);
  const screen = await timedAsync(async () => {
    for (const reference of references.slice(0, SCREEN)) {
      const { kind } = await thumbnails.of(reference);
      if (kind !== 'made') throw new Error('A thumbnail is missing.');
    }
  });
  fitter.close();
  clearInterval(watch);
  const megabytes = (ROWS * jpeg.length) / 1e6;
  console.log(`${ROWS} photos of ${(jpeg.length / 1e6).toFixed(1)} MB each`);
  console.log(
    `read and hash them          ${bare.toFixed(0)} ms, ${(megabytes / bare).toFixed(2)} GB/s`,
  );
  console.log(`check the table             ${first.toFixed(0)} ms`);
  console.log(`check it again              ${again.toFixed(0)} ms (target 250)`);
  console.log(`${SCREEN} thumbnails               ${screen.toFixed(0)} ms (target 4000)`);
  console.log(`memory, more than before    ${((peak - before) / MIB).toFixed(0)} MiB (target 150)`);
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
