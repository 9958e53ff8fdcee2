import '../../../rigs/golden/no-system-fonts.ts';
import { expect, it } from 'vitest';
import {
  compare,
  drawPictures,
  MAX_DIFFERENT_PIXELS,
  readGolden,
} from '../../../rigs/golden/pictures.ts';
import { GOLDEN_VIDEOS } from '../../../rigs/golden/videos.ts';

/**
 * Beside its golden picture, which an encoder has seen, a frame has colours that are finer where strong
 * ones meet: encoders keep colour at half the resolution of light. So many pixels may differ there.
 */
const FINER_COLOURS: Readonly<Record<string, number>> = { 'image-framed': 300, 'strong-theme': 60 };

it.each(GOLDEN_VIDEOS)('a frame, as it is drawn, looks as before: $name', async (video) => {
  for (const picture of await drawPictures(video)) {
    const { pixels } = compare(await readGolden(picture.name), picture);
    const most = FINER_COLOURS[video.name] ?? MAX_DIFFERENT_PIXELS;
    expect(pixels, picture.name).toBeLessThanOrEqual(most);
  }
});
