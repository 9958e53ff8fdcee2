import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registerFonts } from '../../../../src/local-service/rendering/fonts.ts';
import { layOut } from '../../../../src/local-service/rendering/scenes/lay-out.ts';
import { FrameBuffer } from '../../../../src/local-service/rendering/frame-buffer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import { clipOpener } from '../../../../src/local-service/rendering/media/clip-source.ts';
import { pagesOf } from '../../../../src/local-service/rendering/pages.ts';
import { setUpStage } from '../../../../src/local-service/rendering/stage.ts';
import { sceneTimings } from '../../../../src/local-service/rendering/timeline.ts';
import type { PageScene } from '../../../../src/local-service/rendering/scene-schema.ts';
import type { LookName } from '../../../../src/local-service/rendering/looks/look-names.ts';
import { pictureSize } from '../../../../src/local-service/rendering/storyboard.ts';
import { safeArea } from '../../../rigs/safe-area.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

const SOURCES = { decodeImage: imageDecoder({}), openClip: clipOpener({}) };

registerFonts();

/** Counts the drawn pixels of a static scene inside and outside of the title-safe area. */
async function countPixels(
  scene: PageScene,
  aspect: '16:9' | '9:16' | '1:1' | '4:5',
  look: LookName = 'picture',
  captions?: string,
) {
  const board = storyboard({ scenes: [{ ...scene, seconds: 60 }], aspect, look, captions });
  const { width, height } = pictureSize(board);
  const timings = sceneTimings(board);
  const stage = await setUpStage(board, timings, SOURCES);
  const context = stage.layoutOf(0);
  const drawing = layOut({ scene, index: 0, parts: [scene], seconds: 8 }, context);
  const frameBuffer = new FrameBuffer(width, height);
  frameBuffer.show((list) => drawing.draw(list, { seconds: 8, length: 16, entered: Infinity }));
  const { data } = frameBuffer.canvas.getContext('2d').getImageData(0, 0, width, height);
  const safe = safeArea({ width, height });
  let inside = 0;
  let outside = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * 4 + 3] === 0) continue;
      const safeX = x >= safe.x && x < safe.x + safe.width;
      if (safeX && y >= safe.y && y < safe.y + safe.height) inside++;
      else outside++;
    }
  }
  return { inside, outside };
}

const scripts = [
  'Launch week begins on Monday ',
  'Donaudampfschifffahrtsgesellschaftskapitän',
  'مرحبا بالعالم، كيف حالكم اليوم؟ ',
  'שלום עולם ',
  '日本語の文章はここにあります',
  'हिन्दी में लिखा हुआ ',
  '👩‍👩‍👧🏳️‍🌈🇩🇪❤️‍🔥',
  'Z͑ͫ̓a̴͓l̷͎g̶̺o̵͖ ',
  '﷽',
  'WWWWWWWWWW',
  'line\nbreaks\n',
];
const text = (limit: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: limit }),
      fc
        .array(fc.constantFrom(...scripts), { minLength: 1, maxLength: 40 })
        .map((parts) => parts.join('')),
      fc.constantFrom(...scripts).map((part) => part.trim().repeat(60)),
    )
    // The schema refuses longer text, so it is truncated to its limit.
    .map((long) => long.slice(0, limit).trim() || 'x');
const maybe = (limit: number) => fc.option(text(limit), { nil: undefined });

/** Its caption fills the width exactly; multiplied by its size, it is slightly too wide. */
const FULL_WIDTH = {
  kind: 'list' as const,
  heading: undefined,
  items: ['x'],
  caption:
    '👩‍👩‍👧🏳️‍🌈🇩🇪❤️‍🔥DonaudampfschifffahrtsgesellschaftskapitänWWWWWWWWWWZ͑ͫ̓a̴͓l̷͎g̶̺o̵͖ Launch week begins on Monday',
};

const scene = fc.oneof(
  fc.record({
    kind: fc.constant('title'),
    text: text(200),
    subtitle: maybe(200),
    caption: maybe(160),
  }),
  fc.record({
    kind: fc.constant('text'),
    heading: maybe(120),
    text: text(600),
    caption: maybe(160),
  }),
  fc.record({ kind: fc.constant('quote'), text: text(500), by: maybe(120), caption: maybe(160) }),
  fc.record({
    kind: fc.constant('list'),
    heading: maybe(120),
    items: fc.array(text(160), { minLength: 1, maxLength: 8 }),
    caption: maybe(160),
  }),
  fc.record({
    kind: fc.constant('countdown'),
    from: fc.integer({ min: 1, max: 10 }),
    text: maybe(120),
    caption: maybe(160),
  }),
);

describe('text of any script and length', () => {
  it('stays within the title-safe area in every aspect and look', async () => {
    const aspects = fc.constantFrom('16:9', '9:16', '1:1', '4:5');
    await fc.assert(
      fc.asyncProperty(
        scene,
        aspects,
        fc.constantFrom(...LOOK_NAMES),
        fc.constantFrom(undefined, 'Spoken meanwhile'),
        async (fields, aspect, look, captions) => {
          const [page] = pagesOf(storyboard({ scenes: [fields] }));
          const { inside, outside } = await countPixels(page!.scene, aspect, look, captions);
          expect(outside).toBe(0);
          expect(inside).toBeGreaterThan(0);
        },
      ),
      {
        numRuns: 80,
        examples: [
          [FULL_WIDTH, '9:16', 'picture', undefined],
          [FULL_WIDTH, '1:1', 'market', 'Spoken meanwhile'],
          // Between two of its numerals.
          [
            { kind: 'countdown', from: 4, text: undefined, caption: undefined },
            '16:9',
            'market',
            undefined,
          ],
        ],
      },
    );
  });

  it('is drawn large when it is short', async () => {
    const title = (text: string) => countPixels({ kind: 'title', text }, '16:9');
    expect((await title('Go now')).inside).toBeGreaterThan(4000);
  });
});
