import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PictureChecks, type PictureReading } from '../../../src/engine/pictures/read-picture.ts';
import { readPictureHeader } from '../../../src/engine/pictures/picture-header.ts';
import { DECODER_FILE, decoderInNode } from '../../../src/host/posters/decoder-process.ts';
import { PictureFitter } from '../../../src/host/posters/picture-fitter.ts';
import { Thumbnails } from '../../../src/host/thumbnails.ts';
import { noisePng } from '../../rigs/pictures.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

let fitter: PictureFitter;
let checks: PictureChecks;
let made: number;
let thumbnails: Thumbnails;
beforeEach(() => {
  fitter = new PictureFitter(decoderInNode(DECODER_FILE));
  checks = new PictureChecks();
  made = 0;
  thumbnails = new Thumbnails(checks, (...wanted) => {
    made += 1;
    return fitter.fit(...wanted);
  });
});
afterEach(() => fitter.close());

function referenceOf(reading: PictureReading): string {
  return reading.kind === 'picture' ? `sha256:${reading.picture.sha256}` : '';
}

it('a checked picture has a small copy, which is made once', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'photo.jpg'), createCanvas(1600, 1200).toBuffer('image/jpeg'));
  const reference = referenceOf(await checks.check('photo.jpg', folder));
  const thumbnail = await thumbnails.of(reference);
  if (thumbnail.kind !== 'made') throw new Error('There is none.');
  const header = readPictureHeader(Buffer.from(thumbnail.webp, 'base64'));
  expect(header).toMatchObject({ format: 'webp', width: 96, height: 72 });
  expect(await thumbnails.of(reference)).toEqual(thumbnail);
  expect(made).toBe(1);
});

it('no other file has one, and none that was replaced', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'photo.png');
  writeFileSync(file, noisePng(40, 30));
  expect(await thumbnails.of(`sha256:${'0'.repeat(64)}`)).toEqual({ kind: 'none' });
  const reference = referenceOf(await checks.check('photo.png', folder));
  writeFileSync(file, noisePng(41, 31));
  expect(await thumbnails.of(reference)).toEqual({ kind: 'none' });
  expect(made).toBe(0);
});
