/** "62 %": rounded down, so that 100 % is only shown for what is finished. */
export function formatShare(fraction: number): string {
  // 0.29 * 100 is a little less than 29.
  return `${Math.floor(fraction * 100 + 1e-9)} %`;
}
