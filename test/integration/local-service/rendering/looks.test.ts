import '../../../rigs/golden/no-system-fonts.ts';
import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { contrast, mix } from '../../../../src/local-service/rendering/colour.ts';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { gOf, paneOf } from '../../../../src/local-service/rendering/layout-context.ts';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import { LOOKS } from '../../../../src/local-service/rendering/looks/looks.ts';
import type { Storyboard } from '../../../../src/local-service/rendering/storyboard.ts';
import { sceneTimings } from '../../../../src/local-service/rendering/timeline.ts';
import { frameOf, type Frame } from '../../../rigs/golden/draw-list.ts';
import { dataUrl } from '../../../rigs/pictures.ts';
import { safeArea } from '../../../rigs/safe-area.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

const ASPECTS = ['16:9', '9:16', '1:1', '4:5'] as const;
const TITLE = { kind: 'title', text: 'Open late', subtitle: 'Until two in the night' };
const LIST = {
  kind: 'list',
  heading: 'Tonight',
  items: ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'],
};
const QUOTE = { kind: 'quote', text: 'Worth the walk, and the wait.', by: 'Ada' };

/** A picture that is bright everywhere, with dark parts. */
function bright(): string {
  const canvas = createCanvas(400, 300);
  const context = canvas.getContext('2d');
  for (let i = 0; i < 12; i++) {
    context.fillStyle = i % 3 === 0 ? '#404040' : '#fdfdf0';
    context.fillRect((i % 4) * 100, Math.floor(i / 4) * 100, 100, 100);
  }
  return dataUrl(canvas.encodeSync('png'));
}

const right = ({ x, width }: { x: number; width: number }) => x + width;
const bottom = ({ y, height }: { y: number; height: number }) => y + height;

/**
 * The least contrast of a frame's texts, as opaque as they are, with nearly all of the pixels around
 * each of them.
 */
function leastContrast({ texts, canvas }: Frame): number {
  const context = canvas.getContext('2d');
  const contrasts = texts.flatMap((text) => {
    // Its pixels begin at the edge, and it is decoration.
    if (text.text === '“') return [];
    const beside = [text.x - 3, right(text) + 2].flatMap((x) => {
      const { data } = context.getImageData(Math.round(x), Math.round(text.y), 1, text.height | 1);
      return Array.from({ length: data.length / 4 }, (_, at) => {
        const hex = [0, 1, 2].map((c) => (data[at * 4 + c] ?? 0).toString(16).padStart(2, '0'));
        return `#${hex.join('')}`;
      });
    });
    const all = beside.map((behind) => contrast(mix(behind, text.colour, text.opacity), behind));
    // A few pixels belong to the letters beside them.
    return all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.04)] ?? 0;
  });
  expect(contrasts).not.toEqual([]);
  return Math.min(...contrasts);
}

/** The poster of a video, scaled down to the same size for every resolution. */
async function greysOf(board: Storyboard): Promise<number[]> {
  const renderer = new FrameRenderer(board, imageDecoder({}));
  const { canvas } = await renderer.draw(renderer.posterFrame);
  const small = createCanvas(320, 180);
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, 320, 180);
  const { data } = context.getImageData(0, 0, 320, 180);
  return Array.from({ length: data.length / 4 }, (_, at) => data[at * 4 + 1] ?? 0);
}

