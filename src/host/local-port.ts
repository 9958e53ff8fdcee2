import { randomInt } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../engine/make-folder.ts';

/** Below the ranges from which systems hand out ports of their own accord. */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

const portSchema = z.coerce.number().int().min(1024).max(65_535);

/**
 * The port of the local service in a folder: chosen on first use and kept, because jobs and keys
 * belong to the address that they were made for.
 */
export async function localPort(folder: string): Promise<number> {
  const file = path.join(folder, 'port');
  const kept = portSchema.safeParse(await readFile(file, 'utf8').catch(() => undefined));
  if (kept.success) return kept.data;
  const port = randomInt(FIRST_PORT, LAST_PORT + 1);
  await makeFolder(folder, 0o700);
  await writeFile(`${file}.new`, `${port}\n`);
  await rename(`${file}.new`, file);
  return port;
}
