import path from 'node:path';
import { readIfRegular } from '../engine/files/regular-file.ts';
import { replaceFileSync } from '../engine/files/replace-file.ts';

const FILE = 'web-port';

/**
 * The port that the app was last served on; `undefined` when unknown. A page still open from that
 * run can only reconnect to its own port.
 */
export function lastPort(dataDir: string): number | undefined {
  const text = readIfRegular(path.join(dataDir, FILE)) ?? '';
  const port = /^\d{4,5}\n$/.test(text) ? Number(text) : 0;
  return port >= 1024 && port < 65_536 ? port : undefined;
}

/** Stores a port for the next start. If that fails, the next start has another port. */
export function rememberPort(dataDir: string, port: number): void {
  try {
    replaceFileSync(path.join(dataDir, FILE), `${port}\n`);
  } catch {
    // As above.
  }
}
