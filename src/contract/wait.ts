import type { Wait } from './job.ts';

/**
 * Whether the forecast includes this wait, so that its times still hold. This file imports no
 * schema, so that a page can use it without loading the library.
 */
export function isForecast(wait: Wait | null): boolean {
  return wait === null || wait.reason === 'turn' || wait.reason === 'link-limit';
}
