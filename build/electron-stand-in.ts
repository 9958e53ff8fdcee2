import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Marks Electron's fuses in an executable, as `@electron/fuses` finds them. The sentinel occurs
 * once; the fuses' version, their number and one digit for each fuse (`0` off, `1` on) follow it.
 */
export const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Electron's defaults, except that each fuse that must be off is on. */
const FUSES = '10110001';

/**
 * Makes a folder that electron-builder accepts as Electron's, where the real one cannot be
 * downloaded: its executable does nothing, but has fuses that can be set. The package can be
 * inspected, not run.
 */
export async function makeElectronStandIn(folder: string, version: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'locales'), { recursive: true });
  const head = Buffer.from('#!/bin/sh\necho "This is no Electron."\nexit 1\n');
  const wire = Buffer.concat([
    Buffer.from(FUSE_SENTINEL),
    Buffer.from([1, FUSES.length]),
    Buffer.from(FUSES),
  ]);
  await writeFile(path.join(folder, 'electron'), Buffer.concat([head, wire]), { mode: 0o755 });
  await writeFile(path.join(folder, 'locales', 'en-GB.pak'), '');
  await writeFile(path.join(folder, 'version'), version);
  await writeFile(path.join(folder, 'LICENSE'), 'This is no Electron.\n');
}
