/**
 * The host name of the studio on this computer: random, one for each data folder, and known to no
 * other program. Browsers send the cookies of a host to all of its ports, and programs of other users
 * can serve pages at the ports of 127.0.0.1 and localhost.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from '../domain-error.ts';

const FILE = 'studio-host';

/**
 * The last labels of the names. The certificate names all of them, because it is shown to every
 * client that connects; browsers accept no `*.localhost`. Browsers resolve names below `localhost`
 * to this computer.
 */
const PARENT = 'studio.localhost';

export const STUDIO_NAMES = `*.${PARENT}`;

/**
 * The data folder's name, made at first use.
 *
 * @throws {DomainError} `DATA_FOLDER_UNUSABLE` where its file is a link or a pipe
 */
export function studioHost(dataDir: string): string {
  const file = path.join(dataDir, FILE);
  const stored = read(file);
  if (stored !== undefined) return stored;
  const made = `${randomBytes(16).toString('hex')}.${PARENT}`;
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** `undefined` when there is no name, or a damaged one. */
function read(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) throw new DomainError('DATA_FOLDER_UNUSABLE', `${file} is not a file.`);
  const text = readFileSync(file, 'utf8').trim();
  return /^[0-9a-f]{32}\.studio\.localhost$/.test(text) ? text : undefined;
}
