/** The end of the error of a failed fetch in Chromium; Firefox's begins with other words. */
const ADDRESS_IN_ERROR = /dynamically imported module: (\S+)$/;

/**
 * Imports a script again after a failure. A page's module map keeps the failure under the script's
 * address for as long as the page is open (HTML, “fetch a single module script”), so the import
 * needs another address: the same with a query. In browsers whose error does not name the address,
 * such as Safari, every further import fails like the first.
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
