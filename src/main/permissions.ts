import { isAppAddress } from './app-origin.ts';

/** Needed to copy a path, and to watch a video in full screen. */
const GRANTED: readonly string[] = ['clipboard-sanitized-write', 'fullscreen'];

/**
 * Whether to grant a page's permission request: a few for the app's own page, none for others.
 *
 * @param permission Electron's name of it
 * @param address of the requesting page, or its origin
 */
export function isPermitted(permission: string, address: string): boolean {
  return GRANTED.includes(permission) && isAppAddress(`${address}/`);
}
