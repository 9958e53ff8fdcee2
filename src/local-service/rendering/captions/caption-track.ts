/** Draws a video's captions, each from its own frame on, in a place that no other text has. */
import type { DisplayList } from '../display-list.ts';
import type { Box } from '../layout-context.ts';
import type { FittedText } from '../text-layout.ts';
import {
  fitCaption,
  isTooSmall,
  type Plate,
  plateHeight,
  type PlateLayout,
  plateOf,
} from './caption-plate.ts';
import type { Captions } from './caption-schema.ts';
import { inTurn, spread } from './caption-times.ts';

const MAX_LINES = 2;
/** Between the captions and the text above them, in g. */
const GAP = 2.6;
/** Where a caption is divided if it does not fit: the earlier in this list the better. */
const SEAMS = [/\n/gu, /[.!?…。！？]["”’»)]*\s+|[。！？]/gu, /[,;:–—、，]\s*/gu, /\s+/gu] as const;
/** A part has at least this share of the text. */
const MIN_SHARE = 0.25;

/** The part of a safe area that captions leave. */
export function aboveCaptions(safe: Box, g: number): Box {
  return { ...safe, height: safe.height - Math.ceil((plateHeight(MAX_LINES) + GAP) * g) };
}

/** A caption in frames, from `first` until before `end`. */
export interface ShownCaption {
  readonly first: number;
  readonly end: number;
  readonly text: string;
}

export class CaptionTrack {
  readonly #captions: readonly ShownCaption[];
  readonly #layout: PlateLayout;
  /** The current caption's parts, and the plate of the current part. */
  #parts: { readonly of: ShownCaption; readonly all: readonly ShownCaption[] } | undefined;
  #plate: { readonly of: ShownCaption; readonly plate: Plate } | undefined;

  /** @param layout with the whole safe area */
  constructor(captions: readonly ShownCaption[], layout: PlateLayout) {
    this.#captions = captions;
    this.#layout = layout;
  }

  draw(list: DisplayList, frame: number): void {
    const caption = captionAt(this.#captions, frame);
    if (caption === undefined) return;
    if (this.#parts?.of !== caption) this.#parts = { of: caption, all: this.#partsOf(caption) };
    const part = captionAt(this.#parts.all, frame);
    if (part === undefined) return;
    if (this.#plate?.of !== part) {
      this.#plate = { of: part, plate: plateOf(this.#fit(part.text), this.#layout) };
    }
    const { canvas, x, y } = this.#plate.plate;
    list.image(canvas, x, y, 1);
  }

  /** The caption, or as many parts one after the other as are needed to keep each legible. */
  #partsOf(caption: ShownCaption): ShownCaption[] {
    const text = [caption.text, caption.text.replaceAll('\n', ' ')].find((each) =>
      this.#fits(each),
    );
    if (text !== undefined) return [{ ...caption, text }];
    const seam = seamOf(caption.text);
    const share = seam / caption.text.length;
    const middle = caption.first + Math.round((caption.end - caption.first) * share);
    // Time for one part only.
    if (middle <= caption.first || middle >= caption.end) return [caption];
    const [before, after] = [caption.text.slice(0, seam).trim(), caption.text.slice(seam).trim()];
    if (before === '' || after === '') return [caption];
    return [
      ...this.#partsOf({ ...caption, end: middle, text: before }),
      ...this.#partsOf({ ...caption, first: middle, text: after }),
    ];
  }

  #fits(text: string): boolean {
    const fitted = this.#fit(text);
    return fitted.lines.length <= MAX_LINES && !isTooSmall(fitted, this.#layout);
  }

  #fit(text: string): FittedText {
    return fitCaption(text, this.#layout, plateHeight(MAX_LINES) * this.#layout.g);
  }
}

/**
 * The captions of a video in order. Each begins and ends with the frame that is nearest to its time.
 *
 * @param frames of the video
 */
export function captionsOf(
  { captions, fps }: { readonly captions?: Captions | undefined; readonly fps: number },
  frames: number,
): ShownCaption[] {
  const timed = typeof captions === 'string' ? spread(captions, frames / fps) : (captions ?? []);
  return inTurn(timed)
    .map(({ from, to, text }) => ({
      first: Math.round(from * fps),
      end: Math.round(to * fps),
      text,
    }))
    .filter(({ first, end }) => end > first);
}

export function captionAt(
  captions: readonly ShownCaption[],
  frame: number,
): ShownCaption | undefined {
  return captions.find(({ first, end }) => frame >= first && frame < end);
}

/** Where a text is divided: at the best kind of seam, near its middle. */
function seamOf(text: string): number {
  const middle = text.length / 2;
  for (const kind of SEAMS) {
    const places = Array.from(text.matchAll(kind), ({ 0: { length }, index }) => index + length);
    const near = places
      .filter((at) => Math.min(at, text.length - at) >= MIN_SHARE * text.length)
      .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
    if (near[0] !== undefined) return near[0];
  }
  // In the middle of a word, but not of a character.
  const graphemes = Array.from(new Intl.Segmenter().segment(text), ({ index }) => index);
  return graphemes[Math.floor(graphemes.length / 2)] ?? 0;
}
