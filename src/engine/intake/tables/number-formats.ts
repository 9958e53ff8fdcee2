/** Shows the numbers of a workbook of Excel as the formats of their cells say. */
import { format, isDateFormat, isPercentFormat, isValidFormat } from 'numfmt';
import { builtInFormat, withDateSeparator } from './built-in-formats.ts';
import type { ShownCell } from './sheet.ts';

export interface BookStyles {
  /** The number format of each cell style; a number stands for one that is built in. */
  readonly formats: readonly (string | number)[];
  /** The cell styles whose texts are struck through. */
  readonly struck: ReadonlySet<number>;
  /** The language of the workbook's formats; `null` if they name none. */
  readonly language: string | null;
}

/** Characters of a format, as in Excel: longer ones are not read. */
export const MAX_FORMAT = 255;
/** Days between the two first days that workbooks count from. */
const DAYS_TO_1904 = 1462;
/** The language of the formats of a workbook; `null` if they name none. */
export function languageOfFormats(codes: readonly string[]): string | null {
  const ids = codes.flatMap((code) =>
    [...code.matchAll(/\[\$[^\]-]*-([\da-f]{3,8})\]/gi)].map(
      ([, id]) => Number.parseInt(id ?? '', 16) & 0xffff,
    ),
  );
  // English formats are written in workbooks of every language; F400 and F800 are the system's.
  const languages = ids.map((each) => LANGUAGES[each & 0x3ff]);
  // English formats are in workbooks of every language, so another one says more.
  return languages.find((each) => each !== undefined && each !== 'en') ?? null;
}

/** Codes of Windows for languages that write numbers differently from English. */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0e: 'hu',
  0x10: 'it',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x19: 'ru',
  0x1d: 'sv',
  0x1f: 'tr',
  0x09: 'en',
};

/** Shows numbers as their cells' formats say. */
export function numberFormatter(
  { styles, is1904 }: { readonly styles: BookStyles; readonly is1904: boolean },
  language: string,
): (number: number, style: number, source: string) => ShownCell {
  const patterns = new Map<number, { pattern: string; isDate: boolean; isPercent: boolean }>();
  const patternOf = (style: number) => {
    let known = patterns.get(style);
    if (known === undefined) {
      const given = styles.formats[style] ?? 0;
      const code = typeof given === 'number' ? builtInFormat(given, language) : given;
      // Checked once: the library would parse a wrong one again for every number.
      const valid = isValidFormat(code) ? code : 'General';
      const isDate = isDateFormat(valid);
      const pattern = isDate ? withDateSeparator(valid, language) : valid;
      known = { pattern, isDate, isPercent: isPercentFormat(valid) };
      patterns.set(style, known);
    }
    return known;
  };
  return (number, style, source) => {
    if (!Number.isFinite(number)) return { text: source };
    const { pattern, isDate, isPercent } = patternOf(style);
    const shown = isDate && is1904 ? number + DAYS_TO_1904 : number;
    const text = format(pattern, shown, {
      locale: language,
      throws: false,
      invalid: source,
    }).trim();
    return isDate || isPercent ? { text } : { text: withDigits(text, source), number };
  };
}

/** Whole numbers of 16 digits and more are shown with all digits that the workbook stores. */
function withDigits(text: string, source: string): string {
  if (!/^-?\d{16,}$/.test(source)) return text;
  const digits = source.replace('-', '');
  let at = 0;
  const exact = text.replace(/\d/g, () => digits[at++] ?? '0');
  return at === digits.length ? exact : text;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?Z?$/;
const DAY_MS = 86_400_000;
/** The number of 1970-01-01 in a workbook that counts from 1900. */
const DAYS_TO_1970 = 25_569;

/** The number of a date in ISO 8601, as a workbook counts days; `null` for another text. */
export function daysOf(iso: string, is1904: boolean): number | null {
  const ms = ISO_DATE.test(iso)
    ? Date.parse(/[TZ]/.test(iso) ? `${iso.replace('Z', '')}Z` : iso)
    : NaN;
  if (Number.isNaN(ms)) return null;
  return ms / DAY_MS + DAYS_TO_1970 - (is1904 ? DAYS_TO_1904 : 0);
}

/** `TRUE`, as a workbook shows it in this language. */
export function shownBoolean(value: boolean, language: string): string {
  return format('General', value, { locale: language });
}
