/** What Chromium, and Firefox in other words, say of a script that could not be fetched. */
const ADDRESS_IN_ERROR = /dynamically imported module: (\S+)$/;

/**
 * Imports a script again after a failure. A page's module map keeps the failure under the script's
 * address for as long as the page is open (HTML, “fetch a single module script”), so that another
 * address is needed: the same with a query. Where the browser does not name the address, as Safari
 * does not, every further import fails like the first.
 */
export function retriedImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let address: string | undefined;
  let failures = 0;
  return async () => {
    try {
      if (address === undefined) return await load();
      return (await import(/* @vite-ignore */ `${address}?attempt=${failures}`)) as Module;
    } catch (error) {
      failures += 1;
      address ??= ADDRESS_IN_ERROR.exec(String(error))?.[1];
      throw error;
    }
  };
}
