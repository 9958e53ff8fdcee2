/** A standard and secure scheme, so that the page has its own origin. */
export const APP_SCHEME = 'spool-app';

export const APP_ORIGIN = `${APP_SCHEME}://app`;

/** Whether an address belongs to the app's own page. */
export function isAppAddress(address: string): boolean {
  return URL.parse(address)?.protocol === `${APP_SCHEME}:` && address.startsWith(`${APP_ORIGIN}/`);
}
