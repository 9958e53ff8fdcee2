import type { Wait } from './job.ts';

/**
 * Whether the forecast includes this wait, so that its times still hold. This file imports no
 * schema, so that a page can use it without loading the library.
 */
export function isForecast(wait: Wait | null): boolean {
  switch (wait?.reason) {
    case undefined:
    case 'turn':
    case 'render-slot':
    case 'link-limit':
      return true;
    default:
      return false;
  }
}
