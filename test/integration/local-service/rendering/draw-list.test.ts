import '../../../rigs/golden/no-system-fonts.ts';
import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { type DrawnThing, type Frame, frameOf } from '../../../rigs/golden/draw-list.ts';
import { dataUrl } from '../../../rigs/pictures.ts';
import { safeArea } from '../../../rigs/safe-area.ts';
import { EVERY_KIND, storyboard } from '../../../rigs/storyboards.ts';

type Fields = Readonly<Record<string, unknown>>;

const WIDE = { aspect: '16:9' };
const ofScene = (scene: Fields, fields: Fields = WIDE) =>
  storyboard({ ...fields, scenes: [{ seconds: 4, ...scene }] });
/** A scene after its entrance animations. */
const atRest = (scene: Fields, fields?: Fields) => frameOf(ofScene(scene, fields), 3);

/** Between the beginning of a fade and that of the scene that comes. */
const LEAVING = 0.1;

/** A scene some time after it began to appear over another one, whose text is “Before”. */
const entering = (scene: Fields, seconds: number, fields: Fields = WIDE) =>
  frameOf(
    storyboard({
      ...fields,
      scenes: [
        { kind: 'title', text: 'Before', seconds: 1 },
        { seconds: 4, ...scene },
      ],
    }),
    1 + LEAVING + seconds,
  );

const words = ({ texts }: Frame) => texts.map(({ text }) => text).join(' ');
const only = (frame: Frame, text: string) => {
  const found = frame.texts.filter((drawn) => drawn.text === text);
  expect(found, `“${text}” among “${words(frame)}”`).toHaveLength(1);
  return found[0]!;
};
const ofKind = <Kind extends DrawnThing['kind']>({ things }: Frame, kind: Kind) =>
  things.filter((thing): thing is DrawnThing & { kind: Kind } => thing.kind === kind);
/** Boxes except the background, which is a gradient. */
const plainBoxes = (frame: Frame) => ofKind(frame, 'box').filter(({ colour }) => colour !== '');
const right = ({ x, width }: { x: number; width: number }) => x + width;
const bottom = ({ y, height }: { y: number; height: number }) => y + height;
const middle = ({ x, width }: { x: number; width: number }) => x + width / 2;

function expectFullyShown({ texts, width, height }: Frame): void {
  const safe = safeArea({ width, height });
  for (const text of texts) {
    expect(text.opacity, text.text).toBe(1);
    // Its pixels begin at the edge, and its canvas slightly before.
    if (text.text === '“') continue;
    expect(text.x, text.text).toBeGreaterThanOrEqual(safe.x - 1);
    expect(right(text), text.text).toBeLessThanOrEqual(safe.x + safe.width + 1);
    expect(text.y, text.text).toBeGreaterThanOrEqual(safe.y - 1);
    expect(bottom(text), text.text).toBeLessThanOrEqual(safe.y + safe.height + 1);
  }
}

/** A picture of one colour. */
function pictureOf(width: number, height: number): string {
  return dataUrl(createCanvas(width, height).encodeSync('png'));
}

