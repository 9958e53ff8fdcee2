import { execFileSync } from 'node:child_process';
import { globSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { differenceOf, framesOf, makeClip } from '../../rigs/clips.ts';
import { channelsOf } from '../../rigs/decoded-media.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const RATE = 48_000;

/** Small, and without the text at the bottom. */
const SEEN = { width: 96, height: 54 };
const upperPart = (pixels: Buffer) => pixels.subarray(0, SEEN.width * 16 * 3);

it('renders the part of a clip that a row names, behind all of its scenes', async () => {
  const folder = temporaryFolder();
  const clip = makeClip(path.join(folder, 'lake.mov'), {
    fps: 24,
    seconds: 2,
    filter: 'scale=192:108,setsar=1',
  });
  writeFileSync(
    path.join(folder, 'table.csv'),
    'title,resolution,fps,seconds,soundtrack,closing,videoclip,Videoclip ab,clip end,Originalton\n' +
      'Lake,480,24,3,none,Soon,lake.mov,0:01,hold,An\n',
  );
  const command = ['run', 'table.csv', '--data-dir', path.join(folder, 'data')];
  addSound(clip);
  const run = await spoolHere(command, { cwd: folder });
  expect(run.stderr).toBe('');
  const [saved] = globSync('renders/**/*.mp4', { cwd: folder });
  const rendered = framesOf(path.join(folder, saved!), SEEN);
  const made = framesOf(clip, SEEN);
  for (const [frame, expected] of [
    [0, 24],
    [20, 44],
    [71, 47],
  ] as const) {
    const rgba = withAlpha(upperPart(rendered[frame]!.pixels));
    const differences = made.map(({ pixels }) => differenceOf(rgba, upperPart(pixels)));
    expect([frame, differences.indexOf(Math.min(...differences))]).toEqual([frame, expected]);
    expect(differences[expected]).toBeLessThan(12);
  }
  const [heard] = await channelsOf(path.join(folder, saved!));
  const audible = (level: number) => Math.abs(level) > 0.05;
  expect(heard!.findIndex(audible) / RATE).toBeCloseTo(0.25, 2);
  // Its last frame is held in silence.
  expect(heard!.findLastIndex(audible) / RATE).toBeCloseTo(1, 1);
});

/** A tone that begins 1.25 s after the pictures. */
function addSound(clip: string): void {
  const silent = `${clip}.silent.mov`;
  renameSync(clip, silent);
  const sound = ['-f', 'lavfi', '-i', "aevalsrc='0.3*sin(2*PI*500*t)*gte(t,1.25)':d=2"];
  execFileSync('ffmpeg', ['-v', 'error', '-i', silent, ...sound, '-c:v', 'copy', clip]);
}

function withAlpha(rgb: Buffer): Uint8Array {
  return Uint8Array.from({ length: (rgb.length / 3) * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (rgb[Math.floor(at / 4) * 3 + (at % 4)] ?? 0),
  );
}
