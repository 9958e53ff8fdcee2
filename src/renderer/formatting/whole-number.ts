/** The most videos in a month or a day that the contract takes. */
const MAX_VIDEOS = 1_000_000;

/**
 * Parses a typed number of videos, with or without separators of thousands, such as the German
 * `1.000`; `null` if it is not a whole number, or too large.
 */
export function videosIn(text: string): number | null {
  const digits = text.trim().replaceAll(/[\s.,’']/g, '');
  const videos = Number(digits);
  return /^\d+$/.test(digits) && videos <= MAX_VIDEOS ? videos : null;
}
