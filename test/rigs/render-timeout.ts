/**
 * Timeout for a page that shows real renders, in milliseconds. Their duration depends on the
 * machine.
 */
export const RENDER_TIMEOUT_MS = 90_000;
