/** Parses the text of a field in megabytes a second; `null` if it is not valid. */
export function bytesPerSecondIn(text: string): number | null {
  // Many keyboards have a comma as the decimal separator.
  const megabytes = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(megabytes) || megabytes <= 0) return null;
  const bytes = Math.round(megabytes * 1_000_000);
  return bytes > 0 ? bytes : null;
}

/** A bandwidth as that field shows it, in megabytes a second. @param locale BCP 47 */
export function megabytesIn(bytesPerSecond: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, useGrouping: false });
  return format.format(bytesPerSecond / 1_000_000);
}
