import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE = 'web-port';

/**
 * The port that the app was last served on; `undefined` when unknown. A page still open from that
 * run can only reconnect to its own port.
 */
export async function lastPort(dataDir: string): Promise<number | undefined> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch(() => '');
  const port = /^\d{4,5}\n$/.test(text) ? Number(text) : 0;
  return port >= 1024 && port < 65_536 ? port : undefined;
}

/** Stores a port for the next start. If that fails, the next start has another port. */
export async function rememberPort(dataDir: string, port: number): Promise<void> {
  await writeFile(path.join(dataDir, FILE), `${port}\n`, { mode: 0o600 }).catch(() => undefined);
}
