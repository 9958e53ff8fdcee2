/** A picture that fills the frame behind all scenes of a video, and moves slowly. */
import type { Canvas, Image } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import type { DisplayList } from './display-list.ts';
import type { Box } from './layout-context.ts';

/** How far the picture is enlarged until the end of the video, by second and at most. */
const ZOOM_PER_SECOND = 0.008;
const MAX_ZOOM = 0.06;
/** A picture is cropped to the frame's shape if at least this part of it stays. */
const MIN_KEPT = 0.58;
/** Standard deviation of the blur around a picture that is not cropped, in parts of √(width × height). */
const BLUR = 0.04;
/** Brightness of the blurred surroundings. */
const SURROUNDINGS = 0.6;
/** The longer side of the copy that brightness and detail are measured on, in pixels. */
const MEASURED_SIZE = 240;
/** A measured area goes this far beyond what it is for, because the picture moves behind it. */
const MOVEMENT = 0.04;

/** Brightness of the picture by pixel of a small copy: linear, 0–1. */
export interface MeasuredPicture {
  readonly width: number;
  readonly height: number;
  /** WCAG 2 relative luminance, row by row. */
  readonly luminance: Float32Array;
}

export class PictureBackdrop {
  readonly measured: MeasuredPicture;
  /** The left part of the frame that a picture leaves free, in pixels; all of it if there is none. */
  readonly textWidth: number;
  readonly #width: number;
  readonly #height: number;
  /** The picture at its final enlargement: frames only scale it down. */
  readonly #large: Canvas;
  readonly #zoom: number;
  readonly #length: number;
  /** Where the visible part ends: 0 is left or top, 1 right or bottom. */
  readonly #focus: { readonly x: number; readonly y: number };

