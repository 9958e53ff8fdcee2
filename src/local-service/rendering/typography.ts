/** Characters as a typesetter writes them: units stay with their numbers, fractions are one sign. */

/** Their letters are never capitals. */
const SYMBOLS = 'km/h|km|m²|m³|mm|cm|kg|mg|g|ml|l|kWh|kW';
const UNITS = `${SYMBOLS}|€|%|‰|\\$|£|¥|°C|°F|GB|MB|TB|Uhr|Std\\.|Min\\.|Sek\\.|EUR|USD|CHF|a\\.m\\.|p\\.m\\.|am|pm`;
const NUMBER_AND_UNIT = new RegExp(
  String.raw`(?<=[\d½⅓⅔¼¾⅕⅛]) (?=(?:${UNITS})(?![\p{L}\d]))`,
  'gu',
);
const SIGN_AND_NUMBER = /(?<=(?:^|\s)(?:[€$£¥§№]|Nr\.|No\.)) (?=\d)/gu;
/** Between a title and the name that it belongs to. */
const TITLE_AND_NAME = /(?<=(?:^|\s)(?:Dr\.|Prof\.|St\.|Mr\.|Mrs\.|Ms\.)) (?=\p{Lu})/gu;
/** Only before a unit: elsewhere it may be a date or a part of a series. */
const FRACTION = new RegExp(
  String.raw`(?<![\d/.,])(1/2|1/3|2/3|1/4|3/4|1/5|1/8)(?=[ \u00a0\u202f]?(?:${UNITS})(?![\p{L}\d]))`,
  'gu',
);
const FRACTIONS: Readonly<Record<string, string>> = {
  '1/2': '½',
  '1/3': '⅓',
  '2/3': '⅔',
  '1/4': '¼',
  '3/4': '¾',
  '1/5': '⅕',
  '1/8': '⅛',
};
const SYMBOL_OF_NUMBER = new RegExp(
  String.raw`(?<=\d[ \u00a0\u202f]?)(${SYMBOLS})(?![\p{L}\d])`,
  'u',
);
/** A quantity, a year, or how much energy a house needs. */
const VALUE = new RegExp(
  String.raw`^(.*\p{L}.*?)[:\s]\s*(\d[\d.,]*\s?(?:${UNITS})|(?:19|20)\d\d|A\+{1,3})$`,
  'u',
);
/** A bullet, or a dash or asterisk for one; a dash may be the minus of an amount. */
const BULLET = /^(?:[•‣⁃∙▪▫■□●○◦]\s*|[*·]\s+|[-–—]\s+(?!\d[\d.,]*\s*[%‰°€$£]))(?=\S)/u;
const NO_BREAK = '\u00a0';

/** The same text, with no-break spaces and fractions. */
export function typeset(text: string): string {
  return text
    .replaceAll(FRACTION, (written) => FRACTIONS[written] ?? written)
    .replaceAll(NUMBER_AND_UNIT, NO_BREAK)
    .replaceAll(SIGN_AND_NUMBER, NO_BREAK)
    .replaceAll(TITLE_AND_NAME, NO_BREAK);
}

/** The text in capitals, but for units, such as “184 m²”. */
export function capitals(text: string): string {
  const parts = text.split(SYMBOL_OF_NUMBER);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.toLocaleUpperCase())).join('');
}

/** The quantity or year that a text ends with, and what is before it. */
export function splitValue(text: string): { name: string; value: string | undefined } {
  const [, name, value] = VALUE.exec(text.trim()) ?? [];
  return name === undefined ? { name: text, value } : { name, value };
}

/** The items of a list without their bullets, if all have one. */
export function withoutBullets(items: readonly string[]): readonly string[] {
  if (items.length < 2 || !items.every((item) => BULLET.test(item))) return items;
  return items.map((item) => item.replace(BULLET, ''));
}

/** Whether the items of a list begin with their numbers, such as “1. First” and “2. Second”. */
export function isCounted(items: readonly string[]): boolean {
  return items.every((item, index) => new RegExp(String.raw`^${index + 1}[.)]\s`, 'u').test(item));
}
