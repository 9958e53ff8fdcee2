const DAY_MS = 24 * 60 * 60 * 1000;

/** How long finished videos are kept by default. */
export const DEFAULT_RETENTION_DAYS = 30;

/** In milliseconds. */
export function retentionOf(days: number): number {
  return days * DAY_MS;
}
