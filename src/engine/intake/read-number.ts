/** Reads numbers and lengths as people and spreadsheets write them. */

/** The values that a text may have; the first is the likely one. */
export interface NumberReading {
  /** The value if there is no doubt; `null` otherwise. */
  readonly certain: number | null;
  /** Other values that were perhaps meant. */
  readonly likely: readonly number[];
}

const NOTHING: NumberReading = { certain: null, likely: [] };

/** Marks of footnotes and indexes, which would become digits. */
const RAISED_DIGITS = /[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+/g;

/** @param text trimmed */
export function readNumber(text: string, unit: 'seconds' | 'time' | undefined): NumberReading {
  const unmarked = text.replace(RAISED_DIGITS, '').trim();
  if (unmarked !== text) {
    const { certain, likely } = readNumber(unmarked, unit);
    return { certain: null, likely: certain === null ? likely : [certain] };
  }
  const plain = plainText(text);
  const digits = plainDigits(plain);
  if (digits !== null) return { certain: Number(digits), likely: [] };
  if (unit !== undefined) {
    const length = readLength(plain);
    if (length !== NOTHING) return length;
  }
  return { certain: null, likely: [...groupedOrShortened(plain), ...fromDate(plain)] };
}

/** A number with the digits of its text, as JSON writes one, unless they are in groups. */
export function writtenNumber(text: string, number: number): string {
  const ungrouped = /^[+-]?\d+,\d{1,2}$/.test(text) ? text.replace(',', '.') : text;
  if (JSON_NUMBER.test(ungrouped)) return ungrouped;
  const digits = plainDigits(plainText(text))?.replace(/^\+?0*(?=\d)/, '') ?? '';
  return !isExact(number) && JSON_NUMBER.test(digits) ? digits : String(number);
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Whether a number has all digits of a whole one: those of 16 digits and more may lose some. */
export function isExact(number: number): boolean {
  return Number.isSafeInteger(Math.trunc(number));
}

function plainText(text: string): string {
  const marked = text
    .replace(/[′’]/g, "'")
    .replace(/[″”]/g, '"')
    .replace(/\u2212/g, '-');
  return withKnownDigits(marked.normalize('NFKC')).replace(/^'/, '').trim();
}

/** The zeros of Arabic, Persian, Devanagari, Bengali and Thai; the other digits follow each. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

function withKnownDigits(text: string): string {
  return text
    .replace(/[٠-٩۰-۹०-९০-৯๐-๙]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
    })
    .replace('\u066b', '.');
}

/** A number that can be read in one way only, as digits with a point; `null` for another text. */
function plainDigits(text: string): string | null {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return text;
  // “7,5” is a decimal comma; “1,500” is ambiguous.
  if (/^[+-]?\d+,\d{1,2}$/.test(text)) return text.replace(',', '.');
  if (/^[+-]?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/.test(text)) {
    return text.replaceAll('.', '').replace(',', '.');
  }
  // In India, the groups before the last have two digits.
  if (/^[+-]?\d{1,3}(?:(?:,\d{2,3})*,\d{3}\.\d+|(?:,\d{2,3})+,\d{3})$/.test(text)) {
    return text.replaceAll(',', '');
  }
  if (/^[+-]?\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?$/.test(text)) {
    return text.replace(/[ ']/g, '').replace(',', '.');
  }
  return null;
}

/** “1,500” and “1E+5”: a spreadsheet may have rounded what it shows so. */
function groupedOrShortened(text: string): number[] {
  if (/^[+-]?\d+,\d{3}$/.test(text)) {
    return [Number(text.replace(',', '')), Number(text.replace(',', '.'))];
  }
  return /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d{1,2}$/i.test(text) ? [Number(text.replace(',', '.'))] : [];
}

const UNIT =
  /^(\d+(?:[.,]\d+)?)\s*(?:(s|secs?|seconds?|sek|sekunden?|secondes?|segundos?|")|(m|mins?|minutes?|minuten?|minutos?))\.?$/i;
const MINUTES_AND_SECONDS = /^(\d+)\s*(?:m(?:in)?\.?|')\s*(\d{1,2})\s*(?:s(?:ec|ek)?\.?|")$/i;
/** The day that spreadsheets put before a time of day when they show a date, too. */
const ZERO_DATE =
  /^(?:1899-12-3[01]|3[01]\.12\.1899|12\/3[01]\/1899|1900-01-0[01]|0?[01]\.0?1\.1900|0?1\/0?[01]\/1900)[T ]+/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,](\d+))?(?:\s*(?:([ap])\.?m|min)\.?)?$/i;

/** A time of day without the day that a spreadsheet shows before it. */
export function withoutZeroDate(text: string): string {
  return text.replace(ZERO_DATE, '').replace(/(?<=:\d\d)(?:\.0+)?Z?$/, '');
}

/** The length of a video: “3s”, “4 sec”, “1 min”, “0:04”. */
function readLength(text: string): NumberReading {
  const [, amount = '', isSeconds] = UNIT.exec(text) ?? [];
  if (amount !== '') {
    const number = Number(amount.replace(',', '.'));
    return { certain: isSeconds === undefined ? number * 60 : number, likely: [] };
  }
  const both = MINUTES_AND_SECONDS.exec(text);
  if (both) return { certain: Number(both[1]) * 60 + Number(both[2]), likely: [] };
  const clock = CLOCK.exec(withoutZeroDate(text));
  return clock ? readClock(clock) : NOTHING;
}

function readClock([
  ,
  first = '',
  second = '',
  third,
  fraction,
  half,
]: RegExpExecArray): NumberReading {
  const asMinutes = Number(first) * 60 + Number(second);
  // 12:15 AM is 0:15, which a spreadsheet took for a time of day.
  if (half !== undefined) {
    const ofHours = (Number(first) % 12) * 3600 + Number(second) * 60;
    if (third !== undefined && third !== '00') {
      return { certain: null, likely: [ofHours + Number(third)] };
    }
    return { certain: null, likely: [(Number(first) % 12) * 60 + Number(second), asMinutes] };
  }
  const part = fraction === undefined ? 0 : Number(`0.${fraction}`);
  if (third === undefined) return { certain: asMinutes + part, likely: [Number(first)] };
  const whole = Number(first) * 3600 + Number(second) * 60 + Number(third) + part;
  // Spreadsheets show 0:15 as 00:15:00.
  return third === '00' && fraction === undefined
    ? { certain: null, likely: [asMinutes, whole] }
    : { certain: whole, likely: [] };
}

const MONTHS = [
  /^jan/i,
  /^f[eé]/i,
  /^(?:m[aä]r|mrz)/i,
  /^a[pv]r/i,
  /^ma[iy]/i,
  /^jun/i,
  /^jul/i,
  /^aug/i,
  /^sep/i,
  /^o[ck]t/i,
  /^nov/i,
  /^de[cz]/i,
];

/** Day and month of what a spreadsheet took for a date: 4.5 became “04. Mai”; in the order shown. */
export function numbersOfDate(text: string): readonly (readonly [number, number])[] {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(?:\d{2}|\d{4})?(?: 0?0:00(?::00)?)?$/.exec(text);
  if (dotted) return [[Number(dotted[1]), Number(dotted[2])]];
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(?:\d{2}|\d{4})(?: 0?0:00(?::00)?)?$/.exec(text);
  if (slashed) return pairs(Number(slashed[1]), Number(slashed[2]));
  const iso = /^\d{4}-(\d{2})-(\d{2})(?:[ T]00:00(?::00)?)?$/.exec(text);
  if (iso) return pairs(Number(iso[1]), Number(iso[2]));
  const [, day = '', name = ''] = /^(\d{1,2})[.\s-]+(\p{L}{3,9})\.?$/u.exec(text) ?? [];
  const [, nameFirst = '', dayLast = ''] = /^(\p{L}{3,9})[.\s-]+(\d{1,2})$/u.exec(text) ?? [];
  const month = MONTHS.findIndex((each) => each.test(name || nameFirst)) + 1;
  if (month === 0) return [];
  // “16-Sep” and “Sep 16” were 9/16 in English, “16. Sep” was 16.9 in German.
  return /^\d+\./.test(text) ? pairs(Number(day), month) : pairs(month, Number(day || dayLast));
}

function pairs(one: number, other: number): readonly (readonly [number, number])[] {
  return [
    [one, other],
    [other, one],
  ];
}

function fromDate(text: string): number[] {
  return numbersOfDate(text).map(([one, other]) => Number(`${one}.${other}`));
}
