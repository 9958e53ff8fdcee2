import type { Canvas } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { fromHex, withOpacity } from './colour.ts';
import type { Palette } from './palette.ts';
import type { DisplayList } from './display-list.ts';
import { drawFigure } from './figure.ts';
import type { FigureKind } from './looks/look.ts';
import { seeded } from './seeded.ts';

/** Radius of the glow as a fraction of the longer side. */
const GLOW_RADIUS = 0.62;
/** Side of the glow's texture in pixels. It has no detail, so it can be scaled up. */
const GLOW_SIZE = 512;

/**
 * Positions of the glow per second. More would change no pixel by a whole colour step, and frames
 * without changes are drawn, converted and encoded several times faster.
 */
const GLOW_STEPS = 6;

/** The background of a page: a gradient, a glow that drifts, and noise, as far as a palette has them. */
export class Backdrop {
  readonly #isStill: boolean;
  readonly #width: number;
  readonly #height: number;
  readonly #background: Canvas;
  /** The current composition. */
  #front: Canvas;
  /** The previous one: the last display list still refers to it, so the two are swapped. */
  #back: Canvas;
  #step = -1;
  readonly #glow: Canvas | undefined;
  readonly #noise: Canvas | undefined;
  readonly #phase: number;
  readonly #figure: { readonly kind: FigureKind; readonly colour: string } | undefined;

  /** @param kind of the figure, if the palette has a colour for one; @param isStill whether nothing moves */
  constructor(
    { width, height }: { readonly width: number; readonly height: number },
    palette: Palette,
    seed: number,
    kind: FigureKind | undefined,
    isStill: boolean,
  ) {
    this.#isStill = isStill;
    const { figure: colour } = palette;
    this.#figure = kind && colour !== undefined ? { kind, colour } : undefined;
    this.#width = width;
    this.#height = height;
    this.#phase = seeded(seed)();
    this.#front = createCanvas(width, height);
    this.#back = createCanvas(width, height);
    this.#background = drawGradient(width, height, palette);
    const isPlain = fromHex(palette.glow).l === fromHex(palette.backgroundHigh).l;
    this.#glow = isPlain ? undefined : drawGlow(GLOW_SIZE, palette);
    const { grain } = palette;
    this.#noise =
      grain > 0 ? noiseOf({ width, height, grain, level: levelOf(palette), seed }) : undefined;
  }

  /** Covers the whole picture. @param seconds since the video began */
  draw(list: DisplayList, seconds: number): void {
    const moves = this.#glow !== undefined && !this.#isStill;
    const step = moves ? Math.floor(seconds * GLOW_STEPS) : 0;
    if (step !== this.#step) {
      this.#step = step;
      [this.#front, this.#back] = [this.#back, this.#front];
      this.#compose(step / GLOW_STEPS);
    }
    list.image(this.#front, 0, 0, 1);
    if (this.#figure === undefined) return;
    const { kind, colour } = this.#figure;
    const size = { width: this.#width, height: this.#height };
    const time = this.#isStill ? 0 : seconds;
    // On its own page, also while that moves.
    list.clipped({ x: 0, y: 0, ...size }, () => drawFigure(list, kind, size, colour, time));
  }

  #compose(seconds: number): void {
    const context = this.#front.getContext('2d');
    context.drawImage(this.#background, 0, 0);
    if (this.#glow) {
      const angle = (this.#phase + seconds / 26) * 2 * Math.PI;
      const x = this.#width * (0.74 + 0.16 * Math.sin(angle));
      const y = this.#height * (0.2 + 0.14 * Math.cos(angle * 1.3));
      const radius = Math.max(this.#width, this.#height) * GLOW_RADIUS;
      context.drawImage(this.#glow, x - radius, y - radius, 2 * radius, 2 * radius);
    }
    // Last, so that it also hides the steps that the glow is rounded to.
    if (this.#noise) context.drawImage(this.#noise, 0, 0);
  }
}

function drawGradient(width: number, height: number, palette: Palette): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, width * 0.35, height);
  gradient.addColorStop(0, palette.backgroundHigh);
  gradient.addColorStop(1, palette.backgroundLow);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  return canvas;
}

interface Noise {
  readonly width: number;
  readonly height: number;
  /** The most by which a channel is changed. */
  readonly grain: number;
  /** Of the background, 0–255. */
  readonly level: number;
  readonly seed: number;
}

/** The latest: frames of one video that are drawn one by one, as in previews, have the same. */
let latest: { readonly key: string; readonly canvas: Canvas } | undefined;

function noiseOf(noise: Noise): Canvas {
  const key = JSON.stringify(noise);
  if (latest?.key !== key) {
    // At most one is in memory.
    latest = undefined;
    latest = { key, canvas: drawNoise(noise) };
  }
  return latest.canvas;
}

/** Black and white as transparent as it must be to change the background by the grain. */
function drawNoise({ width, height, grain: most, level, seed }: Noise): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(width, height);
  const { data } = pixels;
  const random = seeded(seed);
  // The first number decides where the glow is.
  random();
  for (let i = 0; i < data.length; i += 4) {
    // Triangular, from -most to most.
    const grain = (random() + random() - 1) * most;
    const shade = grain > 0 ? 255 : 0;
    data[i] = shade;
    data[i + 1] = shade;
    data[i + 2] = shade;
    data[i + 3] = Math.round((255 * Math.abs(grain)) / Math.max(1, Math.abs(shade - level)));
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

/** The mean of the background's channels, 0–255. */
function levelOf({ backgroundHigh, backgroundLow }: Palette): number {
  const channels = [backgroundHigh, backgroundLow].flatMap((hex) =>
    [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
  );
  return channels.reduce((sum, each) => sum + each, 0) / channels.length;
}

function drawGlow(size: number, palette: Palette): Canvas {
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  const radius = size / 2;
  const gradient = context.createRadialGradient(radius, radius, 0, radius, radius, radius);
  // A cosine, because a linear falloff has a visible edge.
  for (let i = 0; i <= 16; i++) {
    const r = i / 16;
    gradient.addColorStop(r, withOpacity(palette.glow, (Math.cos(r * Math.PI) + 1) * 0.5));
  }
  context.fillStyle = gradient;
  context.fillRect(0, 0, size, size);
  return canvas;
}
