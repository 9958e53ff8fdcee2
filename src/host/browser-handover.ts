import { rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebHost } from './web-host.ts';

/**
 * Opens the app in a browser. The browser is started with a file that only this user can read and
 * that contains a one-time link. Other users of this computer can read program arguments, so no
 * argument may grant access (`abuse.md` 33). The file is deleted after its link was used.
 *
 * @param open starts the browser with an address
 */
export async function openInBrowser(
  app: Pick<WebHost, 'port' | 'createLink'>,
  dataDir: string,
  open: (address: string) => Promise<unknown>,
): Promise<void> {
  // The port in the name keeps two hosts of one folder from writing to the same file.
  const file = path.join(dataDir, `open-spool-${app.port}.html`);
  const { link, ended } = app.createLink();
  await rm(file, { force: true });
  // `wx` fails if the name exists, so a file or link that another program put there is not written
  // to.
  await writeFile(file, redirectPage(link), { flag: 'wx', mode: 0o600 });
  // Synchronous: the process may exit right after the host has closed.
  void ended.then(() => rmSync(file, { force: true })).catch(() => undefined);
  await open(pathToFileURL(file).href);
}

/** The link's name and secret are hexadecimal digits, which need no escaping. */
function redirectPage(link: string): string {
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Spool</title>',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${link}">`,
    `<p><a href="${link}">Open Spool</a></p></html>\n`,
  ].join('\n');
}
