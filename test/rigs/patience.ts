/**
 * Timeout for a page that shows real renders, in milliseconds. Their duration depends on the
 * machine.
 */
export const PATIENCE_WITH_VIDEOS = 90_000;
