import type { Canvas } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { withOpacity } from './colour.ts';
import type { Palette } from './palette.ts';
import type { DisplayList } from './display-list.ts';
import { seeded } from './seeded.ts';

/** Grain in steps of 8-bit colour: enough to break up bands, too little to be seen as noise. */
const GRAIN = 2.2;
/** Radius of the light against the longer side. */
const GLOW_RADIUS = 0.62;
/** Pixels of the light's picture; it is soft enough to be drawn larger, over the ground's grain. */
const GLOW_SIZE = 512;

/**
 * Moves of the light a second. Between two of them it would change no pixel by a whole step of
 * colour, and a picture that stands still is drawn, converted and encoded several times faster.
 */
const GLOW_STEPS = 6;

/** What lies behind every scene: a soft slope of the background colour and a light that drifts. */
export class Backdrop {
  readonly #width: number;
  readonly #height: number;
  readonly #ground: Canvas;
  /** Background and light combined, valid until the light moves; then the other buffer is used. */
  #lit: Canvas;
  #spare: Canvas;
  #step = -1;
  readonly #glow: Canvas;
  readonly #phase: number;

  constructor(width: number, height: number, palette: Palette, seed: number) {
    this.#width = width;
    this.#height = height;
    const random = seeded(seed);
    this.#phase = random();
    this.#lit = createCanvas(width, height);
    this.#spare = createCanvas(width, height);
    this.#ground = ground(width, height, palette, random);
    this.#glow = glow(GLOW_SIZE, palette);
  }

  /** Covers the whole picture. @param seconds since the video began */
  draw(list: DisplayList, seconds: number): void {
    const step = Math.floor(seconds * GLOW_STEPS);
    if (step !== this.#step) {
      this.#step = step;
      [this.#lit, this.#spare] = [this.#spare, this.#lit];
      this.#light(step / GLOW_STEPS);
    }
    list.image(this.#lit, 0, 0, 1);
  }

  #light(seconds: number): void {
    const context = this.#lit.getContext('2d');
    context.drawImage(this.#ground, 0, 0);
    const angle = (this.#phase + seconds / 26) * 2 * Math.PI;
    const x = this.#width * (0.74 + 0.16 * Math.sin(angle));
    const y = this.#height * (0.2 + 0.14 * Math.cos(angle * 1.3));
    const radius = Math.max(this.#width, this.#height) * GLOW_RADIUS;
    context.drawImage(this.#glow, x - radius, y - radius, 2 * radius, 2 * radius);
  }
}

function ground(width: number, height: number, palette: Palette, random: () => number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const slope = context.createLinearGradient(0, 0, width * 0.35, height);
  slope.addColorStop(0, palette.backgroundHigh);
  slope.addColorStop(1, palette.backgroundLow);
  context.fillStyle = slope;
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

function glow(size: number, palette: Palette): Canvas {
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  const radius = size / 2;
  const light = context.createRadialGradient(radius, radius, 0, radius, radius, radius);
  // A bell curve: a straight fall would show an edge.
  for (let i = 0; i <= 16; i++) {
    const r = i / 16;
    const opacity = palette.glowOpacity * (Math.cos(r * Math.PI) + 1) * 0.5;
    light.addColorStop(r, withOpacity(palette.glow, opacity));
  }
  context.fillStyle = light;
  context.fillRect(0, 0, size, size);
  return canvas;
}