describe('a scene at rest shows its whole content', () => {
  it.each([
    [{ kind: 'title', text: 'Main', subtitle: 'Below it' }, 'Main Below it'],
    [{ kind: 'title', text: 'Alone' }, 'Alone'],
    [{ kind: 'text', heading: 'Over it', text: 'Body' }, 'Body Over it'],
    [{ kind: 'text', text: 'Body' }, 'Body'],
    [{ kind: 'quote', text: 'Said', by: 'Somebody' }, '“ Said — Somebody'],
    [{ kind: 'quote', text: 'Said' }, '“ Said'],
    [{ kind: 'list', heading: 'All', items: ['A', 'B', 'C'] }, 'All 01 A 02 B 03 C'],
    [{ kind: 'list', items: ['A', 'B'] }, '01 A 02 B'],
    [{ kind: 'list', items: ['• A', '• B'] }, '01 A 02 B'],
    [{ kind: 'list', items: ['1. A', '2. B'] }, '1. A 2. B'],
    [{ kind: 'list', items: ['- Tea 2,50 €', '- Pie 1,00 €'] }, 'Tea 2,50\u00a0€ Pie 1,00\u00a0€'],
    [
      { kind: 'list', items: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] },
      '01 A 02 B 03 C 04 D 05 E 06 F 07 G 08 H',
    ],
    [{ kind: 'countdown', from: 1, text: 'Until then' }, '1 Until then'],
    [{ kind: 'image', image: pictureOf(16, 9) }, ''],
  ])('%o', async (scene, expected) => {
    const frame = await atRest(scene);
    expect(words(frame)).toBe(expected);
    expectFullyShown(frame);
  });

  it.each(EVERY_KIND)('with its caption on a plate below the rest: $kind', async (scene) => {
    const frame = await atRest({ ...scene, transition: 'fade', caption: 'Spoken words' });
    const caption = only(frame, 'Spoken words');
    const plate = ofKind(frame, 'plate').at(-1)!;
    expectFullyShown(frame);
    expect(plate).toMatchObject({ colour: 'rgba(12, 11, 10, 0.74)', opacity: 1 });
    expect(middle(plate)).toBeCloseTo(frame.width / 2, 0);
    expect(middle(caption)).toBeCloseTo(frame.width / 2, 0);
    expect(caption).toMatchObject({ colour: '#ffffff' });
    expect(caption.y).toBeGreaterThan(plate.y);
    expect(bottom(caption)).toBeLessThan(bottom(plate));
    expect(bottom(plate)).toBeCloseTo(bottom(safeArea(frame)), 0);
    for (const text of frame.texts) {
      if (text !== caption) expect(bottom(text)).toBeLessThan(plate.y);
    }
    for (const arc of ofKind(frame, 'arc')) expect(bottom(arc)).toBeLessThan(plate.y);
  });

  it('with a long caption in at most a quarter of the safe area', async () => {
    const caption = 'Many words '.repeat(14);
    const frame = await atRest({ kind: 'title', text: 'Title', caption }, { aspect: '1:1' });
    const plate = ofKind(frame, 'plate').at(-1)!;
    expectFullyShown(frame);
    const safe = safeArea(frame);
    expect(plate.height).toBeLessThanOrEqual(Math.ceil(safe.height * 0.24));
    expect(plate.height).toBeGreaterThan(safe.height * 0.2);
    expect(plate.width).toBeLessThanOrEqual(safe.width);
  });

  it('with a caption that appears after the scene and stays', async () => {
    const scene = { kind: 'title', text: 'Title', caption: 'Spoken words' };
    const opacityAt = async (seconds: number) =>
      ofKind(await entering(scene, seconds), 'plate').at(-1)?.opacity ?? 0;
    expect(await opacityAt(0.3)).toBe(0);
    expect(await opacityAt(0.5)).toBeCloseTo(0.44, 1);
    expect(await opacityAt(0.7)).toBe(1);
    expect(await opacityAt(3.9)).toBe(1);
  });

  it('with many lines that have all begun to appear within a second', async () => {
    const scene = { kind: 'text', text: 'Some words of a long text. '.repeat(22) };
    const fields = { aspect: '9:16' };
    const [early, late] = [await entering(scene, 0.82, fields), await entering(scene, 3, fields)];
    expect(late.texts.length).toBeGreaterThan(8);
    expect(early.texts).toHaveLength(late.texts.length);
    expect(early.texts[0]!.opacity).toBeGreaterThan(early.texts.at(-1)!.opacity);
  });

  /** The longest text that a part may have. */
  const longest = (length: number) => 'Many words. '.repeat(50).slice(0, length).trim();

  it.each(['16:9', '9:16', '1:1'])('in %s, however long its texts are', async (aspect) => {
    const caption = longest(160);
    for (const scene of [
      { kind: 'title', text: longest(200), subtitle: longest(200), caption },
      { kind: 'text', heading: longest(120), text: longest(600), caption },
      { kind: 'quote', text: longest(500), by: longest(120), caption },
      { kind: 'list', heading: longest(120), items: ['1', '2', longest(160)], caption },
      { kind: 'countdown', from: 1, text: longest(120), caption },
    ]) {
      const frame = await atRest(scene, { aspect });
      expectFullyShown(frame);
      const [ring] = ofKind(frame, 'arc');
      const texts = frame.texts.filter(({ text }) => text !== '“' && !/^\d+$/.test(text));
      const areas = [...texts, ...(ring ? [ring] : [])].toSorted((a, b) => a.y - b.y);
      for (const [index, area] of areas.entries()) {
        const next = areas[index + 1];
        if (next) expect(next.y, scene.kind).toBeGreaterThan(bottom(area));
      }
    }
  });

  it.each(['16:9', '9:16', '1:1', '4:5'])('in %s, with lines under one another', async (aspect) => {
    const text = 'A heading of some length that needs more than one line in every aspect there is';
    const frame = await atRest({ kind: 'title', text, subtitle: 'End' }, { aspect });
    expect(words(frame)).toBe(`${text} End`);
    expectFullyShown(frame);
    expect(frame.texts.length).toBeGreaterThan(2);
    for (const [index, line] of frame.texts.entries()) {
      const next = frame.texts[index + 1];
      if (next) expect(next.y).toBeGreaterThan(bottom(line));
    }
  });
});

