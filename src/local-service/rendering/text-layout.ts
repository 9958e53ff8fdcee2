import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import type { Face } from './fonts.ts';
import { FACES } from './fonts.ts';
import { LineBreaker } from './line-breaks.ts';

/** The style of text, without its size. */
export interface TextStyle {
  face: Face;
  /** 100–900. */
  weight: number;
  colour: string;
  /** Line height in ems. */
  leading: number;
  /** Added between characters, in ems; 0 when omitted. Joined scripts ignore it. */
  tracking?: number;
  /** Uses digits of equal width, so that numbers align in columns. */
  tabular?: boolean;
}

/** Text with its line breaks, at a size that fits. */
export interface FittedText {
  style: TextStyle;
  /** Font size in pixels. */
  size: number;
  lines: readonly string[];
  rightToLeft: boolean;
  /** Of the widest line, in pixels. */
  width: number;
  /** In pixels. */
  lineHeight: number;
  height: number;
}

/** A drawn line of text and its position. */
export interface Sprite {
  canvas: Canvas;
  x: number;
  y: number;
}

/** In pixels; large, so that rounding does not matter. */
const MEASURING_SIZE = 100;
/** From the top of a line to its baseline, in ems, with a leading of 1. */
const ASCENT = 0.8;
/** Minimum leading, because Arabic extends further above and below its baseline. */
const LEADING_RIGHT_TO_LEFT = 1.34;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LETTER = /\p{L}/u;

/** Chooses the size and line breaks of text, and draws each line to a separate canvas. */
export class TextLayout {
  readonly #context: SKRSContext2D = createCanvas(8, 8).getContext('2d');

  /**
   * Finds the largest size, from `smallest` to `largest` pixels, at which the text fits `width` and
   * `height`. Words are broken only if they do not fit whole at `smallest`. Text that is still too
   * long gets a size below `smallest`, so the result always fits.
   */
  fit(
    text: string,
    style: TextStyle,
    limits: { width: number; height: number; largest: number; smallest: number },
  ): FittedText {
    const rightToLeft = isRightToLeft(text);
    const leading = rightToLeft ? Math.max(style.leading, LEADING_RIGHT_TO_LEFT) : style.leading;
    const breaker = new LineBreaker(text, (part) => this.#measure(part, style, rightToLeft));
    const fits = (size: number, whole: boolean) =>
      (!whole || breaker.widest * size <= limits.width) &&
      breaker.count(limits.width / size) * leading * size <= limits.height;

    const whole = fits(limits.smallest, true);
    const fitsSmallest = whole || fits(limits.smallest, false);
    let low = fitsSmallest ? limits.smallest : 1;
    let high = fitsSmallest ? limits.largest : limits.smallest;
    if (fits(high, whole)) low = high;
    for (let i = 0; i < 12 && high - low > 0.25; i++) {
      const middle = (low + high) / 2;
      if (fits(middle, whole)) low = middle;
      else high = middle;
    }
    const lines = breaker.balanced(limits.width / low);
    const widest = Math.max(...lines.map((line) => this.#measure(line, style, rightToLeft)));
    // With kerning and ligatures, a line can be wider than the sum of its words.
    const size = Math.min(low, limits.width / Math.max(widest, 1e-6));
    return {
      style,
      size,
      lines,
      rightToLeft,
      // `min`, because rounding errors must not exceed the limits.
      width: Math.min(limits.width, widest * size),
      lineHeight: leading * size,
      height: Math.min(limits.height, lines.length * leading * size),
    };
  }

  /**
   * Draws every line of a text, whose block starts at (`x`, `y`) and is `width` wide. Clips at
   * `within`, because stacked accents may extend far above their line.
   */
  rasterize(
    text: FittedText,
    place: { x: number; y: number; width: number; align: 'start' | 'center' },
    within: { x: number; y: number; width: number; height: number },
  ): Sprite[] {
    const { style, size, lineHeight, rightToLeft } = text;
    return text.lines.map((line, index) => {
      const advance = this.#measure(line, style, rightToLeft) * size;
      const slack = place.width - advance;
      const indent = place.align === 'center' ? slack / 2 : rightToLeft ? slack : 0;
      const top = place.y + index * lineHeight + (lineHeight - size) / 2;
      const pad = size * 0.5;
      const left = Math.floor(Math.max(within.x, place.x + indent - pad));
      const right = Math.ceil(Math.min(within.x + within.width, place.x + indent + advance + pad));
      const upper = Math.floor(Math.max(within.y, top - pad));
      const lower = Math.ceil(Math.min(within.y + within.height, top + size + pad));
      const canvas = createCanvas(Math.max(1, right - left), Math.max(1, lower - upper));
      const context = canvas.getContext('2d');
      applyStyle(context, style, size, rightToLeft);
      context.fillStyle = style.colour;
      context.textAlign = 'left';
      context.fillText(line, place.x + indent - left, top + size * (ASCENT + 0.06) - upper);
      return { canvas, x: left, y: upper };
    });
  }

  #measure(text: string, style: TextStyle, rightToLeft: boolean): number {
    applyStyle(this.#context, style, MEASURING_SIZE, rightToLeft);
    return this.#context.measureText(text).width / MEASURING_SIZE;
  }
}

/** Whether the first letter belongs to a script written from right to left. */
function isRightToLeft(text: string): boolean {
  for (const character of text) {
    if (RIGHT_TO_LEFT.test(character)) return true;
    if (LETTER.test(character)) return false;
  }
  return false;
}

function applyStyle(
  context: SKRSContext2D,
  style: TextStyle,
  size: number,
  rightToLeft: boolean,
): void {
  const { families, opticalSize } = FACES[style.face];
  context.font = `${style.weight} ${size}px ${families}`;
  context.fontVariationSettings = `"opsz" ${opticalSize}`;
  context.lang = 'en';
  context.direction = rightToLeft ? 'rtl' : 'ltr';
  context.letterSpacing = `${rightToLeft ? 0 : (style.tracking ?? 0) * size}px`;
  context.fontFeatureSettings = style.tabular ? '"tnum"' : 'normal';
}
