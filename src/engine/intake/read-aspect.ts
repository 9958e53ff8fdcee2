/** Aspect ratios that spreadsheets took for times, dates or fractions. */
import { numbersOfDate } from './read-number.ts';

/** The aspect ratio among `options` that a text means, or probably means. */
export interface AspectReading {
  readonly certain: string | null;
  readonly likely: string | null;
}

const RATIO = /^(\d{1,2})\s*(?:[:.,/x×-]|by|zu|auf|to)\s*(\d{1,2})$/i;
const TIME = /^(\d{1,2}):(\d{2})(?::00)?(?:\s*([ap])\.?m\.?)?$/i;
const MINUTES_PER_DAY = 1440;

/** `null` when `options` are no aspect ratios. */
export function readAspect(
  text: string,
  options: readonly (string | number)[],
): AspectReading | null {
  if (!options.some((option) => /^\d+:\d+$/.test(String(option)))) return null;
  const known = new Set(options.map(String));
  const among = (one: number, other: number): string | null => {
    const ratio = `${one}:${other}`;
    return known.has(ratio) ? ratio : null;
  };
  const plain = text.normalize('NFKC').replaceAll('∶', ':').trim();
  const [, width = '', height = ''] = RATIO.exec(plain) ?? [];
  if (width !== '') {
    return { certain: among(Number(width), Number(height)), likely: null };
  }
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
  if (Math.abs(fraction - Math.round(fraction)) < 0.01) {
    const minutes = Math.round(fraction);
    return { certain: among(Math.floor(minutes / 60), minutes % 60), likely: null };
  }
  const [likely = null] = numbersOfDate(plain)
    .map(([one, other]) => among(one, other))
    .filter((ratio) => ratio !== null);
  return { certain: null, likely };
}
