/** What a field for megabytes a second says; `null` when it says nothing that can be kept. */
export function bytesPerSecondIn(text: string): number | null {
  // Many keyboards offer a comma where a decimal point is meant.
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
