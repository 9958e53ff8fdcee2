import type { Theme } from './read-storyboard.ts';

/** What a sketch is drawn in, as `#rrggbb`. */
export interface SketchColours {
  readonly background: string;
  readonly text: string;
  /** Of shapes. */
  readonly accent: string;
  /** Of words. */
  readonly accentText: string;
}

/** As the local service has it for a storyboard that chooses none. */
const USUAL = { accent: '#ffb020', background: '#15120e' };
const LIGHT_INK = '#f6f3ee';
const DARK_INK = '#1f1b16';
/** WCAG AA for text. */
const READABLE = 4.5;

/** The colours that were chosen, and in place of letters that could not be read, others that can. */
export function sketchColours(theme: Theme): SketchColours {
  const background = theme.background ?? USUAL.background;
  const accent = theme.accent ?? USUAL.accent;
  const isReadable = (colour: string): boolean => contrast(colour, background) >= READABLE;
  const ink =
    contrast(LIGHT_INK, background) >= contrast(DARK_INK, background) ? LIGHT_INK : DARK_INK;
  const text = theme.text !== null && isReadable(theme.text) ? theme.text : ink;
  return { background, text, accent, accentText: shades(accent, text).find(isReadable) ?? text };
}

/** From one colour to another, in steps. */
function shades(from: string, to: string): string[] {
  const STEPS = 8;
  return Array.from({ length: STEPS }, (_, step) => {
    const channels = [1, 3, 5].map((at) => {
      const [one, other] = [from, to].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
      const value = Math.round((one ?? 0) + (((other ?? 0) - (one ?? 0)) * step) / STEPS);
      return value.toString(16).padStart(2, '0');
    });
    return `#${channels.join('')}`;
  });
}

/** WCAG 2 contrast, 1–21. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
