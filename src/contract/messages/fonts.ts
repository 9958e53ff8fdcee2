/** Fonts that a table names. Sentences begin with the place of their cell. */
export const fontMessages = {
  'font-unknown': {
    en: 'is not a font. TTF, OTF and WOFF2 are possible.',
    de: 'ist keine Schriftdatei. Möglich sind TTF, OTF und WOFF2.',
  },
  'font-woff': {
    en: 'is a font in the older format WOFF. Use its WOFF2, TTF or OTF file.',
    de: 'ist eine Schrift im älteren Format WOFF. Nehmen Sie die WOFF2-, TTF- oder OTF-Datei.',
  },
  'font-collection': {
    en: 'is a collection of several fonts (TTC). Export one of them as TTF or OTF.',
    de: 'ist eine Sammlung mehrerer Schriften (TTC). Exportieren Sie eine davon als TTF oder OTF.',
  },
  'font-too-large': {
    en: 'is a font of more than {max} MB. Use one with fewer characters.',
    de: 'ist eine Schrift mit mehr als {max} MB. Nehmen Sie eine mit weniger Zeichen.',
  },
  'font-damaged': {
    en: 'is a font that is damaged, or has no characters. Download or export it again.',
    de: 'ist eine beschädigte Schrift oder enthält keine Zeichen. Laden Sie sie noch einmal herunter oder exportieren Sie sie neu.',
  },
  'font-lacks': {
    en: 'has no {characters}. These characters are drawn in another font.',
    de: 'enthält nicht: {characters}. Diese Zeichen erscheinen in einer anderen Schrift.',
  },
} as const;
