/** Characters as a typesetter writes them: units stay with their numbers, fractions are one sign. */

const UNITS =
  '€|%|‰|\\$|£|¥|°C|°F|km/h|km|m²|m³|mm|cm|kg|mg|g|ml|l|kWh|kW|GB|MB|TB|Uhr|Std\\.|Min\\.|Sek\\.|EUR|USD|CHF|a\\.m\\.|p\\.m\\.|am|pm';
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
const NO_BREAK = '\u00a0';

/** The same text, with no-break spaces and fractions. */
export function typeset(text: string): string {
  return text
    .replaceAll(FRACTION, (written) => FRACTIONS[written] ?? written)
    .replaceAll(NUMBER_AND_UNIT, NO_BREAK)
    .replaceAll(SIGN_AND_NUMBER, NO_BREAK)
    .replaceAll(TITLE_AND_NAME, NO_BREAK);
}
