import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FrameRenderer,
  type Picture,
} from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { ImageUnreadableError } from '../../../../src/local-service/rendering/render-errors.ts';
import { layOut } from '../../../../src/local-service/rendering/scenes/lay-out.ts';
import { FrameBuffer } from '../../../../src/local-service/rendering/frame-buffer.ts';
import { clipOpener } from '../../../../src/local-service/rendering/media/clip-source.ts';
import { pagesOf } from '../../../../src/local-service/rendering/pages.ts';
import { setUpStage } from '../../../../src/local-service/rendering/stage.ts';
import { sceneTimings } from '../../../../src/local-service/rendering/timeline.ts';
import type { PageScene } from '../../../../src/local-service/rendering/scene-schema.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import { blankPng } from '../../../rigs/pictures.ts';
import { EVERY_KIND, RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const SOURCES = { decodeImage: imageDecoder({}), openClip: clipOpener({}) };

const board = storyboard({ scenes: EVERY_KIND.map((scene) => ({ ...scene, seconds: 1.5 })) });
const rendererOf = (storyboard: Storyboard) => new FrameRenderer(storyboard, imageDecoder({}));

async function fingerprint(renderer: FrameRenderer, frame: number): Promise<string> {
  const { canvas } = await renderer.draw(frame);
  return createHash('sha256').update(canvas.data()).digest('hex');
}

async function fingerprints(renderer: FrameRenderer, frames: readonly number[]): Promise<string[]> {
  const all: string[] = [];
  for (const frame of frames) all.push(await fingerprint(renderer, frame));
  return all;
}

/** The colour of the picture in `RED_PIXEL`. */
const RED = [255, 0, 0, 255];

/** RGBA of every pixel. */
type Pixels = Uint8ClampedArray;

function pixelsOf({ canvas }: Pick<Picture, 'canvas'>): Pixels {
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
}

/** A scene without the background, after its entrance animations. */
async function atRest(
  board: Storyboard,
  { width, height }: FrameRenderer['size'],
  scene: PageScene,
): Promise<Pixels> {
  const stage = await setUpStage(board, sceneTimings(board), SOURCES);
  const page = { scene, index: 0, parts: [scene], seconds: 60 };
  const drawing = layOut(page, stage.layoutOf(0));
  const frameBuffer = new FrameBuffer(width, height);
  frameBuffer.show((list) => drawing.draw(list, { seconds: 30, length: 60, entered: Infinity }));
  return pixelsOf(frameBuffer);
}

/** The share of the opaque pixels of `scene` that `picture` shows unchanged: 0 to 1. */
function shareShown(picture: Pixels, scene: Pixels): number {
  let [opaque, shown] = [0, 0];
  for (let at = 0; at < scene.length; at += 4) {
    if (scene[at + 3] !== 255) continue;
    opaque += 1;
    const near = [0, 1, 2].every(
      (channel) => Math.abs((picture[at + channel] ?? 0) - (scene[at + channel] ?? 0)) <= 2,
    );
    if (near) shown += 1;
  }
  expect(opaque).toBeGreaterThan(1000);
  return shown / opaque;
}

describe('a frame renderer', () => {
  it('draws the same frames in any order', async () => {
    // The beginning, middle and end of each scene.
    const frames = [0, 5, 30, 35, 36, 40, 60, 75, 80, 100, 110, 130, 146, 170, 182, 190, 215];
    const expected = await fingerprints(rendererOf(board), frames);
    const actual = await fingerprints(rendererOf(board), frames.toReversed());
    expect(actual.toReversed()).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(frames.length - 3);
  });

  it('changes nothing between steps of the glow once everything is shown', async () => {
    const renderer = rendererOf(
      storyboard({ scenes: [{ kind: 'title', text: 'Hi', seconds: 6 }] }),
    );
    let still = 0;
    for (let frame = 60; frame < 84; frame++) if (!(await renderer.draw(frame)).changed) still++;
    expect(still).toBeGreaterThanOrEqual(16);
  });

  it('shows the whole title on its poster', async () => {
    const seconds = 3;
    const poster = storyboard({
      scenes: [
        { kind: 'text', text: 'Before it comes a text', seconds },
        { kind: 'title', text: 'The title itself', subtitle: 'With a line below', seconds },
        { kind: 'countdown', from: 3, seconds },
      ],
    });
    const renderer = rendererOf(poster);
    const picture = pixelsOf(await renderer.draw(renderer.posterFrame));
    const [text, title] = await Promise.all(
      pagesOf(poster).map(({ scene }) => atRest(poster, renderer.size, scene)),
    );
    expect(shareShown(picture, title!)).toBeGreaterThan(0.999);
    expect(shareShown(picture, text!)).toBeLessThan(0.5);
  });

  it('shows the whole image on the poster of a video without a title', async () => {
    const renderer = rendererOf(
      storyboard({
        scenes: [
          { kind: 'text', text: 'Before it comes a text', seconds: 3 },
          { kind: 'image', image: RED_PIXEL, seconds: 3 },
        ],
      }),
    );
    const { width, height } = renderer.size;
    const picture = pixelsOf(await renderer.draw(renderer.posterFrame));
    const reddest = new Uint8ClampedArray(width * height * 4);
    for (let at = 0; at < reddest.length; at += 4) reddest.set(RED, at);
    expect(shareShown(picture, reddest)).toBe(1);
  });

  it('draws the same after a video with another title or theme', async () => {
    const first = await fingerprint(rendererOf(storyboard()), 0);
    for (const other of [{ title: 'Another film' }, { theme: { background: '#f4f0e8' } }]) {
      // What is kept of a video of another size fits neither of the next two.
      await fingerprint(rendererOf(storyboard({ aspect: '16:9' })), 0);
      await fingerprint(rendererOf(storyboard(other)), 0);
      expect(await fingerprint(rendererOf(storyboard()), 0), JSON.stringify(other)).toBe(first);
    }
  });

  it('looks different for another title, and the same for the same title', async () => {
    const scenes = [{ kind: 'text', text: 'Same', seconds: 2 }];
    const still = (title: string) => fingerprint(rendererOf(storyboard({ title, scenes })), 20);
    expect(await still('One')).toBe(await still('One'));
    expect(await still('One')).not.toBe(await still('Two'));
  });

  it('refuses an upload that became too large, before decoding it', async () => {
    const file = path.join(temporaryFolder(), 'upload.png');
    writeFileSync(file, blankPng(8001, 8001));
    const scenes = [{ kind: 'image', image: 'img_1', seconds: 1 }];
    const renderer = new FrameRenderer(storyboard({ scenes }), imageDecoder({ img_1: file }));
    await expect(renderer.draw(0)).rejects.toThrow(ImageUnreadableError);
  });
});
