import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { differenceOf, framesOf, makeClip } from '../../rigs/clips.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

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
    'title,resolution,fps,seconds,soundtrack,closing,videoclip,Videoclip ab,clip end\n' +
      'Lake,480,24,3,none,Soon,lake.mov,0:01,hold\n',
  );
  const command = ['run', 'table.csv', '--data-dir', path.join(folder, 'data')];
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
});

function withAlpha(rgb: Buffer): Uint8Array {
  return Uint8Array.from({ length: (rgb.length / 3) * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (rgb[Math.floor(at / 4) * 3 + (at % 4)] ?? 0),
  );
}
