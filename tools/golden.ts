/**
 * `npm run golden`: renders the golden videos again and shows how their pictures differ from the
 * committed ones, in a table and in out/golden/index.html. `--accept` replaces the pictures that
 * differ by more than tests allow; with `--all` it replaces all. `--encoders` shows instead by how
 * many pixels other encoders change the pictures: the tests' tolerance must be above that.
 */
import '../test/rigs/golden/no-system-fonts.ts';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  compare,
  decodePictures,
  encodePicture,
  goldenFile,
  MAX_DIFFERENT_PIXELS,
  type Picture,
  readGolden,
  renderVideo,
} from '../test/rigs/golden/pictures.ts';
import { GOLDEN_VIDEOS } from '../test/rigs/golden/videos.ts';

const OUTPUT = path.join(import.meta.dirname, '../out/golden');

const { values } = parseArgs({
  options: { accept: { type: 'boolean' }, all: { type: 'boolean' }, encoders: { type: 'boolean' } },
});

/** Encoders other than Spool's, with a lower bit rate. */
const ENCODERS: Readonly<Record<string, readonly string[]>> = {
  'H.264 (libx264), medium, CRF 23': ['libx264', '-crf', '23'],
  'H.264 (libx264), medium, CRF 28': ['libx264', '-crf', '28'],
  'H.264 (libx264), ultrafast, 1.5 Mbit/s': ['libx264', '-preset', 'ultrafast', '-b:v', '1500k'],
  'H.264 (libx264), ultrafast, 400 kbit/s': ['libx264', '-preset', 'ultrafast', '-b:v', '400k'],
  'H.265 (libx265), ultrafast, CRF 24': [
    'libx265',
    '-preset',
    'ultrafast',
    '-crf',
    '24',
    '-x265-params',
    'log-level=none',
  ],
  'VP9 (libvpx), realtime, 1.5 Mbit/s': [
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-b:v',
    '1500k',
  ],
  'MPEG-4 (FFmpeg), quantiser 5': ['mpeg4', '-q:v', '5'],
};

async function showDifferences(): Promise<void> {
  const rows: { picture: Picture; golden: Picture | undefined; pixels: number; map: Picture }[] =
    [];
  for (const video of GOLDEN_VIDEOS) {
    const file = path.join(OUTPUT, `${video.name}.mp4`);
    await renderVideo(video, file);
    for (const picture of await decodePictures(video, file)) {
      const golden = await readGolden(picture.name);
      const { pixels, map } = compare(golden, picture);
      rows.push({ picture, golden, pixels, map: { ...picture, pixels: map } });
    }
  }
  console.table(
    rows.map(({ picture, golden, pixels }) => ({
      picture: picture.name,
      'pixels that differ': golden ? pixels : 'new',
      verdict: pixels > MAX_DIFFERENT_PIXELS ? 'differs' : 'same',
    })),
  );
  const cell = (picture: Picture | undefined): string =>
    picture === undefined
      ? '<td>none</td>'
      : `<td><img src="data:image/webp;base64,${encodePicture(picture).toString('base64')}"></td>`;
  const body = rows
    .toSorted((a, b) => b.pixels - a.pixels)
    .map(({ picture, golden, pixels, map }) => {
      const title = `<th>${picture.name}<br>${pixels} pixels</th>`;
      return `<tr>${title}${cell(golden)}${cell(picture)}${cell(map)}</tr>`;
    });
  const page = path.join(OUTPUT, 'index.html');
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><title>Golden pictures</title><table>
<tr><th></th><th>committed</th><th>now</th><th>difference</th></tr>
${body.join('\n')}
</table>`,
  );
  console.log(`At most ${MAX_DIFFERENT_PIXELS} pixels may differ. Pictures: ${page}`);
  if (values.accept === true) {
    for (const { picture, pixels } of rows) {
      if (values.all !== true && pixels <= MAX_DIFFERENT_PIXELS) continue;
      writeFileSync(goldenFile(picture.name), encodePicture(picture));
      console.log(`accepted ${picture.name}`);
    }
    removeOthers(new Set(rows.map(({ picture }) => goldenFile(picture.name))));
  } else if (rows.some(({ pixels }) => pixels > MAX_DIFFERENT_PIXELS)) process.exitCode = 1;
}

/** Removes pictures of videos or frames that no longer exist. */
function removeOthers(wanted: ReadonlySet<string>): void {
  const folder = path.dirname(goldenFile('any'));
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (!wanted.has(file)) rmSync(file);
  }
}

async function measureEncoders(): Promise<void> {
  const worst = new Map<string, { pixels: number; picture: string }>();
  const record = (encoder: string, picture: string, pixels: number): void => {
    if (pixels >= (worst.get(encoder)?.pixels ?? 0)) worst.set(encoder, { pixels, picture });
  };
  for (const video of GOLDEN_VIDEOS) {
    const file = path.join(OUTPUT, `${video.name}.mp4`);
    await renderVideo(video, file);
    for (const [encoder, options] of Object.entries(ENCODERS)) {
      const other = path.join(OUTPUT, 'other.mkv');
      const command = ['-y', '-v', 'quiet', '-i', file, '-an', '-c:v', ...options, other];
      execFileSync('ffmpeg', command);
      for (const picture of await decodePictures(video, other)) {
        record(encoder, picture.name, compare(await readGolden(picture.name), picture).pixels);
      }
    }
  }
  console.table(
    Array.from(worst, ([encoder, { pixels, picture }]) => ({
      encoder,
      'pixels that differ, at most': pixels,
      picture,
    })),
  );
}

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });
await (values.encoders === true ? measureEncoders() : showDifferences());