  /**
   * @param image not used once this returns
   * @param seconds the length of the video
   */
  constructor(image: Image, { width, height }: { width: number; height: number }, seconds: number) {
    this.#width = width;
    this.#height = height;
    this.#length = seconds;
    this.#zoom = Math.min(MAX_ZOOM, ZOOM_PER_SECOND * seconds);
    const scale = 1 + this.#zoom;
    this.#large = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
    this.textWidth = Math.floor(drawPicture(image, this.#large) / scale);
    this.measured = measure(this.#large);
    this.#focus = focusOf(this.measured);
  }

  /** Covers the whole frame. @param seconds since the video began */
  draw(list: DisplayList, seconds: number): void {
    const progress = Math.min(1, Math.max(0, seconds / this.#length));
    const shown = 1 + this.#zoom * (1 - progress);
    const width = (this.#large.width * shown) / (1 + this.#zoom);
    const height = (this.#large.height * shown) / (1 + this.#zoom);
    const source = {
      x: (this.#large.width - width) * this.#focus.x,
      y: (this.#large.height - height) * this.#focus.y,
      width,
      height,
    };
    list.imagePart(this.#large, source, this.#frame, 1);
  }

  get #frame(): Box {
    return { x: 0, y: 0, width: this.#width, height: this.#height };
  }
}

/**
 * Crops the picture to the shape of `canvas`; if that would cut off too much, shows all of it over
 * a blurred and darker copy.
 * @returns the width for text, from the left
 */
function drawPicture(image: Image, canvas: Canvas): number {
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  const cover = Math.max(canvas.width / image.width, canvas.height / image.height);
  const kept = (canvas.width * canvas.height) / (image.width * image.height * cover * cover);
  // Transparent parts of a picture show this.
  context.fillStyle = '#000000';
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (kept >= MIN_KEPT) {
    drawCentred(image, canvas, cover);
    return canvas.width;
  }
  const blurred = createCanvas(Math.ceil(canvas.width / 4), Math.ceil(canvas.height / 4));
  drawCentred(image, blurred, cover / 4);
  const sigma = BLUR * Math.sqrt(canvas.width * canvas.height);
  context.filter = `blur(${sigma}px) brightness(${SURROUNDINGS})`;
  // Beyond the edges, where the blur would mix in black.
  const pad = 2 * sigma;
  context.drawImage(blurred, -pad, -pad, canvas.width + 2 * pad, canvas.height + 2 * pad);
  context.filter = 'none';
  const contain = Math.min(canvas.width / image.width, canvas.height / image.height);
  // In a wide frame, text stands on the left.
  const isWide = canvas.width > canvas.height;
  drawCentred(image, canvas, contain, isWide ? 1 : 0.5);
  const isUpright = image.width * contain < canvas.width;
  return isWide && isUpright ? canvas.width - image.width * contain : canvas.width;
}

/** @param across where the picture stands in its row: 0 is left, 1 is right */
function drawCentred(image: Image, canvas: Canvas, scale: number, across = 0.5): void {
  const width = image.width * scale;
  const height = image.height * scale;
  const x = (canvas.width - width) * across;
  canvas.getContext('2d').drawImage(image, x, (canvas.height - height) / 2, width, height);
}

function measure(large: Canvas): MeasuredPicture {
  const scale = MEASURED_SIZE / Math.max(large.width, large.height);
  const width = Math.max(1, Math.round(large.width * scale));
  const height = Math.max(1, Math.round(large.height * scale));
  const small = createCanvas(width, height);
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(large, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const luminance = new Float32Array(width * height);
  for (let i = 0; i < luminance.length; i++) luminance[i] = luminanceAt(data, i * 4);
  return { width, height, luminance };
}

/** The mean luminance of a canvas without its transparent pixels, 0–1. */
export function meanLuminance(canvas: Canvas): number {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let [sum, weight] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 0) / 255;
    sum += alpha * luminanceAt(data, at);
    weight += alpha;
  }
  return weight === 0 ? 0 : sum / weight;
}

/** The luminance of a part of the frame that this part of its pixels do not exceed, 0–1. */
export function luminanceBehind(
  area: Box,
  frame: { readonly width: number; readonly height: number },
  { width, height, luminance }: MeasuredPicture,
  part: number,
): number {
  const left = Math.floor((area.x / frame.width - MOVEMENT) * width);
  const right = Math.ceil(((area.x + area.width) / frame.width + MOVEMENT) * width);
  const top = Math.floor((area.y / frame.height - MOVEMENT) * height);
  const bottom = Math.ceil(((area.y + area.height) / frame.height + MOVEMENT) * height);
  const behind: number[] = [];
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      behind.push(luminance[y * width + x] ?? 0);
    }
  }
  behind.sort((one, other) => one - other);
  return behind[Math.floor((behind.length - 1) * part)] ?? 0;
}

/** WCAG 2 relative luminance of the pixel at an index of RGBA data. */
function luminanceAt(data: Uint8ClampedArray, at: number): number {
  return 0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2]);
}

function linear(byte = 0): number {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

/**
 * The visible part moves towards detail, so that the picture moves towards its calmer side. Halves
 * with about the same detail keep the middle.
 */
function focusOf({ width, height, luminance }: MeasuredPicture): { x: number; y: number } {
  const detail = { left: 0, right: 0, top: 0, bottom: 0 };
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const at = y * width + x;
      const here = luminance[at] ?? 0;
      const change =
        Math.abs(here - (luminance[at - 1] ?? 0)) + Math.abs(here - (luminance[at - width] ?? 0));
      detail[x < width / 2 ? 'left' : 'right'] += change;
      detail[y < height / 2 ? 'top' : 'bottom'] += change;
    }
  }
  return { x: sideOf(detail.left, detail.right), y: sideOf(detail.top, detail.bottom) };
}

function sideOf(before: number, after: number): number {
  if (before + after === 0) return 0.5;
  const part = after / (before + after);
  return Math.min(1, Math.max(0, 0.5 + (part - 0.5) * 4));
}
