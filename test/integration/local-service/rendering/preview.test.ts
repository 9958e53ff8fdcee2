import '../../../rigs/golden/no-system-fonts.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FramePreview } from '../../../../src/local-service/rendering/frame-preview.ts';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import {
  compare,
  decodePictures,
  MAX_DIFFERENT_PIXELS,
  renderVideo,
} from '../../../rigs/golden/pictures.ts';
import { testCard } from '../../../rigs/golden/videos.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const LIST = { kind: 'list', heading: 'Tonight', items: ['Soup 6,50 €', 'Pie 8,00 €'] };

/** The frame of the video that the preview shows: as rendered, as previewed, and another one. */
async function picturesOf(preview: FramePreview, fields: Record<string, unknown>) {
  const scenes = [
    { kind: 'title', text: 'Open late', seconds: 0.5 },
    { ...LIST, seconds: 1 },
  ];
  const board = storyboard({ fps: 24, soundtrack: 'none', scenes, ...fields });
  const { posterFrame } = new FrameRenderer(board, imageDecoder({}));
  const folder = temporaryFolder();
  const video = { name: 'video', storyboard: board, frames: { other: 0, shown: posterFrame } };
  await renderVideo(video, path.join(folder, 'video.mp4'));
  const [other, rendered] = await decodePictures(video, path.join(folder, 'video.mp4'));
  const task = { storyboard: board, imagePath: () => undefined };
  const jpeg = path.join(folder, 'preview.jpg');
  writeFileSync(jpeg, await preview.draw(task, new AbortController().signal));
  const [previewed] = await decodePictures({ ...video, frames: { shown: 0 } }, jpeg);
  return { previewed: previewed!, rendered, other };
}

describe('the preview of a video', () => {
  // Its process does not end for idleness, which a busy machine reaches between two tests.
  const preview = new FramePreview({ idleMs: 3_600_000 });
  beforeAll(async () => {
    // Starts its process, which would otherwise count as left open by the first test.
    await preview.draw(
      { storyboard: storyboard(), imagePath: () => undefined },
      new AbortController().signal,
    );
  });
  afterAll(() => preview.close());

  it.each(LOOK_NAMES)('is a frame of it, pixel by pixel, in the look %s', async (look) => {
    for (const picture of [undefined, testCard(320, 180)]) {
      const { previewed, rendered, other } = await picturesOf(preview, { look, picture });
      expect(compare(rendered, previewed).pixels).toBeLessThanOrEqual(MAX_DIFFERENT_PIXELS);
      // The measure tells frames apart.
      expect(compare(other, previewed).pixels).toBeGreaterThan(20 * MAX_DIFFERENT_PIXELS);
    }
  });
});
