import { isAppAddress } from './app-origin.ts';

/** To copy a path, and to watch a video on the whole screen. */
const GRANTED: readonly string[] = ['clipboard-sanitized-write', 'fullscreen'];

/**
 * Whether a page may do what it asks to be permitted: the app's own page a little, and no other
 * page anything.
 *
 * @param permission as Electron calls it
 * @param address of the page that asks, or its origin
 */
export function isPermitted(permission: string, address: string): boolean {
  return GRANTED.includes(permission) && isAppAddress(`${address}/`);
}
