import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { luminance } from '../../../../src/local-service/rendering/colour.ts';
import { FrameRenderer } from '../../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../../src/local-service/rendering/image-source.ts';
import { safeArea } from '../../../rigs/safe-area.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

const ASPECTS = ['16:9', '9:16', '1:1', '4:5'] as const;

function image(draw: (context: SKRSContext2D) => void, width = 800, height = 600): string {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  draw(context);
  return `data:image/png;base64,${canvas.toBuffer('image/png').toString('base64')}`;
}

function plain(colour: string, width?: number, height?: number): string {
  return image(
    (context) => {
      context.fillStyle = colour;
      context.fillRect(0, 0, 5000, 5000);
    },
    width,
    height,
  );
}

function rendererOf(fields: Record<string, unknown>): FrameRenderer {
  return new FrameRenderer(storyboard({ soundtrack: 'none', ...fields }), imageDecoder({}));
}

function at(canvas: Canvas, x: number, y: number): number {
  const [r = 0, g = 0, b = 0] = canvas
    .getContext('2d')
    .getImageData(Math.floor(x), Math.floor(y), 1, 1).data;
  return luminance(`#${[r, g, b].map((v) => v.toString(16).padStart(2, '0')).join('')}`);
}

/** The rows and columns that have white pixels, with a picture that is darker. */
function whiteBox(canvas: Canvas) {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const box = { left: width, top: height, right: -1, bottom: -1 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4;
      if (Math.min(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) < 250) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}

const contrastWithWhite = (behind: number) => 1.05 / (behind + 0.05);

describe('a picture behind the scenes', () => {
  it.each(ASPECTS)('is as dark behind white text as it must be, in %s', async (aspect) => {
    // A grey on which white is not readable, but that differs from the text.
    const renderer = rendererOf({
      aspect,
      picture: plain('#d8d8d8'),
      scenes: [{ kind: 'title', text: 'Over the clouds', seconds: 2 }],
    });
    for (const frame of [0, 20, renderer.frames - 1]) {
      const { canvas } = await renderer.draw(frame);
      const text = whiteBox(canvas);
      for (const y of [text.top, (text.top + text.bottom) / 2, text.bottom]) {
        const contrast = contrastWithWhite(at(canvas, canvas.width - 3, y));
        expect(contrast).toBeGreaterThanOrEqual(4.5);
        expect(contrast).toBeLessThan(aspect === '9:16' ? 12 : 5);
      }
    }
  });

  it('is not darkened where it is dark enough', async () => {
    const renderer = rendererOf({ picture: plain('#303030') });
    const { canvas } = await renderer.draw(0);
    for (const y of [5, 240, 470]) expect(at(canvas, 475, y)).toBeCloseTo(luminance('#303030'), 3);
  });

  it.each(ASPECTS)('has its text in the first and the last frame of %s', async (aspect) => {
    const renderer = rendererOf({ aspect, picture: plain('#203040') });
    const safe = safeArea(renderer.size);
    for (const frame of [0, renderer.frames - 1]) {
      const { canvas } = await renderer.draw(frame);
      const text = whiteBox(canvas);
      expect(text.right).toBeGreaterThan(text.left);
      expect(text.left).toBeGreaterThanOrEqual(safe.x);
      expect(text.right).toBeLessThanOrEqual(safe.x + safe.width);
      expect(text.top).toBeGreaterThanOrEqual(safe.y);
      expect(text.bottom).toBeLessThanOrEqual(safe.y + safe.height);
    }
  });

  it('moves in every frame, and shows no edge', async () => {
    const stripes = image((context) => {
      for (let x = 0; x < 800; x += 16) {
        context.fillStyle = x % 32 === 0 ? '#102030' : '#405060';
        context.fillRect(x, 0, 16, 600);
      }
    });
    const renderer = rendererOf({
      picture: stripes,
      scenes: [{ kind: 'title', text: '.', seconds: 5 }],
    });
    let changes = 0;
    for (let frame = 0; frame < 24; frame++) {
      const { canvas, changed } = await renderer.draw(frame);
      if (changed !== undefined) changes += 1;
      for (const [x, y] of [
        [0, 0],
        [479, 0],
        [0, 479],
        [479, 479],
      ] as const) {
        expect(at(canvas, x, y)).toBeGreaterThan(0.005);
      }
    }
    expect(changes).toBe(24);
  });

  it('keeps the text beside an upright picture in a wide frame', async () => {
    const renderer = rendererOf({
      aspect: '16:9',
      picture: plain('#804020', 600, 900),
      scenes: [{ kind: 'title', text: 'A longer title over the clouds', seconds: 2 }],
    });
    const { canvas } = await renderer.draw(0);
    const pictureWidth = (canvas.height * 600) / 900;
    expect(whiteBox(canvas).right).toBeLessThan(canvas.width - pictureWidth);
  });

  it('keeps the text beside an upright picture that moves towards it', async () => {
    const picture = image(
      (context) => {
        context.fillStyle = '#c08040';
        context.fillRect(0, 0, 900, 900);
        context.fillStyle = '#a06020';
        for (let y = 0; y < 900; y += 20) context.fillRect(600, y, 300, 10);
      },
      900,
      900,
    );
    const text = 'Steel, double walls, no plastic taste. Fits every holder.';
    const scenes = [{ kind: 'text', text, seconds: 7.5 }];
    const renderer = rendererOf({ aspect: '16:9', picture, scenes });
    const { canvas } = await renderer.draw(renderer.frames - 1);
    let edge = 0;
    while (at(canvas, edge, 4) < 0.2) edge += 1;
    expect(edge).toBeGreaterThan(canvas.width / 4);
    expect(whiteBox(canvas).right).toBeLessThan(edge - canvas.width * 0.02);
  });
});

describe('a wide picture in an upright frame', () => {
  const board = {
    aspect: '9:16',
    picture: plain('#809060', 1600, 900),
    scenes: [
      {
        kind: 'list',
        items: [
          'So many words that they would reach up into the picture',
          'And as many again, in a size that the frame would allow',
        ],
        seconds: 2,
      },
    ],
  };

  it('is above the text, and melts into the rest of the frame', async () => {
    const renderer = rendererOf(board);
    const { canvas } = await renderer.draw(0);
    const { width, height } = canvas;
    // Of a long text, the picture leaves more: it has gone at 0.46 of the height.
    expect(whiteBox(canvas).top).toBeGreaterThan(height * 0.42);
    expect(at(canvas, width / 2, height * 0.1)).toBeCloseTo(luminance('#809060'), 2);
    let [before, most] = [at(canvas, width - 3, 0), 0];
    for (let y = 1; y < height; y++) {
      const here = at(canvas, width - 3, y);
      most = Math.max(most, Math.abs(here - before));
      before = here;
    }
    expect(most).toBeLessThan(0.02);
  });

  it('keeps most of its width', async () => {
    // Red in the middle, from a quarter to three quarters.
    const picture = image(
      (context) => {
        context.fillStyle = '#204060';
        context.fillRect(0, 0, 1600, 900);
        context.fillStyle = '#c02020';
        context.fillRect(400, 0, 800, 900);
      },
      1600,
      900,
    );
    const { canvas } = await rendererOf({ ...board, picture }).draw(0);
    const y = canvas.height * 0.2;
    const pixels = canvas.getContext('2d').getImageData(0, y, canvas.width, 1).data;
    const red = Array.from({ length: canvas.width }, (_, x) => (pixels[4 * x] ?? 0) > 120);
    expect(red.filter(Boolean).length / canvas.width).toBeLessThan(0.96);
    expect(red[0]).toBe(false);
    expect(red.at(-1)).toBe(false);
  });
});

describe('a picture without a background', () => {
  const subject = image(
    (context) => {
      context.fillStyle = '#3060c0';
      context.fillRect(300, 350, 200, 250);
    },
    800,
    1000,
  );
  /** The box around blue pixels. */
  async function subjectOf(fields: Record<string, unknown>) {
    const scenes = [{ kind: 'title', text: 'A mug', seconds: 2 }];
    const { canvas } = await rendererOf({ picture: subject, scenes, ...fields }).draw(0);
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const box = { left: width, top: height, right: -1, bottom: -1 };
    for (let at = 0; at < width * height; at++) {
      const [r = 0, g = 0, b = 0] = data.subarray(4 * at, 4 * at + 3);
      if (b < 120 || b < 1.6 * g || b < 2 * r) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    return { canvas, box };
  }

  it.each(ASPECTS)('is as large as its place allows, without its margins: %s', async (aspect) => {
    const theme = { accent: '#e4572e' };
    const { canvas, box } = await subjectOf({ look: 'market', aspect, theme });
    const isWide = canvas.width > canvas.height;
    const pane = isWide ? canvas.height : canvas.height * 0.43;
    expect(box.bottom - box.top).toBeGreaterThan(pane * 0.8);
  });

  it.each(ASPECTS)('stands beside the text of the look Picture: %s', async (aspect) => {
    const { canvas, box } = await subjectOf({ look: 'picture', aspect });
    const text = whiteBox(canvas);
    const isWide = canvas.width > canvas.height;
    if (isWide) expect(text.right).toBeLessThan(box.left);
    else expect(text.top).toBeGreaterThan(box.bottom);
  });
});

describe('a logo', () => {
  it.each([
    ['white', '#ffffff', '#fafafa'],
    ['black', '#000000', '#080808'],
  ])(
    'that is %s can be seen on a picture of its colour, inside the safe area',
    async (_, own, behind) => {
      const renderer = rendererOf({ picture: plain(behind), logo: plain(own, 400, 100) });
      const { canvas } = await renderer.draw(0);
      const safe = safeArea(renderer.size);
      const logo = at(canvas, safe.x + safe.width - 2, safe.y + 2);
      const beside = at(canvas, safe.x + safe.width + 2, safe.y + 2);
      const [light, dark] = [Math.max(logo, beside), Math.min(logo, beside)];
      expect(logo).toBeCloseTo(luminance(own), 2);
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(2.9);
    },
  );

  it('stands on a video without a picture, too', async () => {
    const renderer = rendererOf({ logo: plain('#00ff00', 400, 100) });
    const { canvas } = await renderer.draw(0);
    const safe = safeArea(renderer.size);
    expect(at(canvas, safe.x + safe.width - 2, safe.y + 2)).toBeCloseTo(luminance('#00ff00'), 2);
  });
});

describe('a picture beside the text', () => {
  const LONG = { kind: 'list', heading: 'All', items: ['One', 'Two', 'Three', 'Four'], seconds: 3 };
  const SHORT = { kind: 'title', text: 'Short', seconds: 3 };
  const video = (fields: Record<string, unknown> = {}) =>
    rendererOf({
      look: 'lesson',
      aspect: '9:16',
      picture: plain('#ffffff'),
      scenes: [SHORT, { ...LONG, transition: 'fade' }, SHORT],
      ...fields,
    });
  /** The part of the frame's height that it has, at the left edge, a second into each scene. */
  async function heights(renderer: FrameRenderer): Promise<number[]> {
    const all: number[] = [];
    for (const seconds of [1, 4, 7]) {
      const { canvas } = await renderer.draw(seconds * 24);
      const rows = Array.from({ length: canvas.height }, (_, y) => at(canvas, 2, y));
      all.push(rows.filter((light) => light > 0.9).length / canvas.height);
    }
    return all;
  }

  it('is larger on a page with little text', async () => {
    const [first = 0, second = 0, third = 0] = await heights(video());
    expect(first).toBeGreaterThan(second + 0.1);
    expect(third).toBe(first);
  });

  it('keeps its size where movement is reduced', async () => {
    const [first, second] = await heights(video({ motion: 'reduced' }));
    expect(first).toBe(second);
  });

  it('stays as bright while one page fades into another', async () => {
    const renderer = video();
    for (let frame = 3 * 24; frame < 3 * 24 + 10; frame++) {
      const { canvas } = await renderer.draw(frame);
      expect(at(canvas, canvas.width / 2, canvas.height * 0.2), `${frame}`).toBe(1);
    }
  });

  it('has no edge where the darkening behind a text ends, while texts move', async () => {
    const renderer = rendererOf({
      look: 'picture',
      aspect: '16:9',
      picture: plain('#ffffff'),
      // The third one rises.
      scenes: [SHORT, SHORT, LONG],
    });
    const { canvas } = await renderer.draw(6 * 24 + 4);
    const column = Array.from({ length: canvas.height }, (_, y) => at(canvas, canvas.width - 3, y));
    const steps = column.slice(1).map((light, y) => Math.abs(light - (column[y] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(0.02);
  });
});
