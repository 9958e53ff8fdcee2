/** The most videos in a month or a day that the contract takes. */
const MAX_VIDEOS = 1_000_000;

/** With or without separators of thousands. */
const WHOLE_NUMBER = /^(?:\d+|\d{1,3}(?:[\s.,’']\d{3})+)$/;

/**
 * Parses a typed number of videos, also with separators of thousands, such as the German `1.000`;
 * `null` if it is not a whole number, or too large.
 */
export function videosIn(text: string): number | null {
  const typed = text.trim();
  const videos = Number(typed.replaceAll(/\D/g, ''));
  return WHOLE_NUMBER.test(typed) && videos <= MAX_VIDEOS ? videos : null;
}
