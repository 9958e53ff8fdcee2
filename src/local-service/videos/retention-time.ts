const DAY_MS = 24 * 60 * 60 * 1000;

export const DEFAULT_RETENTION_DAYS = 30;

/** @returns milliseconds */
export function retentionOf(days: number): number {
  return days * DAY_MS;
}
