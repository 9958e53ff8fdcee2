/** Aspect ratios that spreadsheets took for times, dates or fractions. */
import { numbersOfDate, withoutZeroDate } from './read-number.ts';

/** The aspect ratio among `options` that a text means, or probably means. */
export interface AspectReading {
  readonly certain: string | null;
  readonly likely: string | null;
}

const RATIO = /^(\d{1,2})\s*(?:[:.,/x×_-]|by|zu|auf|to)\s*(\d{1,2})$/i;
const TIME = /^(\d{1,2}):(\d{2})(?::00)?(?:\s*([ap])\.?m\.?)?$/i;
const MINUTES_PER_DAY = 1440;
/** A ratio among words: `16:9 (landscape)`. */
const AMONG_WORDS = /^[^\d:]*\b(\d{1,2})\s*:\s*(\d{1,2})\b[^\d:]*$/;
const PIXELS = /^(\d{3,5})\s*[x×*]\s*(\d{3,5})(?:\s*(?:px|pixels?|pixel))?$/i;
/** What people call the shapes, in English and German. */
const WORDS: Readonly<Record<string, string>> = {
  landscape: '16:9',
  horizontal: '16:9',
  wide: '16:9',
  widescreen: '16:9',
  querformat: '16:9',
  quer: '16:9',
  portrait: '9:16',
  vertical: '9:16',
  vertikal: '9:16',
  tall: '9:16',
  hochformat: '9:16',
  hochkant: '9:16',
  hoch: '9:16',
  square: '1:1',
  quadrat: '1:1',
  quadratisch: '1:1',
};
/** How far a rounded decimal number may be from the ratio that it is. */
const ROUNDING = 0.006;

/**
 * `null` when `options` are no aspect ratios.
 * @param spelled the option that a spelling stands for
 */
export function readAspect(
  text: string,
  options: readonly (string | number)[],
  spelled: (spelling: string) => string | number | undefined,
): AspectReading | null {
  if (!options.some((option) => /^\d+:\d+$/.test(String(option)))) return null;
  const among = (one: number | string, other: number | string): string | null => {
    const option = spelled(`${one}:${other}`);
    return option === undefined ? null : String(option);
  };
  const plain = withoutZeroDate(text.normalize('NFKC').replaceAll('∶', ':').trim());
  const word = plain.toLowerCase();
  const [one, other] = (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined)?.split(':') ?? [];
  if (one !== undefined && other !== undefined) return { certain: among(one, other), likely: null };
  const [, width = '', height = ''] = RATIO.exec(plain) ?? [];
  const certain = width === '' ? null : among(Number(width), Number(height));
  if (certain !== null) return { certain, likely: null };
  const [, hour = '', minute = '', half] = TIME.exec(plain) ?? [];
  if (hour !== '') {
    const isAfternoon = half?.toLowerCase() === 'p';
    const asShown = among(Number(hour), Number(minute));
    // 16:9 was taken for 16:09, which is shown as 4:09 PM.
    const as24 = among(Number(hour) + 12, Number(minute));
    return isAfternoon ? { certain: as24, likely: asShown } : { certain: asShown, likely: null };
  }
  const fraction = /^0?\.\d{4,}$/.test(plain.replace(',', '.'))
    ? Number(plain.replace(',', '.')) * MINUTES_PER_DAY
    : Number.NaN;
  const minutes = Math.round(fraction);
  // The part of a day that a time is; 0.5625 is 9:16 itself.
  const ofTime =
    Math.abs(fraction - minutes) < 0.01 ? among(Math.floor(minutes / 60), minutes % 60) : null;
  if (ofTime !== null) return { certain: ofTime, likely: null };
  const [likely = null] = numbersOfDate(plain)
    .map(([one, other]) => among(one, other))
    .filter((ratio) => ratio !== null);
  return {
    certain: null,
    likely: likely ?? amongWords(plain, among) ?? quotientIn(plain, options),
  };
}

function amongWords(
  text: string,
  among: (one: number, other: number) => string | null,
): string | null {
  const [, one = '', other = ''] = AMONG_WORDS.exec(text) ?? [];
  return one === '' ? null : among(Number(one), Number(other));
}

/** The option that “1.78” or “1080x1920” is. */
function quotientIn(text: string, options: readonly (string | number)[]): string | null {
  const [, width = '', height = ''] = PIXELS.exec(text) ?? [];
  const isDecimal = /^\d[.,]\d{2,}$/.test(text);
  const quotient =
    width === ''
      ? isDecimal
        ? Number(text.replace(',', '.'))
        : 0
      : Number(width) / Number(height);
  const found = options.find((option) => {
    const [one = 0, other = 1] = String(option).split(':').map(Number);
    return Math.abs(one / other - quotient) < ROUNDING;
  });
  return found === undefined ? null : String(found);
}