describe.each(LOOK_NAMES)('the look %s', (look) => {
  it.each(ASPECTS)(
    'has readable text inside the safe area of %s, on any picture',
    async (aspect) => {
      for (const picture of [undefined, bright()]) {
        for (const scene of [TITLE, LIST, QUOTE]) {
          const fields = { look, aspect, picture, theme: { accent: '#e4572e' } };
          const board = storyboard({ ...fields, scenes: [{ ...scene, seconds: 3 }] });
          const frame = await frameOf(board, 0);
          const safe = safeArea(frame);
          for (const text of frame.texts) {
            if (text.text === '“') continue;
            expect(text.opacity, text.text).toBe(1);
            expect(text.x, text.text).toBeGreaterThanOrEqual(safe.x - 1);
            expect(right(text), text.text).toBeLessThanOrEqual(right(safe) + 1);
            expect(text.y, text.text).toBeGreaterThanOrEqual(safe.y - 1);
            expect(bottom(text), text.text).toBeLessThanOrEqual(bottom(safe) + 1);
            // Never too small for a phone.
            expect(text.size, text.text).toBeGreaterThanOrEqual(2.6 * gOf(frame));
          }
          expect(
            leastContrast(frame),
            `${scene.kind} ${picture?.length ?? 0}`,
          ).toBeGreaterThanOrEqual(4.5);
        }
      }
    },
  );

  it('keeps its text off a picture beside it', async () => {
    const { place, share } = LOOKS[look].picture;
    // In a wide frame, its lines would be as long as the frame.
    const scene = { kind: 'title', text: 'Open late on every night of the week', seconds: 3 };
    for (const aspect of place === 'beside' ? ASPECTS : []) {
      const fields = { look, aspect, picture: bright(), scenes: [scene] };
      const frame = await frameOf(storyboard(fields), 0);
      const pane = paneOf(frame, share, false);
      for (const text of frame.texts) {
        const isLeft = right(text) < pane.x;
        expect(isLeft || text.y > bottom(pane), text.text).toBe(true);
      }
    }
  });

  it('shows the same picture in a preview and in a video', async () => {
    for (const scene of [TITLE, LIST, QUOTE]) {
      const fields = {
        look,
        aspect: '16:9',
        picture: bright(),
        scenes: [{ ...scene, seconds: 3 }],
      };
      const preview = storyboard({ ...fields, resolution: 480 });
      const video = storyboard({ ...fields, resolution: 1080 });
      const [small, large] = [await frameOf(preview, 0), await frameOf(video, 0)];
      const scale = large.width / small.width;
      expect(small.texts.map(({ text }) => text)).toEqual(large.texts.map(({ text }) => text));
      for (const [index, text] of small.texts.entries()) {
        expect(text.x * scale).toBeCloseTo(large.texts[index]!.x, -1);
        expect(text.y * scale).toBeCloseTo(large.texts[index]!.y, -1);
      }
      const [dots, others] = [await greysOf(preview), await greysOf(video)];
      const far = dots.filter((grey, at) => Math.abs(grey - (others[at] ?? 0)) > 40);
      // Edges of letters fall on other pixels.
      expect(far.length / dots.length).toBeLessThan(0.025);
    }
  });

  it('has no two transitions or entrances alike beside each other', () => {
    const scenes = Array.from({ length: 6 }, () => ({ ...TITLE, seconds: 1 }));
    const kinds = sceneTimings(storyboard({ look, scenes })).map(({ transition }) => transition);
    // Dark text on paper would be seen through dark text.
    if (look === 'gallery') expect(kinds).not.toContain('fade');
    for (const [index, kind] of kinds.entries()) {
      if (index > 1) expect(kind).not.toBe(kinds[index - 1]);
    }
    const { arrivals } = LOOKS[look];
    expect(new Set(arrivals).size).toBe(arrivals.length);
  });

  it('only fades with reduced motion', async () => {
    const scenes = [TITLE, LIST, QUOTE].map((scene) => ({ ...scene, seconds: 2 }));
    const board = storyboard({ look, motion: 'reduced', picture: bright(), scenes });
    const transitions = sceneTimings(board).map(({ transition }) => transition);
    expect(transitions).toEqual(['none', 'fade', 'fade']);
    const renderer = new FrameRenderer(board, imageDecoder({}));
    let changes = 0;
    for (let frame = 0; frame < renderer.frames; frame++) {
      if ((await renderer.draw(frame)).changed) changes += 1;
    }
    // The first frame, and .3 s of each fade.
    expect(changes).toBeLessThanOrEqual(1 + 2 * (0.3 * board.fps + 2));
  });
});

describe.each(LOOK_NAMES)('in the middle of a page of the look %s', (look) => {
  const waits = LOOKS[look].list.steps;

  it.each([
    [LIST, waits],
    [QUOTE, LOOKS[look].arrivals[0] === 'lit'],
  ])('all text can be read on any ground and picture: %o', async (scene, isPale) => {
    for (const background of [undefined, '#8a8a8a', '#f4efe6', '#b00020']) {
      for (const picture of [undefined, bright()]) {
        const theme = { accent: '#e4572e', background };
        const scenes = [
          { kind: 'title', text: 'Before', seconds: 1 },
          { ...scene, transition: 'fade', seconds: 8 },
        ];
        const fields = { look, aspect: '16:9', resolution: 480, picture, theme, scenes };
        const board = storyboard(fields);
        const frame = await frameOf(board, 3.2);
        expect(
          leastContrast(frame),
          `${background ?? ''} ${picture?.length ?? 0}`,
        ).toBeGreaterThanOrEqual(4.5);
        // On medium grounds, text has hardly any contrast to spare.
        if (background === '#8a8a8a' || background === '#b00020') continue;
        const pale = frame.texts.filter(({ opacity }) => opacity < 0.95);
        expect(pale.length > 2, background ?? '').toBe(isPale);
      }
    }
  });
});

