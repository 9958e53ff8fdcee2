/** A video's picture, behind its text or beside it, which moves slowly. */
import type { Canvas, Image } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { fromHex, toHex } from './colour.ts';
import type { DisplayList } from './display-list.ts';
import type { Box } from './layout-context.ts';

/** How far the picture is enlarged, by second and at most. */
const ZOOM_PER_SECOND = 0.008;
const MAX_ZOOM = 0.06;
/** About as long the picture is enlarged, and as long made smaller again, so that it never stands. */
const ZOOM_SECONDS = MAX_ZOOM / ZOOM_PER_SECOND;
/** A picture is cropped to the frame's shape if at least this part of it stays. */
const MIN_KEPT = 0.58;
/** This part of another one stays, so that it fills more of a frame of another shape. */
const MOSTLY = 0.75;
/** Where a picture is cut off: this part above, the rest below. */
const UPPER = 0.32;
/** Standard deviation of the blur around a picture that is not cropped, in parts of √(width × height). */
const BLUR = 0.04;
/** Brightness of the blurred surroundings. */
const SURROUNDINGS = 0.6;
/** A picture that is too wide has this part of an upright frame's height, above the text. */
const BAND = { short: 0.6, long: 0.46, captioned: 0.4 };
/** Over this part of the height, its lower edge melts into its surroundings. */
const MELT = 0.14;
/** The part of its pane that a picture without a background takes. */
const CUT_OUT = 0.88;
/** The side of the copy on which its outline is looked for, in pixels. */
const OUTLINE_SIZE = 96;
/** A picture has no background if at least this part of it is transparent. */
const MIN_CLEAR = 0.08;
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

/** How a picture is shown in its part of the frame. */
export interface PictureStyle {
  /** The part of the frame, in pixels. */
  readonly pane: Box;
  /** CSS filters. */
  readonly filter?: string | undefined;
  /** Standard deviation of its blur, in pixels. */
  readonly blur: number;
  /** The colours of black and of white. */
  readonly duotone?: { readonly dark: string; readonly light: string } | undefined;
  /** Whether it is cropped to its pane however much that cuts off. */
  readonly covers: boolean;
  /** Opacity of black over it. */
  readonly scrim: number;
  /**
   * How much there is: a picture above a long text is smaller, and more so above captions. Without
   * any, it is in the middle.
   */
  readonly text: 'none' | 'short' | 'long' | 'captioned';
  /** Is behind a picture that is partly transparent. */
  readonly ground: string;
  /** Whether it is drawn with the picture; otherwise the page has it. */
  readonly hasGround: boolean;
  readonly isStill: boolean;
  /** The length of the video, in seconds. */
  readonly seconds: number;
}

export class PictureBackdrop {
  readonly measured: MeasuredPicture;
  /** The part of its pane for text, in pixels; all of it if text stands on the picture. */
  readonly textArea: Box;
  /** The largest part of the frame that it can have. */
  readonly pane: Box;
  /** Whether it stands free on the page, and is shown whole in every pane. */
  readonly #isCutOut: boolean;
  /** The picture at its final enlargement: frames only scale it down. */
  readonly #large: Canvas;
  readonly #zoom: number;
  readonly #length: number;
  /** Where the visible part ends: 0 is left or top, 1 right or bottom. */
  readonly #focus: { readonly x: number; readonly y: number };

