/** How the lines of a text appear on a page. */
import type { DisplayList } from '../display-list.ts';
import { easeOut, linear } from '../easing.ts';
import type { LayoutContext } from '../layout-context.ts';
import { paleOpacity } from '../palette.ts';
import type { ArrivalKind } from '../looks/look.ts';
import type { FittedText, Sprite } from '../text-layout.ts';
import type { Moment, SceneDrawing } from './scene-drawing.ts';

/** Of one line, or of one word. */
const SECONDS: Readonly<Record<ArrivalKind, number>> = {
  rise: 0.45,
  mask: 0.5,
  reveal: 0.56,
  scale: 0.42,
  words: 0.45,
  lit: 0.3,
};
/** Between two lines; between two words. */
const STAGGER = { lines: 0.07, words: 0.06 };
/** The last one starts to appear within this time, however many there are. */
const MAX_STAGGER_SECONDS = 0.8;
/** A scaled line begins this much larger. */
const SCALE = 0.12;
/** All words are lit this long before a page ends. */
const LIT_REST_SECONDS = 0.8;

interface Place {
  x: number;
  y: number;
  width: number;
  align: 'start' | 'center';
}

/**
 * A text at its place, which appears as the look says.
 * @param delay in seconds
 */
export function arriving(
  text: FittedText,
  place: Place,
  layout: LayoutContext,
  delay: number,
  kind: ArrivalKind = layout.arrival,
): SceneDrawing {
  const { textLayout, safe, g } = layout;
  const byWord = (kind === 'words' || kind === 'lit') && !text.rightToLeft;
  const sprites = byWord
    ? textLayout.rasterizeWords(text, place, safe)
    : textLayout.rasterize(text, place, safe);
  const distance = Math.max(1.2 * g, text.size * 0.25);
  const pale = paleOpacity(layout.palette, text.style.colour);
  return arrivingSprites(sprites, { kind, delay, distance, pale });
}

/**
 * @param options.distance from which a line rises, in pixels; @param options.delay in seconds;
 * @param options.pale the opacity of words that are not yet spoken
 */
export function arrivingSprites(
  sprites: readonly Sprite[],
  options: { kind: ArrivalKind; delay: number; distance: number; pale?: number },
): SceneDrawing {
  const { kind, delay, distance, pale = 1 } = options;
  const usual = kind === 'words' ? STAGGER.words : STAGGER.lines;
  const stagger = Math.min(usual, MAX_STAGGER_SECONDS / Math.max(1, sprites.length));
  const seconds = SECONDS[kind];
  return {
    draw(list, moment) {
      if (kind === 'lit') {
        drawLit(list, sprites, moment, { delay, pale });
        return;
      }
      sprites.forEach((sprite, index) => {
        const passed = (moment.entered - delay - index * stagger) / seconds;
        drawSprite(list, sprite, kind, passed, distance);
      });
    },
  };
}

function drawSprite(
  list: DisplayList,
  { canvas, x, y }: Sprite,
  kind: ArrivalKind,
  passed: number,
  distance: number,
): void {
  const entered = easeOut(passed);
  if (entered >= 1) {
    list.image(canvas, x, y, 1);
    return;
  }
  const { width, height } = canvas;
  switch (kind) {
    case 'mask':
      list.clipped({ x, y, width, height }, () => {
        list.image(canvas, x, y + (1 - entered) * height * 0.8, Math.min(1, entered * 1.5));
      });
      break;
    case 'reveal':
      list.clipped({ x, y, width: Math.ceil(width * entered), height }, () => {
        list.image(canvas, x, y, Math.min(1, entered * 1.5));
      });
      break;
    case 'scale': {
      const scale = 1 + SCALE * (1 - entered);
      const target = {
        x: x - (width * (scale - 1)) / 2,
        y: y - (height * (scale - 1)) / 2,
        width: width * scale,
        height: height * scale,
      };
      list.imagePart(canvas, { x: 0, y: 0, width, height }, target, Math.min(1, entered * 1.3));
      break;
    }
    case 'rise':
    case 'words':
    case 'lit':
      list.image(canvas, x, y + (1 - entered) * distance, Math.min(1, entered * 1.2));
      break;
  }
}

/** Words that are pale at first and become clear one after the other, as they are read. */
function drawLit(
  list: DisplayList,
  sprites: readonly Sprite[],
  { entered, length }: Moment,
  { delay, pale }: { delay: number; pale: number },
): void {
  const shown = easeOut((entered - delay) / 0.3);
  const pace = Math.max(0, length - delay - LIT_REST_SECONDS - 0.3) / Math.max(1, sprites.length);
  sprites.forEach(({ canvas, x, y }, index) => {
    const lit = linear((entered - delay - 0.15 - index * pace) / 0.25);
    list.image(canvas, x, y, shown * (pale + (1 - pale) * lit));
  });
}
