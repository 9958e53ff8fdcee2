import { execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { channelsOf, loudnessOf, probe } from '../../rigs/decoded-media.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

function makeTone(file: string, hertz: number, seconds: number): void {
  const source = ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`];
  execFileSync('ffmpeg', ['-v', 'error', ...source, file]);
}

function levelOf(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, level) => sum + level ** 2, 0) / samples.length);
}

it('renders the voice and the music that a table names, as long as the voice', async () => {
  const folder = temporaryFolder();
  makeTone(path.join(folder, 'song.mp3'), 3000, 3);
  makeTone(path.join(folder, 'talk.m4a'), 200, 7);
  writeFileSync(
    path.join(folder, 'table.csv'),
    'title,resolution,musikdatei,voice over\nHeard,480,song.mp3,talk.m4a\n',
  );
  const command = ['run', 'table.csv', '--data-dir', path.join(folder, 'data')];
  const run = await spoolHere(command, { cwd: folder });
  expect(run).toMatchObject({ code: 0 });
  const [saved] = globSync('renders/**/*.mp4', { cwd: folder });
  const video = path.join(folder, saved!);
  const { pictures } = await probe(video);
  expect(Math.abs(Number(pictures?.duration) - 7.8)).toBeLessThan(0.2);
  const [talk] = await channelsOf(video, 'lowpass=f=400,lowpass=f=400');
  expect(levelOf(talk!.subarray(48_000, 6 * 48_000))).toBeGreaterThan(-20);
  const [song] = await channelsOf(video, 'highpass=f=2000,highpass=f=2000');
  expect(levelOf(song!.subarray(48_000, 6 * 48_000))).toBeGreaterThan(-45);
  expect(Math.abs((await loudnessOf(video)).loudness + 14)).toBeLessThan(0.5);
});

it.each([
  ['none.mp3', 'is not in the table’s folder.'],
  ['table.csv', 'is not a sound. MP3, M4A, WAV, OGG and WebM are possible.'],
  ['../../song.mp3', 'leads out of the table’s folder.'],
])('renders nothing of a table whose voice is %s', async (voice, reason) => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'table.csv'), `title,voice\nOne,${voice}\n`);
  const run = await spoolHere(['run', 'table.csv', '--data-dir', path.join(folder, 'data')], {
    cwd: folder,
  });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(`Row 2, voice: ${reason}`);
});
