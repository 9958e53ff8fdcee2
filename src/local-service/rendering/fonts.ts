import { GlobalFonts } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';

const FILES = {
  'Spool Sans': 'inter.woff2',
  'Spool Serif': 'newsreader-latin.woff2',
  'Spool Serif Extended': 'newsreader-latin-ext.woff2',
  'Spool Arabic': 'noto-sans-arabic.woff2',
  'Spool Hebrew': 'noto-sans-hebrew.woff2',
  'Spool Emoji': 'twemoji.woff2',
};

/** Scripts beyond these come from whatever fonts the computer has. */
const SANS = '"Spool Sans", "Spool Arabic", "Spool Hebrew", "Spool Emoji", sans-serif';

/**
 * The faces that text is set in. `families` is a list as in CSS: each character is drawn with the
 * first that has it. `opticalSize` fixes how finely the letters are cut; left to itself it would
 * follow the size, and text measured at one size would be too wide at another.
 */
export const FACES = {
  /** Titles and large text. */
  display: { families: SANS, opticalSize: 32 },
  /** Small text. */
  text: { families: SANS, opticalSize: 20 },
  /** Quotations. */
  serif: { families: `"Spool Serif", "Spool Serif Extended", ${SANS}`, opticalSize: 60 },
} as const;

export type Face = keyof typeof FACES;

/**
 * Makes the bundled fonts known to the canvas, under names that no installed font bears, so that
 * a video looks the same on every computer. Does nothing the second time.
 */
export function registerFonts(): void {
  for (const [family, file] of Object.entries(FILES)) {
    if (GlobalFonts.has(family)) continue;
    const url = new URL(`../../../resources/fonts/${file}`, import.meta.url);
    if (!GlobalFonts.register(readFileSync(url), family)) {
      throw new Error(`The bundled font ${file} could not be read.`);
    }
  }
}
