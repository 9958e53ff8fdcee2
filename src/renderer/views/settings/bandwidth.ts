/** What a field for megabytes a second says; `null` when it says nothing that can be kept. */
export function bytesPerSecondIn(text: string): number | null {
  // Many keyboards offer a comma where a decimal point is meant.
  const megabytes = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(megabytes) || megabytes <= 0) return null;
  const bytes = Math.round(megabytes * 1_000_000);
  return bytes > 0 ? bytes : null;
}

/** A bandwidth as that field shows it, in megabytes a second. */
export function megabytesIn(bytesPerSecond: number): string {
  return String(Number((bytesPerSecond / 1_000_000).toFixed(6)));
}
