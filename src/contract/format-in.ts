import { sizesIn } from './sizes.ts';

/**
 * A template tag for one language: numbers are formatted for the locale, “1,000” in English and
 * “1.000” in German. Numbers that identify something, such as a row, must be passed as text.
 *
 * @param locale BCP 47
 */
export function formatIn(
  locale: string,
): (words: TemplateStringsArray, ...values: readonly (string | number)[]) => string {
  return (words, ...values) =>
    String.raw(
      { raw: words },
      ...values.map((value) => (typeof value === 'number' ? sizesIn(locale).count(value) : value)),
    );
}

export const english = formatIn('en-GB');
export const german = formatIn('de-DE');
