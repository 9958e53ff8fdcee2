const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** "812 kB", "41.2 MB", "3.05 GB": decimal units, three figures. */
export function formatBytes(bytes: number, locale: string): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  // 999.5 rounds to 1000, which reads better as the next unit's 1.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${threeFigures(value, locale)} ${UNITS[unit] ?? 'B'}`;
}

/** "41.2 MB/s". */
export function formatSpeed(bytesPerSecond: number, locale: string): string {
  return `${formatBytes(Math.round(bytesPerSecond), locale)}/s`;
}

/** "62 %": rounded down, so that 100 % is only ever said of what is finished. */
export function formatShare(fraction: number): string {
  return `${Math.floor(fraction * 100)} %`;
}

/** "1,204" in English, "1.204" in German. */
export function formatCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

function threeFigures(value: number, locale: string): string {
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}
