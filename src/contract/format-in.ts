/**
 * A tag for sentences of one language: amounts in them are written its way, “1,000” in English and
 * “1.000” in German. What names a thing, such as a row, is no amount and goes in as text.
 *
 * @param locale BCP 47
 */
export function formatIn(
  locale: string,
): (words: TemplateStringsArray, ...values: readonly (string | number)[]) => string {
  const numbers = new Intl.NumberFormat(locale);
  return (words, ...values) =>
    String.raw(
      { raw: words },
      ...values.map((value) => (typeof value === 'number' ? numbers.format(value) : value)),
    );
}
