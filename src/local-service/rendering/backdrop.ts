import type { Canvas } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { withOpacity } from './colour.ts';
import type { Palette } from './palette.ts';
import type { DisplayList } from './display-list.ts';
import { seeded } from './seeded.ts';

/** Amplitude in 8-bit colour steps: enough to avoid banding, too little to look like noise. */
const GRAIN = 2.2;
/** Radius of the glow as a fraction of the longer side. */
const GLOW_RADIUS = 0.62;
/** Side of the glow's texture in pixels. It has no detail, so it can be scaled up. */
const GLOW_SIZE = 512;

/**
 * Positions of the glow per second. More would change no pixel by a whole colour step, and frames
 * without changes are drawn, converted and encoded several times faster.
 */
const GLOW_STEPS = 6;

/** The background of every scene: a gradient with grain, and a glow that drifts. */
export class Backdrop {
  readonly #width: number;
  readonly #height: number;
  readonly #background: Canvas;
  /** The current composition of background and glow. */
  #front: Canvas;
  /** The previous one: the last display list still refers to it, so the two are swapped. */
  #back: Canvas;
  #step = -1;
  readonly #glow: Canvas;
  readonly #phase: number;

  constructor(width: number, height: number, palette: Palette, seed: number) {
    this.#width = width;
    this.#height = height;
    const random = seeded(seed);
    this.#phase = random();
    this.#front = createCanvas(width, height);
    this.#back = createCanvas(width, height);
    this.#background = drawBackground(width, height, palette, random);
    this.#glow = drawGlow(GLOW_SIZE, palette);
  }

  /** Covers the whole picture. @param seconds since the video began */
  draw(list: DisplayList, seconds: number): void {
    const step = Math.floor(seconds * GLOW_STEPS);
    if (step !== this.#step) {
      this.#step = step;
      [this.#front, this.#back] = [this.#back, this.#front];
      this.#compose(step / GLOW_STEPS);
    }
    list.image(this.#front, 0, 0, 1);
  }

  #compose(seconds: number): void {
    const context = this.#front.getContext('2d');
    context.drawImage(this.#background, 0, 0);
    const angle = (this.#phase + seconds / 26) * 2 * Math.PI;
    const x = this.#width * (0.74 + 0.16 * Math.sin(angle));
    const y = this.#height * (0.2 + 0.14 * Math.cos(angle * 1.3));
    const radius = Math.max(this.#width, this.#height) * GLOW_RADIUS;
    context.drawImage(this.#glow, x - radius, y - radius, 2 * radius, 2 * radius);
  }
}

function drawBackground(
  width: number,
  height: number,
  palette: Palette,
  random: () => number,
): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, width * 0.35, height);
  gradient.addColorStop(0, palette.backgroundHigh);
  gradient.addColorStop(1, palette.backgroundLow);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  const pixels = context.getImageData(0, 0, width, height);
  const { data } = pixels;
  for (let i = 0; i < data.length; i += 4) {
    const grain = (random() + random() - 1) * GRAIN;
    for (let c = 0; c < 3; c++) data[i + c] = (data[i + c] ?? 0) + grain;
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

function drawGlow(size: number, palette: Palette): Canvas {
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  const radius = size / 2;
  const gradient = context.createRadialGradient(radius, radius, 0, radius, radius, radius);
  // A cosine, because a linear falloff has a visible edge.
  for (let i = 0; i <= 16; i++) {
    const r = i / 16;
    const opacity = palette.glowOpacity * (Math.cos(r * Math.PI) + 1) * 0.5;
    gradient.addColorStop(r, withOpacity(palette.glow, opacity));
  }
  context.fillStyle = gradient;
  context.fillRect(0, 0, size, size);
  return canvas;
}
