import '../../../rigs/golden/no-system-fonts.ts';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compare,
  decodePictures,
  goldenFile,
  MAX_DIFFERENT_PIXELS,
  readGolden,
  renderVideo,
} from '../../../rigs/golden/pictures.ts';
import { ENCODED_VIDEOS, GOLDEN_VIDEOS } from '../../../rigs/golden/videos.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

describe('a video, rendered and decoded', () => {
  it.each(ENCODED_VIDEOS)('looks as before: $name', async (video) => {
    const file = path.join(temporaryFolder(), 'video.mp4');
    await renderVideo(video, file);
    for (const picture of await decodePictures(video, file)) {
      const { pixels } = compare(await readGolden(picture.name), picture);
      const hint = `${picture.name} differs; \`npm run golden\` shows where`;
      expect(pixels, hint).toBeLessThanOrEqual(MAX_DIFFERENT_PIXELS);
    }
  });

  it('has no picture left over from another video', () => {
    const wanted = GOLDEN_VIDEOS.flatMap(({ name, frames }) =>
      Object.keys(frames).map((frame) => path.basename(goldenFile(`${name}.${frame}`))),
    );
    expect(readdirSync(path.dirname(goldenFile('any'))).toSorted()).toEqual(wanted.toSorted());
  });
});
