import { rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebHost } from './web-host.ts';

/**
 * Opens the app in a browser. The browser is started with the name of a file that only this user can
 * read and that leads to a link for once: other users of this computer can read the arguments of
 * programs, so no argument may open anything (`abuse.md` 33). The file is deleted when its link was used.
 *
 * @param open starts the browser with an address
 */
export async function openInBrowser(
  app: Pick<WebHost, 'port' | 'linkForOnce'>,
  dataDir: string,
  open: (address: string) => Promise<unknown>,
): Promise<void> {
  // With the port in its name, two hosts of one folder do not write to the same file.
  const file = path.join(dataDir, `open-spool-${app.port}.html`);
  const { link, ended } = app.linkForOnce();
  await rm(file, { force: true });
  // Made by this call or not at all: a file or link that is put there meanwhile is not written to.
  await writeFile(file, pageThatLeadsTo(link), { flag: 'wx', mode: 0o600 });
  // Synchronously, since the process may end right after the host has closed.
  void ended.then(() => rmSync(file, { force: true })).catch(() => undefined);
  await open(pathToFileURL(file).href);
}

/** The link is made of hexadecimal digits and needs no escaping. */
function pageThatLeadsTo(link: string): string {
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Spool</title>',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${link}">`,
    `<p><a href="${link}">Open Spool</a></p></html>\n`,
  ].join('\n');
}
