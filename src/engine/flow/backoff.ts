const FIRST_MS = 5000;
const MAX_MS = 600_000;

/**
 * Milliseconds to leave a job alone after so many failures in a row: 5 s, then twice as long each
 * time, up to 10 minutes.
 * @param failures 1 or more
 */
export function backoff(failures: number): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
}
