import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { FrameRenderer } from '../../../src/local-service/rendering/frame-renderer.ts';
import { imageDecoder } from '../../../src/local-service/rendering/image-source.ts';
import type { Storyboard } from '../../../src/local-service/rendering/storyboard.ts';

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Drawn extends Area {
  /** 0–1, of this and of everything that it was drawn on. */
  readonly opacity: number;
  /** The area to which it is clipped. */
  readonly clip: Area | undefined;
}

export interface DrawnText extends Drawn {
  readonly kind: 'text';
  readonly text: string;
  readonly colour: string;
  /** In pixels. */
  readonly size: number;
  readonly direction: string;
  readonly features: string;
}

export interface DrawnShape extends Drawn {
  readonly kind: 'box' | 'picture' | 'plate';
  /** Empty for a gradient and for a picture. */
  readonly colour: string;
}

export interface DrawnArc extends Drawn {
  readonly kind: 'arc';
  readonly colour: string;
  /** Radians, clockwise from the right. */
  readonly start: number;
  readonly end: number;
}

export type DrawnThing = DrawnText | DrawnShape | DrawnArc;

/** The content of a frame: everything that was drawn on it, also through other canvases. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly things: readonly DrawnThing[];
  readonly texts: readonly DrawnText[];
  /** Its pixels. */
  readonly canvas: Canvas;
}

/**
 * Draws one frame and lists the canvas calls. It intercepts the canvas library, so it is
 * independent of how the renderer lays out scenes.
 */
export async function frameOf(storyboard: Storyboard, seconds: number): Promise<Frame> {
  const recorder = new Recorder();
  try {
    const renderer = new FrameRenderer(storyboard, imageDecoder({}));
    const frame = Math.round(seconds * storyboard.fps);
    // A renderer draws its first frame completely.
    const { canvas } = await renderer.draw(frame);
    const things = recorder.thingsOn(canvas);
    const texts = things.filter((thing) => thing.kind === 'text');
    return { ...renderer.size, things, texts, canvas };
  } finally {
    recorder.stop();
  }
}

/**
 * Records the calls of every canvas until it is stopped. Transformations are ignored: none are
 * used.
 */
class Recorder {
  readonly #things = new Map<unknown, DrawnThing[]>();
  readonly #clips = new Map<unknown, (Area | undefined)[]>();
  readonly #rectangles = new Map<unknown, Area | undefined>();
  readonly #rounded = new Map<unknown, Area | undefined>();
  readonly #arcs = new Map<unknown, { area: Area; start: number; end: number } | undefined>();
  readonly #prototype = Object.getPrototypeOf(createCanvas(1, 1).getContext('2d')) as SKRSContext2D;
  readonly #originals = new Map<keyof SKRSContext2D, unknown>();

