import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CaptionTrack,
  captionsOf,
} from '../../../../src/local-service/rendering/captions/caption-track.ts';
import { DisplayList } from '../../../../src/local-service/rendering/display-list.ts';
import { registerFonts } from '../../../../src/local-service/rendering/fonts.ts';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { gOf, safeArea } from '../../../../src/local-service/rendering/layout-context.ts';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import {
  drawPoster,
  renderToFiles,
} from '../../../../src/local-service/rendering/render-to-files.ts';
import { clipOpener } from '../../../../src/local-service/rendering/media/clip-source.ts';
import { setUpStage } from '../../../../src/local-service/rendering/stage.ts';
import { pictureSize } from '../../../../src/local-service/rendering/storyboard.ts';
import { TextLayout } from '../../../../src/local-service/rendering/text-layout.ts';
import { sceneTimings } from '../../../../src/local-service/rendering/timeline.ts';
import { RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const SOURCES = { decodeImage: imageDecoder({}), openClip: clipOpener({}) };

registerFonts();

const ASPECTS = ['16:9', '9:16', '1:1', '4:5'] as const;
type Aspect = (typeof ASPECTS)[number];
/** The two lines of a plate, its padding and what rounding adds, in g. */
const MAX_HEIGHT = 2 * 3.8 * 1.32 + 2 * 1.2;
const LONG =
  'Die Donaudampfschifffahrtsgesellschaft teilt mit, dass ihre Schiffe an Sonn- und Feiertagen ' +
  'später ablegen, und bittet alle Fahrgäste, die am Ufer warten, um ein wenig Geduld.';

/** The plates of a caption over its time, by their first frames. */
function platesOf(text: string, aspect: Aspect, seconds = 10) {
  const frame = pictureSize({ aspect, resolution: 720 });
  const [g, safe] = [gOf(frame), safeArea(frame)];
  const shown = captionsOf({ captions: [{ from: 0, to: seconds, text }], fps: 10 }, 10 * seconds);
  const track = new CaptionTrack(shown, { g, safe, textLayout: new TextLayout() });
  const plates = Array.from({ length: 10 * seconds }, (_, at) => {
    const list = new DisplayList();
    track.draw(list, at);
    return list.commands[0]!;
  });
  return { g, safe, plates };
}

describe('captions', () => {
  it.each(ASPECTS)('stay legible on two lines in the safe area of %s, in parts', (aspect) => {
    const { g, safe, plates } = platesOf(LONG, aspect);
    expect(new Set(plates.map((plate) => JSON.stringify(plate.area))).size).toBeGreaterThan(1);
    for (const { area } of plates) {
      expect(area.height).toBeLessThanOrEqual(Math.ceil(MAX_HEIGHT * g));
      // One line of the least size.
      expect(area.height).toBeGreaterThan((3.2 * 1.32 + 2.4) * g * 0.97);
      expect(area.x).toBeGreaterThanOrEqual(safe.x);
      expect(area.x + area.width).toBeLessThanOrEqual(safe.x + safe.width);
      expect(area.y + area.height).toBeLessThanOrEqual(safe.y + safe.height);
    }
  });

  it.each(ASPECTS)('of any length have no smaller text in %s', (aspect) => {
    const words = LONG.split(' ');
    for (let count = 1; count <= words.length; count++) {
      const { g, plates } = platesOf(words.slice(0, count).join(' '), aspect, 1);
      for (const { area } of plates) {
        const height = area.height / g - 2 * 1.2;
        const lines = height > 3.8 * 1.32 + 0.5 ? 2 : 1;
        expect(height / lines / 1.32, `${count} words`).toBeGreaterThan(3.2 * 0.97);
      }
    }
  });

  it.each(['مرحبا بالعالم', 'שלום עולם', '日本語の字幕です。'.repeat(12), 'W'.repeat(300), '🎬'])(
    'of %s are drawn',
    (text) => {
      for (const aspect of ASPECTS) {
        const { g, plates } = platesOf(text, aspect);
        for (const { area } of plates) {
          expect(area.width).toBeGreaterThan(4 * g);
          expect(area.height).toBeLessThanOrEqual(Math.ceil(MAX_HEIGHT * g));
        }
      }
    },
  );

  it.each(LOOK_NAMES.flatMap((look) => ASPECTS.map((aspect) => [look, aspect] as const)))(
    'are below all other text of %s in %s',
    async (look, aspect) => {
      const captions = 'Meanwhile.';
      for (const picture of [undefined, RED_PIXEL]) {
        const board = storyboard({ look, aspect, captions, picture });
        const stage = await setUpStage(board, sceneTimings(board), SOURCES);
        const list = new DisplayList();
        stage.drawFront(list, 5);
        const [plate] = list.commands;
        for (const { safe } of [stage.layoutOf(0), stage.fullLayoutOf(0)]) {
          expect(safe.y + safe.height).toBeLessThan(plate!.area.y);
          expect(safe.height).toBeGreaterThan(20 * gOf(pictureSize(board)));
        }
      }
    },
  );

  it('are on the poster, if they are on its page', () => {
    const scenes = [{ kind: 'title', text: 'Wide', seconds: 6 }];
    const captions = [{ from: 3, to: 4, text: 'Here' }];
    const renderer = new FrameRenderer(storyboard({ scenes, captions }), imageDecoder({}));
    expect(renderer.posterFrame).toBe(4 * 24 - 1);
    const without = new FrameRenderer(storyboard({ scenes }), imageDecoder({}));
    expect(without.posterFrame).toBe(6 * 24 - 1);
  });

  it('follow the voice, and the preview is the same picture', async () => {
    const folder = temporaryFolder();
    const voice = path.join(folder, 'voice.wav');
    // A second of speech from 1 s on, and two from 4 s on.
    const speech = '0.5*sin(2*PI*200*t)*(between(t,1,2)+between(t,4,6))';
    const source = ['-f', 'lavfi', '-i', `aevalsrc='${speech}':s=48000:d=7`];
    execFileSync('ffmpeg', ['-v', 'error', ...source, voice]);
    const board = storyboard({
      scenes: [{ kind: 'title', text: 'Spoken' }],
      theme: { background: '#f4efe6' },
      voice: { asset: 'v' },
      captions: 'Good day all. This is a bit longer.',
    });
    const imageFiles = { v: voice };
    const [videoPath, posterPath] = [path.join(folder, 'v.mp4'), path.join(folder, 'v.jpg')];
    const order = { storyboard: board, imageFiles, memoryBytes: Infinity };
    await renderToFiles(
      { ...order, videoPath, posterPath },
      () => undefined,
      new AbortController().signal,
    );
    const poster = await drawPoster(order);
    expect(poster.equals(readFileSync(posterPath))).toBe(true);
    const isShown = (seconds: number) => changeAt(videoPath, seconds) > 0.5;
    expect([0.5, 1.5, 3, 5, 6.5].map(isShown)).toEqual([false, true, false, true, false]);
  });
});

/** How much of the middle of the captions' place differs from the frame before any caption. */
function changeAt(file: string, seconds: number): number {
  const grey = (at: number) =>
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-ss', String(at), '-i', file, '-frames:v', '1'],
      ...['-vf', 'crop=120:30:180:405', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
    ]);
  const [before, now] = [grey(0.2), grey(seconds)];
  const different = now.filter((value, index) => Math.abs(value - before[index]!) > 8);
  return different.length / now.length;
}
