/**
 * Whether an address may be opened in the system's browser: only https addresses of the queue's
 * service. Everything else that a text could smuggle in (`javascript:`, `file:`, `ms-settings:`,
 * names and passwords) is refused (`abuse.md` 10).
 *
 * @param serviceOrigin such as `https://api.example.com`
 */
export function mayOpenExternally(address: string, serviceOrigin: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return false;
  return url.username === '' && url.password === '' && url.origin === serviceOrigin;
}