describe('what looks do with texts', () => {
  const after = (scene: Record<string, unknown>, look: string, seconds: number) =>
    frameOf(
      storyboard({
        aspect: '16:9',
        look,
        scenes: [{ kind: 'title', text: 'Before', transition: 'fade', seconds: 1 }, scene],
      }),
      1 + seconds,
    );
  const fade = { transition: 'fade', seconds: 6 };

  it('puts prices at the right edge, under one another', async () => {
    const items = ['Soup 6,50 €', 'Pie with pears: 12,00 €'];
    const frame = await after({ kind: 'list', items, ...fade }, 'market', 4);
    const prices = frame.texts.filter(({ text }) => text.includes('€'));
    expect(prices.map(({ text }) => text)).toEqual(['6,50\u00a0€', '12,00\u00a0€']);
    for (const price of prices) {
      expect(right(price)).toBeCloseTo(right(safeArea(frame)), -1);
      expect(price.features).toContain('tnum');
    }
  });

  it('sets a programme in columns', async () => {
    const items = ['12.05. · Berlin · Lido', '14.05. · Hamburg · Molotow'];
    const { texts } = await after({ kind: 'list', items, ...fade }, 'stage', 4);
    const [day, city, place, ...second] = texts;
    expect(texts.map(({ text }) => text)).toContain('HAMBURG');
    expect([day!.x, city!.x, place!.x]).toEqual(second.map(({ x }) => x));
    expect(city!.x).toBeGreaterThan(right(day!));
  });

  it('sets times in a column, and numbers none', async () => {
    for (const items of [
      ['14:00 Begrüßung', '14:30–15:30 Uhr Rundgang', '9 Uhr: Frühstück'],
      ['9 am Breakfast', '10:15 Welcome', '2.30 pm Tour'],
      ['12.09. Freiburg', '3.10.2026 Köln'],
    ]) {
      const scenes = [{ kind: 'list', items, seconds: 3 }];
      const { texts } = await frameOf(storyboard({ look: 'picture', aspect: '16:9', scenes }), 0);
      const times = texts.filter((_, at) => at % 2 === 0).map(({ x }) => x);
      const rest = texts.filter((_, at) => at % 2 === 1);
      expect(rest.map(({ text }) => text)).toEqual(items.map((item) => item.split(' ').at(-1)));
      expect(new Set(times).size).toBe(1);
      expect(new Set(rest.map(({ x }) => x)).size).toBe(1);
    }
    const scenes = [{ kind: 'list', items: ['10:15 Welcome', '3 chairs'], seconds: 3 }];
    const { texts } = await frameOf(storyboard({ look: 'picture', aspect: '16:9', scenes }), 0);
    expect(texts.map(({ text }) => text)).toEqual(['01', '10:15 Welcome', '02', '3 chairs']);
  });

  it('breaks no word and no date of a programme in any shape', async () => {
    const items = [
      '12 May · Berlin · Lido',
      '14 May · Hamburg · Molotow',
      '15 May · Köln · Gloria',
    ];
    for (const aspect of ASPECTS) {
      const scenes = [{ kind: 'list', items, seconds: 3 }];
      const { texts } = await frameOf(storyboard({ look: 'stage', aspect, scenes }), 0);
      // Where it is larger so, a place stands below its city, as small text.
      const place = (name = '') => (aspect === '16:9' ? name.toUpperCase() : name);
      expect(texts.map(({ text }) => text)).toEqual(
        items.flatMap((item) => {
          const [day = '', city = '', at] = item.split(' · ');
          return [day.toUpperCase(), city.toUpperCase(), place(at)];
        }),
      );
    }
  });

  it('shows one item of a lesson after the other, and all of them at the end', async () => {
    const items = ['First', 'Second', 'Third'];
    const scene = { kind: 'list', items, ...fade };
    const clear = async (seconds: number) => {
      const { texts } = await after(scene, 'lesson', seconds);
      return items.filter((item) => (texts.find(({ text }) => text === item)?.opacity ?? 0) > 0.9);
    };
    expect(await clear(1.7)).toEqual(['First']);
    expect(await clear(3)).toEqual(['Second']);
    expect(await clear(4.5)).toEqual(['Third']);
    expect(await clear(5.9)).toEqual(items);
  });

  it('lights the words of a quote one after the other', async () => {
    const scene = { kind: 'quote', text: 'one two three four five six', ...fade };
    const lit = async (seconds: number) =>
      (await after(scene, 'voice', seconds)).texts.filter(({ opacity }) => opacity === 1).length;
    const counts = [await lit(1), await lit(2.5), await lit(4), await lit(5.9)];
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBe(4);
  });

  it('fills the width with the words of a short title', async () => {
    const fields = {
      look: 'stage',
      scenes: [{ kind: 'title', text: 'Night festival', seconds: 2 }],
    };
    const frame = await frameOf(storyboard({ ...fields, aspect: '9:16' }), 0);
    expect(frame.texts.map(({ text }) => text)).toEqual(['NIGHT', 'FESTIVAL']);
    const safe = safeArea(frame);
    // Each of them, and so in a size of its own.
    for (const { text, width } of frame.texts) {
      expect(width, text).toBeGreaterThan(safe.width * 0.97);
    }
  });

  it('sets a programme of a few rows as large in a square as in a wide frame', async () => {
    const items = ['12 May · Berlin · Lido', '14 May · Hamburg · Molotow'];
    const sizeIn = async (aspect: string) => {
      const scenes = [{ kind: 'list', items, seconds: 3 }];
      const frame = await frameOf(storyboard({ look: 'stage', aspect, scenes }), 0);
      return frame.texts[0]!.size / gOf(frame);
    };
    expect(await sizeIn('1:1')).toBeGreaterThan(0.85 * (await sizeIn('16:9')));
  });

  it('sets all pages of a scene in one size, beside a picture of one size', async () => {
    const short = ['Push', 'Pull', 'A pair of scissors is two levers'];
    const long =
      'The longest lever in the world would still need somewhere firm to stand on its own';
    const list = { kind: 'list', heading: 'Levers', items: [...short, long, long, long] };
    const said = `${'This is said in the end. '.repeat(4)}${'And more, so that it takes a while. '.repeat(5)}`;
    const quote = { kind: 'quote', text: said, by: 'Ada' };
    const text = { kind: 'text', heading: 'Levers', text: said };
    // A heading has a size of its own, as the mark and the author of a quote have.
    for (const [scene, count] of [
      [list, 2],
      [text, 2],
      [quote, 3],
    ] as const) {
      const board = storyboard({
        look: 'lesson',
        aspect: '16:9',
        picture: bright(),
        scenes: [scene],
      });
      const timings = sceneTimings(board);
      expect(timings.length, scene.kind).toBeGreaterThan(1);
      const ends = timings.map(({ first, frames }) => (first + frames - 15) / board.fps);
      const pages = [];
      for (const at of ends) pages.push(await frameOf(board, at));
      const sizes = pages.flatMap(({ texts }) => texts.map(({ size }) => Math.round(size * 10)));
      expect(new Set(sizes).size, scene.kind).toBe(count);
      const firsts = pages.map(({ texts }) => Math.round(texts[0]!.y));
      expect(new Set(firsts).size, scene.kind).toBe(1);
    }
  });

  it('joins short words of a poster with the long ones beside them', async () => {
    const scenes = [{ kind: 'title', text: 'Ab auf die Autobahnen', seconds: 2 }];
    const { texts } = await frameOf(storyboard({ look: 'stage', aspect: '16:9', scenes }), 0);
    expect(texts.map(({ text }) => text)).toEqual(['AB\u00a0AUF\u00a0DIE\u00a0AUTOBAHNEN']);
  });

  it('keeps a number of a poster with its unit', async () => {
    const scenes = [{ kind: 'title', text: 'Karten ab 29 €', seconds: 2 }];
    const { texts } = await frameOf(storyboard({ look: 'stage', aspect: '1:1', scenes }), 0);
    expect(texts.map(({ text }) => text)).toEqual(['KARTEN', 'AB', '29\u00a0€']);
  });

  it('numbers no prices', async () => {
    const scenes = [{ kind: 'list', items: ['Soup 6,50 €', 'Pie 12,00 €'], seconds: 3 }];
    const { texts } = await frameOf(storyboard({ look: 'picture', aspect: '9:16', scenes }), 0);
    expect(texts.map(({ text }) => text)).toEqual(['Soup', '6,50\u00a0€', 'Pie', '12,00\u00a0€']);
  });

  it('sets a title in three lines where it would have four', async () => {
    const text =
      'Ein Haus am Krummsee mit Steg, Sauna, Garten, Boot und einem weiten Blick nach Westen';
    const fields = { look: 'picture', aspect: '16:9', picture: bright() };
    const scenes = [{ kind: 'title', text, seconds: 2 }];
    const { texts } = await frameOf(storyboard({ ...fields, scenes }), 0);
    expect(texts).toHaveLength(3);
  });

  it('sets items beside a picture in two lines where they would have three', async () => {
    const items = ['The sun always lights one half of the moon', 'The moon orbits the earth'];
    const fields = { look: 'lesson', aspect: '16:9', picture: bright() };
    const scenes = [{ kind: 'list', heading: 'Why', items, seconds: 3 }];
    const { texts } = await frameOf(storyboard({ ...fields, scenes }), 0);
    expect(texts.filter(({ text }) => !/^(?:\d\d|Why)$/u.test(text))).toHaveLength(4);
  });

  it('sets texts below a picture in an upright frame as large as without one', async () => {
    const text = 'Each one takes nine minutes on the wheel, two firings and a week of patience.';
    for (const look of ['market', 'lesson', 'gallery']) {
      const sizeOf = async (picture: string | undefined) => {
        const fields = {
          look,
          aspect: '9:16',
          picture,
          scenes: [{ kind: 'text', text, seconds: 3 }],
        };
        const { texts } = await frameOf(storyboard(fields), 0);
        return texts[0]!.size;
      };
      expect(await sizeOf(bright()), look).toBeGreaterThan(0.9 * (await sizeOf(undefined)));
    }
  });

  it('darkens a picture only behind the ink of a text', async () => {
    // White above the title, which begins at about a third of the height.
    const canvas = createCanvas(320, 180);
    const context = canvas.getContext('2d');
    context.fillRect(0, 0, 320, 180);
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, 320, 56);
    const fields = { look: 'stage', aspect: '16:9', picture: dataUrl(canvas.encodeSync('png')) };
    const scenes = [{ kind: 'title', text: 'Louder', seconds: 2 }];
    const board = storyboard({ ...fields, scenes });
    const { canvas: frame } = await new FrameRenderer(board, imageDecoder({})).draw(0);
    const { data } = frame.getContext('2d').getImageData(frame.width / 2, frame.height / 4, 1, 1);
    expect(data[0]).toBeGreaterThan(200);
  });

  it('hyphenates as few words as there must be', async () => {
    const text = 'Geschwindigkeitsbegrenzungen auf Bundesautobahnen';
    for (const look of LOOK_NAMES) {
      for (const aspect of ASPECTS) {
        const scenes = [{ kind: 'title', text, seconds: 2 }];
        const { texts } = await frameOf(storyboard({ look, aspect, scenes }), 0);
        const hyphens = texts.filter((line) => line.text.endsWith('-'));
        expect(hyphens.length, `${look} ${aspect}`).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('nothing stands for longer than 2.5 s', () => {
  const HOLD = 2.5;

  it('in a list of any look', async () => {
    for (const look of LOOK_NAMES) {
      for (const transition of ['fade', 'slide']) {
        const before = { kind: 'title', text: 'Before', seconds: 1 };
        const scenes = [before, { ...LIST, items: LIST.items.slice(0, 4), transition, seconds: 9 }];
        const fields = { look, aspect: '16:9', resolution: 480, fps: 24, scenes };
        const board = storyboard(fields);
        const linesAt = async (seconds: number) => {
          const { things } = await frameOf(board, seconds);
          return things.filter(({ kind, height }) => kind === 'box' && height <= 4);
        };
        for (let seconds = 2; seconds + HOLD <= 9; seconds += 1) {
          expect(await linesAt(seconds), look).not.toEqual(await linesAt(seconds + HOLD));
        }
      }
    }
  });

  it.each([5, 12, 40])('in a picture, through %d s', async (length) => {
    const scenes = [{ kind: 'title', text: '.', seconds: length }];
    const board = storyboard({ resolution: 480, fps: 24, picture: bright(), scenes });
    const widths: number[] = [];
    for (let seconds = 0; seconds <= length; seconds += HOLD / 2) {
      const { things } = await frameOf(board, seconds);
      widths.push(things.find(({ kind }) => kind === 'picture')!.width);
    }
    for (const [index, third] of widths.slice(2).entries()) {
      const [one = NaN, other = NaN] = widths.slice(index);
      const moved = Math.max(Math.abs(one - other), Math.abs(other - third));
      expect(moved / one, `${index * (HOLD / 2)}`).toBeGreaterThan(0.003);
    }
  });
});
