/** A logo in the upper right corner of the safe area, at rest in every frame. */
import type { Canvas, Image } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { blackOver, whiteOver } from './colour.ts';
import type { DisplayList } from './display-list.ts';
import { type Box, safeArea } from './layout-context.ts';
import { luminanceBehind, meanLuminance, type MeasuredPicture } from './picture-backdrop.ts';

/** Its largest size, in parts of √(width × height). */
const MAX_WIDTH = 0.24;
const MAX_HEIGHT = 0.075;
/** WCAG 2, AA: the contrast of a shape with what is behind it. */
const CONTRAST = 3;
/** Between the logo and the edge of its plate, in parts of its height. */
const CLEAR_SPACE = 0.35;

export class Logo {
  readonly #canvas: Canvas;
  readonly #x: number;
  readonly #y: number;
  /** Behind a logo that would be hard to see on its picture. */
  #plate: Canvas | undefined;

  /** @param image not used once this returns */
  constructor(image: Image, frame: { readonly width: number; readonly height: number }) {
    const size = Math.sqrt(frame.width * frame.height);
    const scale = Math.min((MAX_WIDTH * size) / image.width, (MAX_HEIGHT * size) / image.height);
    const width = Math.max(1, Math.round(image.width * scale));
    const height = Math.max(1, Math.round(image.height * scale));
    this.#canvas = createCanvas(width, height);
    const context = this.#canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    const safe = safeArea(frame);
    this.#x = safe.x + safe.width - width;
    this.#y = safe.y;
  }

  /** Puts the logo on a plate, black or white, as opaque as it needs to be seen on this picture. */
  standOn(picture: MeasuredPicture, pane: Box): void {
    const { width, height } = this.#canvas;
    const own = meanLuminance(this.#canvas);
    const isLight = own > 0.3;
    const area = { x: this.#x - pane.x, y: this.#y - pane.y, width, height };
    const behind = luminanceBehind(area, pane, picture, isLight ? 0.9 : 0.1);
    const opacity = isLight
      ? blackOver(behind, (own + 0.05) / CONTRAST - 0.05)
      : whiteOver(behind, (own + 0.05) * CONTRAST - 0.05);
    if (opacity === 0) return;
    const space = this.#space;
    const plate = createCanvas(width + 2 * space, height + 2 * space);
    const context = plate.getContext('2d');
    const shade = isLight ? 0 : 255;
    context.fillStyle = `rgba(${shade},${shade},${shade},${opacity})`;
    context.beginPath();
    context.roundRect(0, 0, plate.width, plate.height, space);
    context.fill();
    this.#plate = plate;
  }

  get #space(): number {
    return Math.round(this.#canvas.height * CLEAR_SPACE);
  }

  draw(list: DisplayList): void {
    const space = this.#space;
    if (this.#plate) list.image(this.#plate, this.#x - space, this.#y - space, 1);
    list.image(this.#canvas, this.#x, this.#y, 1);
  }
}
