import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import type { Face } from './fonts.ts';
import { FACES } from './fonts.ts';
import { requireLegible } from './own-font.ts';
import { type BrokenText, type Hyphenate, LineBreaker } from './line-breaks.ts';
import { capitals, typeset } from './typography.ts';

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
  /** Sets all letters as capitals. */
  caps?: boolean;
}

/** Text with its line breaks, at a size that fits. */
export interface FittedText {
  style: TextStyle;
  /** Font size in pixels. */
  size: number;
  lines: readonly string[];
  /** Whether a word is wider than a line, and so broken. */
  breaksWords: boolean;
  /** Whether one is broken where no syllable ends. */
  breaksSyllables: boolean;
  rightToLeft: boolean;
  /** Of the widest line, in pixels. */
  width: number;
  /** In pixels. */
  lineHeight: number;
  height: number;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a text stands, in pixels. */
interface TextPlace {
  x: number;
  y: number;
  width: number;
  align: 'start' | 'center';
}

/** In pixels. */
export interface FitLimits {
  width: number;
  height: number;
  largest: number;
  smallest: number;
  /** Words shrink to this size before they are broken; to 70 % of `largest` when omitted. */
  unbroken?: number;
  /** It has so many lines at most, if it has them at the size `least`. */
  lines?: { readonly most: number; readonly least: number };
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
/** Around the ink of a line, in ems. */
const INK_PAD = 0.06;
/** Words shrink to this part of their largest size before they are broken. */
const MAX_SHRINK = 0.7;
/** Of the largest size that fits. */
const SHRINK_STEPS = [0.96, 0.92, 0.88, 0.84, 0.8, 0.76, 0.72] as const;
/** Text that is hyphenated gets smaller by this where that saves hyphens. */
const HYPHEN_STEP = 0.96;
/** Of text at half its size, in the unit of a text's breaks: see `BrokenText`. */
const SHRINK_COST = 2.4;
/** Breaks that cost less are not worth a smaller size. */
const GOOD_BREAK = 0.12;
/** Minimum leading, because Arabic extends further above and below its baseline. */
const LEADING_RIGHT_TO_LEFT = 1.34;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LETTER = /\p{L}/u;

/** Chooses the size and line breaks of text, and draws each line to a separate canvas. */
export class TextLayout {
  readonly #context: SKRSContext2D = createCanvas(8, 8).getContext('2d');
  readonly #hyphenate: Hyphenate | undefined;
  readonly #onFit: ((text: string, fitted: FittedText) => void) | undefined;
  readonly #own: string | undefined;

  /**
   * @param hyphenate where words that are wider than a line may be broken
   * @param onFit called with every text that is fitted
   * @param own the family of a registered font, for all faces but those of captions
   */
  constructor(
    hyphenate?: Hyphenate,
    onFit?: (text: string, fitted: FittedText) => void,
    own?: string,
  ) {
    this.#own = own;
    this.#hyphenate = hyphenate;
    this.#onFit = onFit;
  }

