/** A title of few words with one a line, each as large as the width allows: a poster. */
import { type Box, type LayoutContext, styleOf } from '../layout-context.ts';
import type { FittedText } from '../text-layout.ts';
import { typeset } from '../typography.ts';
import { arriving } from './arrival.ts';
import { type SceneDrawing, together } from './scene-drawing.ts';

const MAX_WORDS = 4;
/** Between words; a number stays with its unit. */
const BREAK = /[^\S\u00a0\u202f]+/u;
/** A word of so few letters does not stand alone beside one of so many. */
const SHORT_BESIDE_LONG = [3, 7] as const;
/** Of a word, in g; words of few letters are not larger than this. */
const MAX_SIZE = 34;
const MIN_SIZE = 9;
/** The height of capitals and the space below them, in ems. */
const LINE = 1.02;

export interface FillingTitle {
  readonly height: number;
  at(x: number, y: number): SceneDrawing;
}

/** `undefined` if the text has too many or too long words. */
export function fillingTitle(
  text: string,
  layout: LayoutContext,
  room: Pick<Box, 'width' | 'height'>,
): FillingTitle | undefined {
  const { g, look, palette, textLayout } = layout;
  const words = linesOf(typeset(text).split(BREAK));
  if (words.length > MAX_WORDS) return undefined;
  const style = { ...styleOf(look.type.title, palette.text), leading: LINE };
  const fitted = (largest: number): FittedText[] =>
    words.map((word) => {
      const limits = { ...room, largest, smallest: 1, unbroken: 1 };
      return textLayout.fit(word.replaceAll(' ', '\u00a0'), style, limits);
    });
  let largest = MAX_SIZE * g;
  let lines = fitted(largest);
  while (heightOf(lines) > room.height && largest > MIN_SIZE * g) {
    largest *= 0.94;
    lines = fitted(largest);
  }
  const fits = lines.every(
    ({ size, lines: parts, rightToLeft }) =>
      parts.length === 1 && size >= MIN_SIZE * g && !rightToLeft,
  );
  if (!fits || heightOf(lines) > room.height) return undefined;
  return {
    height: heightOf(lines),
    at(x, y) {
      let top = y;
      return together(
        lines.map((line, index) => {
          const place = { x, y: top, width: line.width, align: 'start' } as const;
          top += line.height;
          return arriving(line, place, layout, 0.04 + index * 0.09);
        }),
      );
    },
  };
}

/** One word each; short words stand with the next one, or the last with the one before it. */
function linesOf(words: readonly string[]): string[] {
  const [short, long] = SHORT_BESIDE_LONG;
  if (Math.max(...words.map((word) => word.length)) < long) return [...words];
  const lines: string[] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    const joins = before !== undefined && before.length <= short;
    const isLastShort = index > 0 && index === words.length - 1 && word.length <= short;
    if (joins || isLastShort) lines.push(`${lines.pop() ?? ''} ${word}`);
    else lines.push(word);
  }
  return lines;
}

function heightOf(lines: readonly FittedText[]): number {
  return lines.reduce((sum, { height }) => sum + height, 0);
}