describe('a title', () => {
  it('is below a short bar, and larger the shorter it is', async () => {
    const frame = await atRest({ kind: 'title', text: 'Short', subtitle: 'Below' });
    const [title, subtitle] = [only(frame, 'Short'), only(frame, 'Below')];
    const [bar] = plainBoxes(frame);
    expect(bar).toMatchObject({ x: title.x, colour: '#ffb020', opacity: 1 });
    expect(bottom(bar!)).toBeLessThan(title.y);
    expect(title.size).toBeGreaterThan(2 * subtitle.size);
    const longer = await atRest({ kind: 'title', text: 'A longer one than that' });
    expect(longer.texts[0]!.size).toBeLessThan(title.size);
  });
});

describe('a list', () => {
  const list = { kind: 'list', heading: 'All', items: ['First', 'Second', 'Third'] };

  it('has each item beside its number, with a line between two', async () => {
    const frame = await atRest(list);
    // The line of the item whose turn it is has the accent's colour.
    const lines = plainBoxes(frame).filter(({ colour }) => colour !== '#ffb020');
    expect(lines).toHaveLength(2);
    for (const [index, item] of list.items.entries()) {
      const [number, text] = [only(frame, `0${index + 1}`), only(frame, item)];
      expect(number.y).toBeCloseTo(text.y);
      expect(right(number)).toBeLessThan(text.x);
      // Digits of equal width align the items.
      expect(number.features).toContain('tnum');
      expect(text.x).toBeCloseTo(only(frame, 'First').x);
      expect(text.size).toBe(only(frame, 'First').size);
      const line = lines[index];
      if (line) expect(line.y).toBeGreaterThan(bottom(text));
      if (line) expect(line.y).toBeLessThan(only(frame, list.items[index + 1]!).y);
      if (line) expect(line.width).toBeCloseTo(safeArea(frame).width, -1);
    }
  });

  it('gives all items the size of the longest one', async () => {
    const long = 'An item of so many words that it needs a smaller size than the others do';
    const others = ['First', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Last'];
    const frame = await atRest({ kind: 'list', items: [long, ...others, long] });
    const sizes = new Set(frame.texts.map(({ size }) => size));
    expect(sizes.size).toBe(1);
    expectFullyShown(frame);
    const short = await atRest({ kind: 'list', items: ['Second', ...others, 'End'] });
    expect(only(frame, 'First').size).toBeLessThan(only(short, 'First').size);
  });

  it('arrives one item after the other, from below', async () => {
    const [early, late] = [await entering(list, 0.33), await entering(list, 3)];
    const opacities = list.items.map(
      (item) => early.texts.find(({ text }) => text === item)?.opacity ?? 0,
    );
    expect(opacities).toEqual(opacities.toSorted((a, b) => b - a));
    expect(new Set(opacities).size).toBe(3);
    expect(only(early, 'First').y).toBeGreaterThan(only(late, 'First').y);
  });
});

describe('the lines of a list', () => {
  const linesAt = async (seconds: number, items: readonly string[], fields?: Fields) =>
    plainBoxes(await entering({ kind: 'list', items }, seconds, fields)).filter(
      ({ height }) => height < 3,
    );

  it('grow from the start of the text, one after the other', async () => {
    const items = ['First', 'Second', 'Third'];
    const [one, other] = await linesAt(29 / 60, items, { ...WIDE, fps: 60 });
    const [whole] = await linesAt(3, items);
    expect(one!.x).toBe(whole!.x);
    expect(one!.width).toBeLessThan(whole!.width * 0.95);
    expect(one!.width).toBeGreaterThan(whole!.width * 0.7);
    expect(other!.width).toBeLessThan(one!.width * 0.8);
    expect(await linesAt(0.28, items)).toEqual([]);
  });

  it('grow from the right for text from right to left', async () => {
    const items = ['אחד', 'שתיים', 'שלוש'];
    const [early] = await linesAt(0.5, items);
    const [whole] = await linesAt(3, items);
    expect(early!.width).toBeLessThan(whole!.width);
    expect(right(early!)).toBeCloseTo(right(whole!));
  });

  it('have a thickness in proportion to the picture, and at least one pixel', async () => {
    const heightIn = async (resolution: number) =>
      (await linesAt(3, ['One', 'Two'], { ...WIDE, resolution }))[0]!.height;
    expect([await heightIn(480), await heightIn(1080)]).toEqual([1, 2]);
  });
});

describe('a countdown', () => {
  const board = ofScene({ kind: 'countdown', from: 5, text: 'Until then', seconds: 5 });
  const numeral = (frame: Frame) => frame.texts.filter(({ text }) => /^\d+$/.test(text));
  const ring = (frame: Frame) => ofKind(frame, 'arc').at(-1)!;

  it('counts down to one, one number a second', async () => {
    const shown: string[][] = [];
    for (const second of [0, 1, 2, 3, 4]) {
      shown.push(numeral(await frameOf(board, second + 0.5)).map(({ text }) => text));
    }
    expect(shown).toEqual([['5'], ['4'], ['3'], ['2'], ['1']]);
  });

  it('has its number in the middle of a ring that runs out in each second', async () => {
    const parts: number[] = [];
    for (const seconds of [2.25, 2.5, 2.75]) {
      const frame = await frameOf(board, seconds);
      const [under, over] = ofKind(frame, 'arc');
      expect(under!.end - under!.start).toBeCloseTo(2 * Math.PI);
      expect(over!.start).toBeCloseTo(-Math.PI / 2);
      expect(middle(numeral(frame)[0]!)).toBeCloseTo(middle(over!), 0);
      parts.push((over!.end - over!.start) / (2 * Math.PI));
    }
    expect(parts.map((part) => part.toFixed(2))).toEqual(['0.75', '0.50', '0.25']);
    expect(ring(await frameOf(board, 2.25)).colour).toBe('#ffb020');
  });

  it('has each number rise into its place, and lift off from it', async () => {
    const rest = numeral(await frameOf(board, 2.5))[0]!;
    const unit = (await frameOf(board, 0)).height / 100;
    const coming = numeral(await frameOf(board, 2 + 1 / 24))[0]!;
    expect(coming.y - rest.y).toBeGreaterThan(unit);
    expect(coming.y - rest.y).toBeLessThanOrEqual(5 * unit);
    expect(coming.opacity).toBeLessThan(0.9);
    const going = numeral(await frameOf(board, 2 + 23 / 24))[0]!;
    expect(rest.y - going.y).toBeGreaterThan(unit);
    expect(rest.y - going.y).toBeLessThanOrEqual(3 * unit);
  });

  it('keeps its last number to the end', async () => {
    const scenes = [
      { kind: 'countdown', from: 3, seconds: 3 },
      { kind: 'title', text: 'After', transition: 'none', seconds: 1 },
    ];
    const frame = await frameOf(storyboard({ ...WIDE, scenes }), 2.95);
    expect(numeral(frame)[0]).toMatchObject({ text: '1', opacity: 1 });
  });

  it('fades a number out before the next one appears', async () => {
    expect(numeral(await frameOf(board, 1.95))[0]?.opacity ?? 0).toBeLessThan(0.5);
    expect(numeral(await frameOf(board, 4.5))[0]?.opacity).toBe(1);
  });
});

describe('an image', () => {
  it.each([
    [40, 30],
    [64, 30],
  ])('covers the whole frame, in its proportions, and zooms in: %d × %d', async (...size) => {
    const board = ofScene({ kind: 'image', image: pictureOf(...size) });
    const shown: number[] = [];
    for (const seconds of [1, 2, 3]) {
      const frame = await frameOf(board, seconds);
      const picture = ofKind(frame, 'picture').at(-1);
      expect(picture!.width / picture!.height).toBeCloseTo(size[0] / size[1], 1);
      expect(picture!.x).toBeLessThanOrEqual(0);
      expect(picture!.y).toBeLessThanOrEqual(0);
      expect(right(picture!)).toBeGreaterThanOrEqual(frame.width);
      expect(bottom(picture!)).toBeGreaterThanOrEqual(frame.height);
      expect(middle(picture!)).toBeCloseTo(frame.width / 2, 0);
      // Of people and buildings, the upper part matters more.
      expect(-picture!.y).toBeLessThan(bottom(picture!) - frame.height + 0.01);
      expect(picture!.opacity).toBe(1);
      shown.push(picture!.width);
    }
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    expect(new Set(shown).size).toBe(3);
  });

  it.each([
    [30, 90],
    [300, 40],
  ])(
    'is in the middle, and most of it whole, if it has another shape: %d × %d',
    async (...size) => {
      const frame = await atRest({ kind: 'image', image: pictureOf(...size) });
      const picture = ofKind(frame, 'picture').at(-1)!;
      expect(picture.width / picture.height).toBeCloseTo(size[0] / size[1], 1);
      expect(middle(picture)).toBeCloseTo(frame.width / 2, 0);
      const kept = Math.min(frame.width / picture.width, frame.height / picture.height);
      expect(kept).toBeGreaterThan(0.7);
      expect(kept).toBeLessThan(0.8);
    },
  );
});

describe('a gallery', () => {
  const SHAPES = [
    [64, 36],
    [30, 90],
    [60, 60],
  ] as const;
  const images = SHAPES.map(([wide, high]) => pictureOf(wide, high));
  const scenes = [
    { kind: 'title', text: 'Before', seconds: 2 },
    { kind: 'gallery', images, seconds: 6 },
    { kind: 'title', text: 'After', seconds: 2 },
  ];
  const ratioAt = async (fields: Fields, seconds: number): Promise<number> => {
    const frame = await frameOf(storyboard({ ...WIDE, scenes, ...fields }), seconds);
    const { width, height } = ofKind(frame, 'picture').at(-1)!;
    return width / height;
  };

  it('shows each picture as long, and the first behind the other scenes', async () => {
    const shown: number[] = [];
    for (const seconds of [1, 3.5, 5.5, 7.5, 9.5]) shown.push(await ratioAt({}, seconds));
    const [wide, high, square] = SHAPES.map(([width, height]) => width / height);
    const expected = [wide, wide, high, square, wide];
    for (const [at, ratio] of shown.entries()) expect(ratio).toBeCloseTo(expected[at]!, 1);
  });

  it('leaves the picture of the video behind the other scenes', async () => {
    expect(await ratioAt({ picture: pictureOf(40, 30) }, 1)).toBeCloseTo(4 / 3, 1);
  });
});

describe('a transition', () => {
  const FIRST = 2;
  const boardOf = (transition: string) =>
    storyboard({
      ...WIDE,
      scenes: [
        { kind: 'title', text: 'Before', seconds: FIRST },
        { kind: 'title', text: 'After', transition, seconds: 2 },
      ],
    });
  const at = (transition: string, seconds: number) => frameOf(boardOf(transition), FIRST + seconds);

  it('slides both scenes to the left, one pushing the other', async () => {
    const rest = only(await at('slide', -0.2), 'Before').x;
    const settled = only(await at('slide', 1.5), 'After').x;
    const frame = await at('slide', 4 / 24);
    const moved = rest - only(frame, 'Before').x;
    expect(moved).toBeGreaterThan(frame.width * 0.3);
    expect(moved).toBeLessThan(frame.width * 0.7);
    expect(only(frame, 'After').x).toBeCloseTo(settled + frame.width - moved, -1);
    // The two are not read as one line.
    expect(only(frame, 'Before').opacity).toBeLessThan(0.5);
    expect(words(await at('slide', 0.5))).toBe('After');
  });

  it('wipes one scene over the other, with an edge between them', async () => {
    const frame = await at('wipe', 4 / 24);
    const [before, after] = [only(frame, 'Before'), only(frame, 'After')];
    const edge = plainBoxes(frame).at(-1)!;
    expect(edge).toMatchObject({ y: 0, height: frame.height, colour: '#ffb020', opacity: 1 });
    expect(edge.x).toBeGreaterThan(frame.width * 0.3);
    expect(edge.x).toBeLessThan(frame.width * 0.7);
    expect(after.clip).toMatchObject({ x: 0, width: edge.x });
    // The old scene does not show through.
    expect(before).toMatchObject({ opacity: 1, clip: { x: edge.x } });
    expect(words(await at('wipe', 0.5))).toBe('After');
  });

  it('of kind “fade” has one text leave before the other one comes', async () => {
    expect(only(await at('fade', -1 / 24), 'Before').opacity).toBe(1);
    const opacities: (readonly [before: number, after: number])[] = [];
    for (let frame = 0; frame < 10; frame++) {
      const { texts } = await at('fade', frame / 24);
      const opacity = (wanted: string) => texts.find(({ text }) => text === wanted)?.opacity ?? 0;
      opacities.push([opacity('Before'), opacity('After')]);
    }
    for (const [before, after] of opacities) {
      expect(Math.min(before, after), String(opacities)).toBeLessThan(0.6);
      // No frame is empty.
      expect(Math.max(before, after), String(opacities)).toBeGreaterThan(0.3);
    }
    expect(words(await at('fade', 0.4))).toBe('After');
  });

  it('of kind “none” is a cut to a complete scene', async () => {
    expect(only(await at('none', -1 / 24), 'Before').opacity).toBe(1);
    expect(only(await at('none', 0), 'After').opacity).toBe(1);
    expect(words(await at('none', 0))).toBe('After');
  });
});

describe('the first and the last frame', () => {
  const scenes = EVERY_KIND.map((scene) => ({ ...scene, seconds: 2 }));

  it.each(scenes)('show the whole of a scene: $kind', async (scene) => {
    const board = storyboard({ ...WIDE, scenes: [{ ...scene, transition: 'fade' }] });
    const [first, last] = [await frameOf(board, 0), await frameOf(board, 2 - 1 / 24)];
    expect(first.things.length).toBeGreaterThan(3);
    for (const frame of [first, last]) expectFullyShown(frame);
    if (scene.kind !== 'countdown') expect(words(last)).toBe(words(first));
  });

  it('are the same for a video that repeats, and the last scene leaves for the first', async () => {
    const board = storyboard({
      ...WIDE,
      loop: true,
      scenes: [
        { kind: 'title', text: 'Opening', seconds: 2 },
        { kind: 'title', text: 'Closing', seconds: 2 },
      ],
    });
    expect(words(await frameOf(board, 3.5))).toBe('Closing');
    const leaving = only(await frameOf(board, 3.75), 'Closing').opacity;
    const coming = only(await frameOf(board, 3.85), 'Opening').opacity;
    for (const opacity of [leaving, coming]) {
      expect(opacity).toBeGreaterThan(0);
      expect(opacity).toBeLessThan(1);
    }
    const end = await frameOf(board, 4 - 1 / 24);
    expect(only(end, 'Opening').opacity).toBe(1);
  });
});

describe('text from right to left', () => {
  it('begins at the right, with its bar and its quotation mark', async () => {
    const frame = await atRest({ kind: 'title', text: 'שלום', subtitle: 'עולם' });
    expectFullyShown(frame);
    for (const text of frame.texts) {
      expect(text.direction).toBe('rtl');
      expect(right(text)).toBeCloseTo(right(safeArea(frame)), -1);
    }
    expect(right(plainBoxes(frame)[0]!)).toBeCloseTo(right(safeArea(frame)), -1);
    const quote = await atRest({ kind: 'quote', text: 'שלום', by: 'עולם' });
    expect(only(quote, '“').x).toBeGreaterThan(quote.width * 0.75);
  });

  it('has the numbers of a list to the right of its items', async () => {
    const frame = await atRest({ kind: 'list', items: ['אחד', 'שתיים'] });
    for (const [index, item] of ['אחד', 'שתיים'].entries()) {
      expect(only(frame, `0${index + 1}`).x).toBeGreaterThan(right(only(frame, item)));
    }
  });

  it('does not move text from left to right', async () => {
    const frame = await atRest({ kind: 'title', text: 'Left', subtitle: 'Also' });
    for (const text of frame.texts)
      expect(text).toMatchObject({ direction: 'ltr', x: safeArea(frame).x });
  });
});

describe('the background', () => {
  it('has a light that drifts', async () => {
    const board = ofScene({ kind: 'title', text: 'Light', seconds: 12 });
    const light = async (seconds: number) =>
      ofKind(await frameOf(board, seconds), 'box').find(({ width, height }) => width === height)!;
    const [early, late] = [await light(1), await light(9)];
    expect(early.opacity).toBe(1);
    expect(Math.hypot(late.x - early.x, late.y - early.y)).toBeGreaterThan(40);
  });

  it('has grain, which hides bands of its gradient', async () => {
    const renderer = new FrameRenderer(ofScene({ kind: 'title', text: 'Grain' }), imageDecoder({}));
    const { canvas } = await renderer.draw(0);
    const { data } = canvas.getContext('2d').getImageData(0, 400, 200, 1);
    const greens = Array.from({ length: 200 }, (_, pixel) => data[pixel * 4 + 1]!);
    const steps = greens.slice(1).map((green, index) => Math.abs(green - greens[index]!));
    // The gradient alone has steps of single levels, which the canvas dithers.
    expect(steps.filter((step) => step > 1).length).toBeGreaterThan(30);
    expect(Math.max(...steps)).toBeLessThan(8);
  });
});

describe('a list with prices', () => {
  const UPRIGHT = { aspect: '9:16', look: 'gallery' };

  it('gives an item without a price the whole row', async () => {
    const item = 'High ceilings';
    const list = await atRest({ kind: 'list', items: ['Rent 1,480.00 €', item] }, UPRIGHT);
    only(list, item);
  });

  it('puts quantities and years under the prices', async () => {
    const items = ['Price 745,000 €', 'Garden 620 m²', 'Built 2021'];
    const list = await atRest({ kind: 'list', items }, UPRIGHT);
    const ends = ['745,000\u00a0€', '620\u00a0m²', '2021'].map((text) => right(only(list, text)));
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(2);
  });
});

it('puts the last column of a programme under the second one in an upright frame', async () => {
  const items = ['3 April · Bristol · Lantern', '5 April · Leeds · Wire Room'];
  const list = await atRest({ kind: 'list', items }, { aspect: '9:16' });
  const [city, place] = [only(list, 'Bristol'), only(list, 'Lantern')];
  expect(place.y).toBeGreaterThan(bottom(city) - city.height / 2);
  expect(Math.abs(place.x - city.x)).toBeLessThan(3);
});

it.each(['market', 'stage'])('has a moving background without a picture: %s', async (look) => {
  const scenes = [{ kind: 'title', text: 'Sale', seconds: 4 }];
  const movesIn = async (motion: string) => {
    const renderer = new FrameRenderer(storyboard({ look, motion, scenes }), imageDecoder({}));
    await renderer.draw(48);
    return (await renderer.draw(49)).changed !== undefined;
  };
  expect(await movesIn('full')).toBe(true);
  expect(await movesIn('reduced')).toBe(false);
});
