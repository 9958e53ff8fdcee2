import { createCanvas } from '@napi-rs/canvas';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { clipOpener } from '../../../../src/local-service/rendering/media/clip-source.ts';
import { RenderCancelledError } from '../../../../src/local-service/rendering/render-errors.ts';
import {
  drawPoster,
  renderToFiles,
} from '../../../../src/local-service/rendering/render-to-files.ts';
import { differenceOf, framesOf, makeClip } from '../../../rigs/clips.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { removeFolder, temporaryFolder } from '../../../rigs/temporary-folder.ts';

const FPS = 24;
/** Of the picture without the text at its bottom, small. */
const SEEN = { width: 96, height: 54 };
const ROWS = 20;

/** Half as many frames a second as the video has. */
function newClip(folder: string) {
  const file = makeClip(path.join(folder, 'clip.mp4'), {
    fps: 12,
    filter: 'scale=192:108,setsar=1',
    encoding: ['-c:v', 'libx264', '-bf', '2'],
  });
  const frames = framesOf(file, SEEN).map(({ pixels }) =>
    pixels.subarray(0, SEEN.width * ROWS * 3),
  );
  return { file, frames };
}

type Clip = ReturnType<typeof newClip>;

function rendererOf({ file }: Pick<Clip, 'file'>, background: object, fields: object = {}) {
  const clip = { asset: 'c', ...background };
  const scenes = [
    { kind: 'title', text: 'One', seconds: 1.5, background: clip },
    { kind: 'title', text: 'Two', seconds: 1.5, background: clip },
  ];
  const board = storyboard({ aspect: '16:9', fps: FPS, scenes, ...fields });
  const renderer = new FrameRenderer(board, imageDecoder({}), clipOpener({ c: file }));
  onTestFinished(() => renderer.close());
  return renderer;
}

async function upperPart(renderer: FrameRenderer, frame: number): Promise<Uint8ClampedArray> {
  const { canvas } = await renderer.draw(frame);
  const small = createCanvas(SEEN.width, SEEN.height);
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, SEEN.width, SEEN.height);
  return context.getImageData(0, 0, SEEN.width, ROWS).data;
}

/** The number of the clip's frame that is seen; -1 for none. */
async function shown(renderer: FrameRenderer, { frames }: Clip, frame: number): Promise<number> {
  const pixels = await upperPart(renderer, frame);
  const differences = frames.map((each) => differenceOf(pixels, each));
  const least = Math.min(...differences);
  return least < 12 ? differences.indexOf(least) : -1;
}

describe('a clip behind scenes', () => {
  let clip: Clip;
  beforeAll(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'spool-test-'));
    clip = newClip(folder);
    return () => removeFolder(folder);
  });

  it('shows each of its frames in its time, on through the scenes, and begins again', async () => {
    const renderer = rendererOf(clip, {});
    for (const frame of [0, 1, 2, 23, 24, 35, 40, 47, 48, 71]) {
      expect([frame, await shown(renderer, clip, frame)]).toEqual([
        frame,
        Math.floor(frame / 2) % 12,
      ]);
    }
  });

  it('stays on its last frame, or ends', async () => {
    const holding = rendererOf(clip, { end: 'hold' });
    expect(await shown(holding, clip, 22)).toBe(11);
    expect(await shown(holding, clip, 60)).toBe(11);
    const cut = rendererOf(clip, { end: 'cut' });
    expect(await shown(cut, clip, 23)).toBe(11);
    expect(await shown(cut, clip, 24)).toBe(-1);
  });

  it('is the same picture in a preview and in a video', async () => {
    const { file } = clip;
    const folder = temporaryFolder();
    const paths = {
      videoPath: path.join(folder, 'video.mp4'),
      posterPath: path.join(folder, 'poster.jpg'),
    };
    const background = { asset: 'c', fit: 'contain' };
    const scenes = [{ kind: 'title', text: 'One', seconds: 1.5, background }];
    const board = storyboard({ fps: FPS, soundtrack: 'none', scenes });
    const order = { storyboard: board, imageFiles: { c: file }, memoryBytes: Infinity };
    const { signal } = new AbortController();
    await renderToFiles({ ...order, ...paths }, () => undefined, signal);
    expect(readFileSync(paths.posterPath).equals(await drawPoster(order))).toBe(true);
  });

  it('shows the part between two times', async () => {
    const renderer = rendererOf(clip, { from: 0.25, to: 0.75 });
    for (const frame of [0, 2, 11, 12, 30]) {
      expect([frame, await shown(renderer, clip, frame)]).toEqual([
        frame,
        3 + (Math.floor(frame / 2) % 6),
      ]);
    }
  });

  it('is cropped to what it keeps in view, or whole', async () => {
    const thirds = ['red', 'lime', 'blue'].map(
      (colour, at) => `drawbox=x=${32 * at}:w=32:t=fill:c=${colour}`,
    );
    const file = makeClip(path.join(temporaryFolder(), 'thirds.mp4'), {
      seconds: 0.1,
      filter: ['crop=96:32', ...thirds].join(','),
    });
    const seenWith = async (background: object) => {
      const renderer = rendererOf({ file }, background, { aspect: '1:1' });
      const { canvas } = await renderer.draw(0);
      const { width, height } = canvas;
      const context = canvas.getContext('2d');
      const seen = [0.1, 0.5, 0.9].map((across) => {
        const [red = 0, green = 0, blue = 0] = context.getImageData(
          Math.round(across * width),
          Math.round(0.4 * height),
          1,
          1,
        ).data;
        return ['red', 'lime', 'blue'][[red, green, blue].indexOf(Math.max(red, green, blue))];
      });
      return seen.join(' ');
    };
    expect(await seenWith({})).toBe('lime lime lime');
    expect(await seenWith({ focus: '0% 50%' })).toBe('red red red');
    expect(await seenWith({ focus: '100% 50%' })).toBe('blue blue blue');
    expect(await seenWith({ fit: 'contain' })).toBe('red lime blue');
  });

  it('lets a render report and be cancelled while it is decoded up to its part', async () => {
    const folder = temporaryFolder();
    const file = makeClip(path.join(folder, 'late.mp4'), { fps: 60, seconds: 3.5 });
    const background = { asset: 'c', from: 3.4 };
    const scenes = [{ kind: 'title', text: 'One', seconds: 1.5, background }];
    const order = {
      storyboard: storyboard({ soundtrack: 'none', scenes }),
      imageFiles: { c: file },
      memoryBytes: Infinity,
      videoPath: path.join(folder, 'video.mp4'),
      posterPath: path.join(folder, 'poster.jpg'),
    };
    const cancelling = new AbortController();
    const reports: number[] = [];
    const rendering = renderToFiles(
      order,
      (framesDone) => {
        reports.push(framesDone);
        if (reports.length === 3) cancelling.abort();
      },
      cancelling.signal,
    );
    await expect(rendering).rejects.toThrow(RenderCancelledError);
    // Before the first frame.
    expect(reports).toEqual([0, 0, 0]);
  });
});
