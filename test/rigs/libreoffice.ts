/** Lets LibreOffice write workbooks, where it is installed: it is too large to install for tests. */
import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/** The program; `undefined` where it is not installed. */
export const libreOffice = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'soffice'))
  .find(isProgram);

/** For a test that is skipped. */
export const LIBREOFFICE_MISSING =
  'LibreOffice is not installed. On Debian: apt-get install --no-install-recommends libreoffice-calc';

/** A kind of file, or a filter with its options. */
type Format = `${'xlsx' | 'xls' | 'ods' | 'fods' | 'csv'}${'' | `:${string}`}`;

/**
 * Converts documents, all in one run, which takes seconds.
 * @param documents OpenDocument in one XML file
 * @returns the bytes of each, in order
 */
export async function convert(documents: readonly string[], to: Format): Promise<Buffer[]> {
  if (libreOffice === undefined) throw new Error(LIBREOFFICE_MISSING);
  const folder = temporaryFolder();
  const names = documents.map((document, at) => {
    const name = path.join(folder, `document-${at}.fods`);
    writeFileSync(name, document);
    return name;
  });
  await run(libreOffice, [
    `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`,
    '--headless',
    '--convert-to',
    to,
    '--outdir',
    path.join(folder, 'converted'),
    ...names,
  ]);
  const [extension] = to.split(':');
  return names.map((_, at) =>
    readFileSync(path.join(folder, 'converted', `document-${at}.${extension}`)),
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
