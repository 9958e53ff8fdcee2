/**
 * Finds characters that no font of this computer can draw. Draws each character with the fonts that
 * videos use, and compares it with a character that no font has: so it knows what the drawing library
 * does, on every system, without reading font files.
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { FACES, registerFonts } from './fonts.ts';

/** Of the font, in pixels. */
const SIZE = 16;
const BOX = 3 * SIZE;
/** Never assigned, so no font has it. */
const NONCHARACTER = '\u{10FFFE}';
/** Spaces, joiners, selectors and controls, and the blank of Braille. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u;
/** What changes the character before it, and may not be drawn alone. */
const DEPENDENT =
  /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}]/gu;
/** Emoji of several characters: one picture only in a font that has it, else one for each. */
const COMPOSED_EMOJI =
  /\p{Extended_Pictographic}.*[\u200d\p{Emoji_Modifier}]|\p{Regional_Indicator}/su;
/** Flags of regions end with these; a font without such a flag draws the black one. */
const TAGS = /[\u{e0020}-\u{e007f}]+$/u;
/** In pixels: between the widths of one emoji and of two. */
const MAX_EMOJI_WIDTH = 1.8 * SIZE;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The visible characters, with their marks and joiners, of these texts that cannot be drawn, or not whole. */
export function findUndrawable(texts: readonly string[]): string[] {
  registerFonts();
  const context = createCanvas(BOX, BOX).getContext('2d', { willReadFrequently: true });
  context.font = `500 ${SIZE}px ${FACES.text.families}`;
  const missing = picture(context, NONCHARACTER);
  const isDrawn = (text: string): boolean => {
    const drawn = picture(context, text);
    return !drawn.equals(missing) && drawn.some((value) => value > 0);
  };
  const checked = new Map<string, boolean>();
  for (const text of texts) {
    for (const { segment } of graphemes.segment(text)) {
      if (checked.has(segment) || INVISIBLE.test(segment)) continue;
      const parts = Array.from(segment.replaceAll(DEPENDENT, ''));
      const isWhole =
        !COMPOSED_EMOJI.test(segment) || context.measureText(segment).width < MAX_EMOJI_WIDTH;
      const isRegion =
        TAGS.test(segment) &&
        picture(context, segment).equals(picture(context, segment.replace(TAGS, '')));
      const isComplete = isWhole && !isRegion;
      checked.set(segment, isComplete && isDrawn(segment) && parts.every(isDrawn));
    }
  }
  return [...checked].flatMap(([segment, drawn]) => (drawn ? [] : [segment]));
}

function picture(context: SKRSContext2D, text: string): Buffer {
  context.clearRect(0, 0, BOX, BOX);
  context.fillText(text, SIZE / 2, 2 * SIZE);
  return Buffer.from(context.getImageData(0, 0, BOX, BOX).data);
}