  /**
   * Finds the largest size, from `smallest` to `largest` pixels, at which the text fits `width` and
   * `height`; a little smaller if its lines break better then. Words shrink to `unbroken`
   * before they are hyphenated, and further where that saves hyphens. Text that is still too long gets a size below `smallest`, so the
   * result always fits.
   */
  fit(text: string, style: TextStyle, limits: FitLimits): FittedText {
    const rightToLeft = isRightToLeft(text);
    const leading = rightToLeft ? Math.max(style.leading, LEADING_RIGHT_TO_LEFT) : style.leading;
    const measure = (part: string) => this.#measure(part, style, rightToLeft);
    const shown = style.caps === true ? capitals(typeset(text)) : typeset(text);
    const breaker = new LineBreaker(shown, measure, this.#hyphenate);
    const wanted = limits.lines;
    const keepsLines = wanted && breaker.count(limits.width / wanted.least) <= wanted.most;
    const mostLines = keepsLines ? wanted.most : Infinity;
    const fits = (size: number, whole: boolean) => {
      if (whole && breaker.widest * size > limits.width) return false;
      const count = breaker.count(limits.width / size);
      return count * leading * size <= limits.height && count <= mostLines;
    };
    const sizeFor = (low: number, high: number, whole: boolean) => {
      if (fits(high, whole)) return high;
      let [under, over] = [low, high];
      for (let i = 0; i < 12 && over - under > 0.25; i++) {
        const middle = (under + over) / 2;
        if (fits(middle, whole)) under = middle;
        else over = middle;
      }
      return under;
    };
    const { largest, smallest } = limits;
    const shrunk = Math.min(largest, limits.unbroken ?? Math.max(smallest, largest * MAX_SHRINK));
    const keepsWords = breaker.widest * shrunk <= limits.width;
    const fitsSmallest = fits(smallest, keepsWords);
    const fitting = fitsSmallest
      ? sizeFor(smallest, largest, keepsWords)
      : sizeFor(1, smallest, false);
    const least = fitsSmallest ? Math.min(fitting, shrunk) : fitting;
    const most = keepsWords ? fitting : sizeForHyphens(breaker, limits.width, fitting, least);
    const { size: best, broken } = this.#bestBreak(breaker, limits.width, most, least);
    const { lines } = broken;
    const widest = Math.max(...lines.map(measure));
    // With kerning and ligatures, a line can be wider than the sum of its words.
    const size = Math.min(best, limits.width / Math.max(widest, 1e-6));
    const fitted = {
      style,
      size,
      lines,
      breaksWords: breaker.widest > limits.width / best,
      breaksSyllables: breaker.breaksSyllables(limits.width / best),
      rightToLeft,
      // `min`, because rounding errors must not exceed the limits.
      width: Math.min(limits.width, widest * size),
      lineHeight: leading * size,
      height: Math.min(limits.height, lines.length * leading * size),
    };
    this.#onFit?.(text, fitted);
    return fitted;
  }

  /**
   * The same for one of the texts of a scene, in the largest size at which all of them fit, and the
   * height of the highest of them in pixels.
   */
  fitAlike(
    own: string,
    all: readonly string[],
    style: TextStyle,
    limitsOf: (text: string) => FitLimits,
  ): { text: FittedText; highest: number } {
    const fitted = all.map((text) => this.fit(text, style, limitsOf(text)));
    const size = Math.min(...fitted.map((each) => each.size));
    const exactly = { largest: size, smallest: size, unbroken: size };
    const fitTo = (text: string) => this.fit(text, style, { ...limitsOf(text), ...exactly });
    const alike = all.length > 1 ? all.map(fitTo) : fitted;
    const highest = Math.max(...alike.map(({ height }) => height));
    return { text: alike[all.indexOf(own)] ?? fitTo(own), highest };
  }

  /** A smaller size is chosen if its lines break better by more than the smaller text costs. */
  #bestBreak(
    breaker: LineBreaker,
    width: number,
    most: number,
    least: number,
  ): { size: number; broken: BrokenText } {
    let best = { size: most, broken: breaker.broken(width / most) };
    let lowest = best.broken.cost;
    for (const step of SHRINK_STEPS) {
      const size = most * step;
      if (size < least || lowest < GOOD_BREAK) break;
      const broken = breaker.broken(width / size);
      const cost = broken.cost + (1 - step) * SHRINK_COST;
      if (cost < lowest - 1e-9) {
        best = { size, broken };
        lowest = cost;
      }
    }
    return best;
  }

  /**
   * Draws every line of a text, whose block starts at (`x`, `y`) and is `width` wide. Clips at
   * `within`, because stacked accents may extend far above their line.
   */
  rasterize(text: FittedText, place: TextPlace, within: Box): Sprite[] {
    return text.lines.map((line, index) => {
      const advance = this.#measure(line, text.style, text.rightToLeft) * text.size;
      return this.#draw(text, line, this.#start(text, place, index, advance), within);
    });
  }

