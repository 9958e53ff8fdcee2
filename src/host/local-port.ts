import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../engine/make-folder.ts';
import { replaceFileSync } from '../engine/replace-file.ts';

/** Below the ranges from which systems hand out ports of their own accord. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

const portSchema = z.coerce.number().int().min(1024).max(65_535);

/** Gives up looking for a free one then: if nearly all are taken, something else is wrong. */
const MAX_ATTEMPTS = 20;

const anyPort = (): number => randomInt(FIRST_PORT, LAST_PORT + 1);

/**
 * The port of the local service in a folder: chosen on first use, of those that nobody listens on,
 * and kept, because jobs and keys belong to the address that they were made for.
 *
 * @param choose a port to try, 20000 to 29999
 */
export async function localPort(folder: string, choose = anyPort): Promise<number> {
  const file = path.join(folder, 'port');
  const kept = portSchema.safeParse(await readFile(file, 'utf8').catch(() => undefined));
  if (kept.success) return kept.data;
  let port = choose();
  for (let attempt = 1; attempt < MAX_ATTEMPTS && !(await isFree(port)); attempt += 1) {
    port = choose();
  }
  await makeFolder(folder, 0o700);
  replaceFileSync(file, `${port}\n`);
  return port;
}

/** Address of the local service of a data folder; `null` as long as it never had one. */
export function localOrigin(folder: string): string | null {
  try {
    const port = portSchema.safeParse(readFileSync(path.join(folder, 'port'), 'utf8'));
    return port.success ? `https://127.0.0.1:${port.data}` : null;
  } catch {
    return null;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
