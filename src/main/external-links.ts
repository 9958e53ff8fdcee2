/**
 * Whether an address may be opened in the system's browser: only https addresses of the queue's
 * service, and the documentation of built-in services. Everything else that a text could smuggle in
 * (`javascript:`, `file:`, `ms-settings:`, names and passwords) is refused (`abuse.md` 10).
 *
 * @param serviceOrigin such as `https://api.example.com`
 * @param documentation whole addresses, as the page has them
 */
export function mayOpenExternally(
  address: string,
  serviceOrigin: string,
  documentation: ReadonlySet<string>,
): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.origin === serviceOrigin || documentation.has(url.href);
}