  constructor() {
    this.#intercept('save', (context) => this.#stackOf(context).push(this.#clipOf(context)));
    this.#intercept('restore', (context) => void this.#stackOf(context).pop());
    this.#intercept('beginPath', (context) => {
      for (const shapes of [this.#rectangles, this.#rounded, this.#arcs]) shapes.delete(context);
    });
    this.#intercept('rect', (context, [x, y, width, height]) =>
      this.#rectangles.set(context, areaOf(x, y, width, height)),
    );
    this.#intercept('roundRect', (context, [x, y, width, height]) =>
      this.#rounded.set(context, areaOf(x, y, width, height)),
    );
    this.#intercept('clip', (context) => {
      const stack = this.#stackOf(context);
      stack[stack.length - 1] = this.#rectangles.get(context);
    });
    this.#intercept('fillText', (context, [text, x, y]) => this.#addText(context, text, x, y));
    this.#intercept('fillRect', (context, [x, y, width, height]) =>
      this.#add(context, { kind: 'box', ...areaOf(x, y, width, height) }),
    );
    this.#intercept('fill', (context) => {
      const area = this.#rounded.get(context);
      if (area) this.#add(context, { kind: 'plate', ...area });
    });
    this.#intercept('arc', (context, [x, y, radius, start, end]) => {
      const area = areaOf(Number(x) - Number(radius), Number(y) - Number(radius), 0, 0);
      const diameter = 2 * Number(radius);
      this.#arcs.set(context, {
        area: { ...area, width: diameter, height: diameter },
        start: Number(start),
        end: Number(end),
      });
    });
    this.#intercept('stroke', (context) => {
      const arc = this.#arcs.get(context);
      if (!arc) return;
      const { area, start, end } = arc;
      const colour = colourOf(context.strokeStyle);
      this.#push(context, { kind: 'arc', ...area, start, end, colour, ...this.#style(context) });
    });
    this.#intercept('drawImage', (context, [image, ...numbers]) =>
      this.#addImage(context, image as Canvas | Image, numbers.map(Number)),
    );
  }

  thingsOn(canvas: Canvas): readonly DrawnThing[] {
    return this.#things.get(canvas) ?? [];
  }

  stop(): void {
    for (const [name, original] of this.#originals) {
      Object.defineProperty(this.#prototype, name, { value: original });
    }
  }

  #intercept(
    name: keyof SKRSContext2D,
    onCall: (context: SKRSContext2D, values: readonly unknown[]) => unknown,
  ): void {
    const original = this.#prototype[name] as (...values: unknown[]) => unknown;
    this.#originals.set(name, original);
    Object.defineProperty(this.#prototype, name, {
      configurable: true,
      writable: true,
      value(this: SKRSContext2D, ...values: unknown[]) {
        onCall(this, values);
        return original.apply(this, values);
      },
    });
  }

  #addText(context: SKRSContext2D, text: unknown, x: unknown, y: unknown): void {
    const size = Number(/(\d+(?:\.\d+)?)px/.exec(context.font)?.[1]);
    const { width } = context.measureText(String(text));
    this.#push(context, {
      kind: 'text',
      text: String(text),
      // From the height of capitals down to the baseline.
      ...areaOf(x, Number(y) - size * 0.73, width, size * 0.73),
      size,
      colour: colourOf(context.fillStyle),
      direction: context.direction,
      features: context.fontFeatureSettings,
      ...this.#style(context),
    });
  }

  #addImage(context: SKRSContext2D, image: Canvas | Image, numbers: readonly number[]): void {
    const [a = 0, b = 0, c = image.width, d = image.height] = numbers;
    const whole = areaOf(0, 0, image.width, image.height);
    const [from, to] =
      numbers.length === 8
        ? [areaOf(a, b, c, d), areaOf(numbers[4], numbers[5], numbers[6], numbers[7])]
        : [whole, areaOf(a, b, c, d)];
    const [wide, high] = [to.width / from.width, to.height / from.height];
    const { opacity, clip } = this.#style(context);
    const placed = (area: Area): Area => ({
      x: to.x + (area.x - from.x) * wide,
      y: to.y + (area.y - from.y) * high,
      width: area.width * wide,
      height: area.height * high,
    });
    const within = this.#things.get(image);
    if (!within) {
      // Its content is unknown: pixels, or a file that was decoded.
      this.#push(context, { kind: 'picture', colour: '', ...placed(whole), opacity, clip });
      return;
    }
    for (const thing of within) {
      const inner = thing.clip && placed(thing.clip);
      const shown = { ...placed(thing), opacity: thing.opacity * opacity, clip: inner ?? clip };
      this.#push(context, { ...thing, ...shown });
    }
  }

  #add(context: SKRSContext2D, shape: Area & Pick<DrawnShape, 'kind'>): void {
    this.#push(context, { ...shape, colour: colourOf(context.fillStyle), ...this.#style(context) });
  }

  #push(context: SKRSContext2D, thing: DrawnThing): void {
    const things = this.#things.get(context.canvas);
    if (things) things.push(thing);
    else this.#things.set(context.canvas, [thing]);
  }

  #style(context: SKRSContext2D): Pick<Drawn, 'opacity' | 'clip'> {
    return { opacity: context.globalAlpha, clip: this.#clipOf(context) };
  }

  #clipOf(context: SKRSContext2D): Area | undefined {
    return this.#stackOf(context).at(-1);
  }

  #stackOf(context: SKRSContext2D): (Area | undefined)[] {
    const known = this.#clips.get(context);
    if (known) return known;
    const stack = [undefined];
    this.#clips.set(context, stack);
    return stack;
  }
}

/** Gradients and patterns have no colour. */
function colourOf(style: SKRSContext2D['fillStyle']): string {
  return typeof style === 'string' ? style : '';
}

function areaOf(x: unknown, y: unknown, width: unknown, height: unknown): Area {
  return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}