  /** The same by word, for text from left to right. */
  rasterizeWords(text: FittedText, place: TextPlace, within: Box): Sprite[] {
    const widthOf = (part: string) => this.#measure(part, text.style, false) * text.size;
    return text.lines.flatMap((line, index) => {
      const { x, top } = this.#start(text, place, index, widthOf(line));
      return Array.from(line.matchAll(/\S+/gu), ({ 0: word, index: at }) => {
        // With what is before it, because of kerning.
        const left = x + widthOf(line.slice(0, at + word.length)) - widthOf(word);
        return this.#draw(text, word, { x: left, top }, within);
      });
    });
  }

  /** Where a line begins, from its left and upper edge. */
  #start(text: FittedText, place: TextPlace, index: number, advance: number) {
    const { size, lineHeight, rightToLeft } = text;
    const slack = place.width - advance;
    const indent = place.align === 'center' ? slack / 2 : rightToLeft ? slack : 0;
    const top = place.y + index * lineHeight + (lineHeight - size) / 2;
    return { x: place.x + indent, top };
  }

  #draw(
    { style, size, rightToLeft }: FittedText,
    part: string,
    { x, top }: { x: number; top: number },
    within: Box,
  ): Sprite {
    const baseline = top + size * (ASCENT + 0.06);
    this.#applyStyle(this.#context, style, size, rightToLeft);
    const ink = this.#context.measureText(part);
    const pad = size * INK_PAD;
    const left = Math.floor(Math.max(within.x, x - ink.actualBoundingBoxLeft - pad));
    const right = Math.ceil(
      Math.min(within.x + within.width, x + ink.actualBoundingBoxRight + pad),
    );
    const upper = Math.floor(Math.max(within.y, baseline - ink.actualBoundingBoxAscent - pad));
    const lower = Math.ceil(
      Math.min(within.y + within.height, baseline + ink.actualBoundingBoxDescent + pad),
    );
    const canvas = createCanvas(Math.max(1, right - left), Math.max(1, lower - upper));
    const context = canvas.getContext('2d');
    this.#applyStyle(context, style, size, rightToLeft);
    context.fillStyle = style.colour;
    context.fillText(part, x - left, baseline - upper);
    return { canvas, x: left, y: upper };
  }

  #measure(text: string, style: TextStyle, rightToLeft: boolean): number {
    this.#applyStyle(this.#context, style, MEASURING_SIZE, rightToLeft);
    const measured = this.#context.measureText(text);
    if (this.#ownOf(style) !== undefined) requireLegible(text, measured, MEASURING_SIZE);
    return measured.width / MEASURING_SIZE;
  }

  #ownOf({ face }: TextStyle): string | undefined {
    return face === 'caption' ? undefined : this.#own;
  }

  #applyStyle(context: SKRSContext2D, style: TextStyle, size: number, rightToLeft: boolean): void {
    const { families, opticalSize } = FACES[style.face];
    const own = this.#ownOf(style);
    context.font = `${style.weight} ${size}px ${own ? `"${own}", ` : ''}${families}`;
    context.fontVariationSettings = `"opsz" ${opticalSize}`;
    context.lang = 'en';
    // From where it is drawn, also from right to left.
    context.textAlign = 'left';
    context.direction = rightToLeft ? 'rtl' : 'ltr';
    context.letterSpacing = `${rightToLeft ? 0 : (style.tracking ?? 0) * size}px`;
    context.fontFeatureSettings = style.tabular ? '"tnum"' : 'normal';
  }
}

/** A size from `most` down to `least` at which the text and its hyphens look best. */
function sizeForHyphens(breaker: LineBreaker, width: number, most: number, least: number): number {
  let [best, lowest] = [most, Infinity];
  for (let size = most; size >= least; size *= HYPHEN_STEP) {
    const cost = breaker.broken(width / size).hyphenCost + 1 - size / most;
    if (cost < lowest) [best, lowest] = [size, cost];
  }
  return best;
}

/** Whether the first letter belongs to a script written from right to left. */
function isRightToLeft(text: string): boolean {
  for (const character of text) {
    if (RIGHT_TO_LEFT.test(character)) return true;
    if (LETTER.test(character)) return false;
  }
  return false;
}
