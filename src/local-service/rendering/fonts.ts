import { GlobalFonts } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'resources', 'fonts');

const FILES = {
  'Spool Sans': 'inter.woff2',
  'Spool Serif': 'newsreader-latin.woff2',
  'Spool Serif Extended': 'newsreader-latin-ext.woff2',
  'Spool Grotesque': 'bricolage-grotesque-latin.woff2',
  'Spool Grotesque Extended': 'bricolage-grotesque-latin-ext.woff2',
  'Spool Poster': 'anton-latin.woff2',
  'Spool Poster Extended': 'anton-latin-ext.woff2',
  'Spool Arabic': 'noto-sans-arabic.woff2',
  'Spool Hebrew': 'noto-sans-hebrew.woff2',
  'Spool Emoji': 'twemoji.woff2',
};

/** Other scripts use the fonts that are installed on the computer. */
const SANS = '"Spool Sans", "Spool Arabic", "Spool Hebrew", "Spool Emoji", sans-serif';

/**
 * `families` is a list as in CSS: each character is drawn with the first font that has it.
 * `opticalSize` is fixed: it would otherwise follow the font size, and widths would not be
 * proportional to the size (see `MEASURING_SIZE` in text-layout.ts).
 */
export const FACES = {
  /** Titles and large text. */
  display: { families: SANS, opticalSize: 32 },
  /** Small text. */
  text: { families: SANS, opticalSize: 20 },
  /** Captions, which are always in this font. */
  caption: { families: SANS, opticalSize: 20 },
  /** Offers. */
  grotesque: {
    families: `"Spool Grotesque", "Spool Grotesque Extended", ${SANS}`,
    opticalSize: 96,
  },
  /** A few words in capitals. It has one weight. */
  poster: { families: `"Spool Poster", "Spool Poster Extended", ${SANS}`, opticalSize: 32 },
  /** Quotations. */
  serif: { families: `"Spool Serif", "Spool Serif Extended", ${SANS}`, opticalSize: 60 },
} as const;

export type Face = keyof typeof FACES;

/**
 * Registers the bundled fonts under names that no installed font has, so that a video looks the
 * same on every computer. Repeated calls do nothing.
 */
export function registerFonts(): void {
  for (const [family, file] of Object.entries(FILES)) {
    if (GlobalFonts.has(family)) continue;
    if (!GlobalFonts.register(readFileSync(path.join(FOLDER, file)), family)) {
      throw new Error(`The bundled font ${file} could not be read.`);
    }
  }
}