  /** @param image not used once this returns */
  constructor(image: Image, style: PictureStyle) {
    const { pane, seconds } = style;
    this.pane = pane;
    this.#length = seconds;
    this.#zoom = style.isStill ? 0 : Math.min(MAX_ZOOM, ZOOM_PER_SECOND * seconds);
    const scale = 1 + this.#zoom;
    const size = [Math.ceil(pane.width * scale), Math.ceil(pane.height * scale)] as const;
    const plain = createCanvas(...size);
    const outline = outlineOf(image);
    this.#isCutOut = outline !== undefined && style.covers;
    const area = drawPicture(image, plain, style, outline);
    this.#large = isTreated(style) ? treat(plain, createCanvas(...size), style) : plain;
    this.measured = measure(this.#large, style.ground);
    this.#focus = focusOf(this.measured);
    const [x, y] = [Math.ceil(area.x / scale), Math.ceil(area.y / scale)];
    // What is beside the text moves towards it.
    const towards = (plain.width - pane.width) * this.#focus.x;
    const edge = area.x + area.width;
    const right = Math.floor(Math.min(edge / scale, edge - towards));
    this.textArea = { x, y, width: right - x, height: pane.height - y };
  }

  /**
   * Covers a pane.
   * @param seconds since the video began
   * @param pane its own, or a smaller one
   */
  draw(list: DisplayList, seconds: number, pane: Box): void {
    const turns = Math.max(1, Math.round(this.#length / ZOOM_SECONDS));
    const progress = (1 - Math.cos((seconds / this.#length) * turns * Math.PI)) / 2;
    const shown = 1 + this.#zoom * (1 - progress);
    const width = (this.#large.width * shown) / (1 + this.#zoom);
    const height = (this.#large.height * shown) / (1 + this.#zoom);
    const source = {
      x: (this.#large.width - width) * this.#focus.x,
      y: (this.#large.height - height) * this.#focus.y,
      width,
      height,
    };
    const { width: whole, height: high } = this.pane;
    if (this.#isCutOut) {
      const scale = Math.min(pane.width / whole, pane.height / high);
      const size = { width: whole * scale, height: high * scale };
      const x = pane.x + (pane.width - size.width) / 2;
      const y = pane.y + (pane.height - size.height) / 2;
      list.imagePart(this.#large, source, { x, y, ...size }, 1);
      return;
    }
    const cropped = { width: (width * pane.width) / whole, height: (height * pane.height) / high };
    const x = source.x + (width - cropped.width) / 2;
    const y = source.y + (height - cropped.height) * UPPER;
    list.imagePart(this.#large, { x, y, ...cropped }, pane, 1);
  }
}

/** How a look treats a picture. */
export type Treatment = Pick<PictureStyle, 'filter' | 'blur' | 'duotone' | 'scrim'>;

/** Whether a look changes its pictures. */
export function isTreated({ filter, blur, duotone, scrim }: Treatment): boolean {
  return filter !== undefined || blur > 0 || duotone !== undefined || scrim > 0;
}

/** Draws a picture with its look's filters to a canvas of the same size. */
export function treat(plain: Canvas, canvas: Canvas, style: Treatment): Canvas {
  const { filter, blur, duotone, scrim } = style;
  const { width, height } = plain;
  const filters = [filter, blur > 0 ? `blur(${blur}px)` : undefined].filter(Boolean);
  const context = canvas.getContext('2d');
  if (filters.length > 0) context.filter = filters.join(' ');
  // Beyond the edges, where a blur would mix in nothing.
  const pad = 2 * blur;
  context.drawImage(plain, -pad, -pad, width + 2 * pad, height + 2 * pad);
  context.filter = 'none';
  if (duotone) colourIn(canvas, duotone);
  context.fillStyle = `rgba(0,0,0,${scrim})`;
  context.fillRect(0, 0, width, height);
  return canvas;
}

/** Replaces every brightness by a colour between two, mixed in OKLCH. */
function colourIn(canvas: Canvas, { dark, light }: { dark: string; light: string }): void {
  const context = canvas.getContext('2d');
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  const [from, to] = [fromHex(dark), fromHex(light)];
  const turn = ((to.h - from.h + 540) % 360) - 180;
  const colours = Array.from({ length: 256 }, (_, level) => {
    const t = level / 255;
    const hex = toHex({
      l: from.l + (to.l - from.l) * t,
      c: from.c + (to.c - from.c) * t,
      h: from.h + turn * t,
    });
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  });
  for (let i = 0; i < data.length; i += 4) {
    const level = 0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0);
    const [r = 0, g = 0, b = 0] = colours[Math.round(level)] ?? [];
    data[i] = r;
    data[i + 1] = g;
    data[i + 2] = b;
  }
  context.putImageData(pixels, 0, 0);
}

/**
 * Crops the picture to the shape of `canvas`. If that would cut off too much, the picture has a part
 * of it, and the rest a blurred and darker copy. A picture with transparent parts stands free on the
 * ground.
 * @param outline of a picture with transparent parts
 * @returns the area for text
 */
function drawPicture(
  image: Image,
  canvas: Canvas,
  style: PictureStyle,
  outline: Box | undefined,
): Box {
  const { width, height } = canvas;
  const all = { x: 0, y: 0, width, height };
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  if (style.hasGround) {
    context.fillStyle = style.ground;
    context.fillRect(0, 0, width, height);
  }
  if (outline && (style.covers || style.text === 'none')) {
    drawCutOut(image, canvas, outline, all);
    return all;
  }
  const share = style.text === 'none' ? 1 : BAND[style.text];
  const bandEnd = height * (share - MELT);
  if (outline) {
    const isWide = width > height;
    const half = { ...all, x: width / 2, width: width / 2 };
    drawCutOut(image, canvas, outline, isWide ? half : { ...all, height: bandEnd });
    return isWide ? { ...all, width: half.x } : { ...all, y: bandEnd, height: height - bandEnd };
  }
  const cover = Math.max(width / image.width, height / image.height);
  const kept = (width * height) / (image.width * image.height * cover * cover);
  if (kept >= MIN_KEPT || style.covers) {
    drawCentred(image, canvas, cover);
    return all;
  }
  if (style.text === 'none') {
    drawBlurred(canvas, (small) => drawCentred(image, small, cover / 4));
    drawCentred(image, canvas, Math.min(width / image.width, height / image.height) / MOSTLY);
    return all;
  }
  if (image.width * height < image.height * width) {
    drawBlurred(canvas, (small) => drawCentred(image, small, cover / 4));
    // Text stands on the left.
    const contain = height / image.height;
    drawCentred(image, canvas, contain, 1);
    return { ...all, width: width - image.width * contain };
  }
  drawBand(image, canvas, Math.round(height * share));
  return { ...all, y: bandEnd, height: height - bandEnd };
}

/** Covers the canvas with a blurred and darker kind of what is drawn at a quarter of its size. */
export function drawBlurred(canvas: Canvas, drawContent: (small: Canvas) => void): void {
  const { width, height } = canvas;
  const small = createCanvas(Math.ceil(width / 4), Math.ceil(height / 4));
  drawContent(small);
  const context = canvas.getContext('2d');
  const sigma = BLUR * Math.sqrt(width * height);
  context.filter = `blur(${sigma}px) brightness(${SURROUNDINGS})`;
  // Beyond the edges, where the blur would mix in black.
  const pad = 2 * sigma;
  context.drawImage(small, -pad, -pad, width + 2 * pad, height + 2 * pad);
  context.filter = 'none';
}

/** The picture at the top, this high, which melts into its mirror image. */
function drawBand(image: Image, canvas: Canvas, height: number): void {
  const { width } = canvas;
  const band = createCanvas(width, height);
  const context = band.getContext('2d');
  context.imageSmoothingQuality = 'high';
  drawCentred(image, band, Math.max(width / image.width, height / image.height));
  drawBlurred(canvas, (small) => {
    const mirrored = small.getContext('2d');
    mirrored.scale(0.25, 0.25);
    mirrored.drawImage(band, 0, 0);
    mirrored.translate(0, 2 * height);
    mirrored.scale(1, -1);
    mirrored.drawImage(band, 0, 0);
  });
  const melt = context.createLinearGradient(0, height - MELT * canvas.height, 0, height);
  for (let step = 0; step <= 8; step++) {
    const part = step / 8;
    melt.addColorStop(part, `rgba(0,0,0,${part * part * (3 - 2 * part)})`);
  }
  context.globalCompositeOperation = 'destination-out';
  context.fillStyle = melt;
  context.fillRect(0, 0, width, height);
  canvas.getContext('2d').drawImage(band, 0, 0);
}

/** The subject of a picture, in the middle of a part of the canvas. */
function drawCutOut(image: Image, canvas: Canvas, subject: Box, part: Box): void {
  const scale = CUT_OUT * Math.min(part.width / subject.width, part.height / subject.height);
  const [width, height] = [subject.width * scale, subject.height * scale];
  const x = part.x + (part.width - width) / 2;
  const y = part.y + (part.height - height) / 2;
  const from = [subject.x, subject.y, subject.width, subject.height] as const;
  canvas.getContext('2d').drawImage(image, ...from, x, y, width, height);
}

/** The box around the subject of a picture whose background is transparent, in its pixels. */
function outlineOf(image: Image): Box | undefined {
  const size = OUTLINE_SIZE;
  const canvas = createCanvas(size, size);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, size, size);
  const { data } = context.getImageData(0, 0, size, size);
  const box = { left: size, top: size, right: 0, bottom: 0 };
  let clear = 0;
  for (let at = 0; at < size * size; at++) {
    const alpha = data[4 * at + 3] ?? 255;
    if (alpha < 128) clear += 1;
    if (alpha < 4) continue;
    const [x, y] = [at % size, Math.floor(at / size)];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  if (clear <= size * size * MIN_CLEAR || box.right <= box.left) return undefined;
  const [wide, high] = [image.width / size, image.height / size];
  return {
    x: box.left * wide,
    y: box.top * high,
    width: (box.right - box.left) * wide,
    height: (box.bottom - box.top) * high,
  };
}

/** @param across where the picture stands in its row: 0 is left, 1 is right */
function drawCentred(image: Image, canvas: Canvas, scale: number, across = 0.5): void {
  const width = image.width * scale;
  const height = image.height * scale;
  const x = (canvas.width - width) * across;
  const spare = canvas.height - height;
  // Of people and buildings, the upper part matters more.
  const y = spare < 0 ? spare * UPPER : spare / 2;
  canvas.getContext('2d').drawImage(image, x, y, width, height);
}

export function measure(large: Canvas, ground: string): MeasuredPicture {
  const scale = MEASURED_SIZE / Math.max(large.width, large.height);
  const width = Math.max(1, Math.round(large.width * scale));
  const height = Math.max(1, Math.round(large.height * scale));
  const small = createCanvas(width, height);
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
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
