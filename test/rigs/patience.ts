/**
 * How long a page is waited for that shows videos being made for real, in milliseconds: how long
 * that takes is the machine's to say.
 */
export const PATIENCE_WITH_VIDEOS = 90_000;
