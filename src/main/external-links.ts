/**
 * Whether an address may be given to the system's browser: https, and of the service that the queue
 * belongs to. Everything else that a text could smuggle in (`javascript:`, `file:`, `ms-settings:`,
 * names and passwords) stays where it is (`abuse.md` 10).
 *
 * @param serviceOrigin such as `https://api.example.com`
 */
export function mayOpenOutside(address: string, serviceOrigin: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return false;
  return url.username === '' && url.password === '' && url.origin === serviceOrigin;
}
