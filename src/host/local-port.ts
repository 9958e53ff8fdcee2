import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../engine/files/make-folder.ts';
import { readIfRegular } from '../engine/files/regular-file.ts';
import { replaceFileSync } from '../engine/files/replace-file.ts';

/** Below the ranges from which operating systems assign ports themselves. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

const portSchema = z.coerce.number().int().min(1024).max(65_535);

/** If this many ports in a row are taken, something else is wrong. */
const MAX_ATTEMPTS = 20;

const anyPort = (): number => randomInt(FIRST_PORT, LAST_PORT + 1);

/**
 * The port of the local service in a folder: chosen on first use among ports without a listener,
 * and kept, because jobs and keys belong to the address that they were made for.
 *
 * @param choose a port to try, 20000 to 29999
 */
export async function localPort(folder: string, choose = anyPort): Promise<number> {
  const file = path.join(folder, 'port');
  const stored = portSchema.safeParse(readIfRegular(file));
  if (stored.success) return stored.data;
  let port = choose();
  for (let attempt = 1; attempt < MAX_ATTEMPTS && !(await isFree(port)); attempt += 1) {
    port = choose();
  }
  await makeFolder(folder, 0o700);
  replaceFileSync(file, `${port}\n`);
  return port;
}

/** Address of the local service of a data folder; `null` if it has never run. */
export function localOrigin(folder: string): string | null {
  const port = portSchema.safeParse(readIfRegular(path.join(folder, 'port')));
  return port.success ? `https://127.0.0.1:${port.data}` : null;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
