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
 * How many pixels of a drawn frame may differ from its encoded golden picture: where strong colours
 * meet, encoders halve the resolution of colour.
 */
const MAX_COLOUR_EDGE_PIXELS: Readonly<Record<string, number>> = {
  gallery: 300,
  'strong-theme': 60,
};

it.each(GOLDEN_VIDEOS)('a drawn frame matches its golden picture: $name', async (video) => {
  for (const picture of await drawPictures(video)) {
    const { pixels } = compare(await readGolden(picture.name), picture);
    const most = MAX_COLOUR_EDGE_PIXELS[video.name] ?? MAX_DIFFERENT_PIXELS;
    expect(pixels, picture.name).toBeLessThanOrEqual(most);
  }
});
