import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../engine/make-folder.ts';
import { isOfTrustedUser } from '../engine/private-folder.ts';
import { renameOver } from '../engine/replace-file.ts';

/** The shortest room that any system has for a socket's path (macOS: 104 bytes with its end). */
const MAX_SOCKET_PATH = 103;

const SOCKET_NAME = 'spool.sock';

const addressSchema = z.string().min(1).max(1024);

/** Where the primary process of a data folder listens, and how it takes that back. */
export interface PrimaryAddress {
  /** A Unix socket's path, or a named pipe's. */
  readonly address: string;
  /** Tells it to whoever may read the data folder's private part: this user alone. */
  publish(): Promise<void>;
  withdraw(): Promise<void>;
}

/**
 * Chooses where the primary process of a data folder listens. On Unix that is a socket in a folder
 * that only this user can enter; where the data folder's own path is too long for one, a new folder
 * for running programs. On Windows a pipe's name is all there is to know, so it is one that cannot
 * be guessed: nobody can wait for our clients under it.
 *
 * The caller holds the data folder's lock, so whatever a primary process before it left here is
 * stale.
 */
export async function choosePrimaryAddress(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): Promise<PrimaryAddress> {
  const folder = privateFolder(dataDir);
  await makeFolder(folder, 0o700);
  await chmod(folder, 0o700);
  const { address, temporary } = await freshAddress(folder, platform);
  const file = addressFile(dataDir);
  return {
    address,
    async publish() {
      await writeFile(`${file}.new`, `${address}\n`, { mode: 0o600 });
      await renameOver(`${file}.new`, file);
    },
    async withdraw() {
      await rm(file, { force: true });
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * The address at which the primary process of a data folder listens; `null` when it published none.
 * A record that another user wrote is ignored: otherwise that user would receive what clients send,
 * including keys.
 */
export async function publishedAddress(dataDir: string): Promise<string | null> {
  const file = addressFile(dataDir);
  try {
    const [folder, published] = await Promise.all([stat(dataDir), lstat(file)]);
    if (process.platform !== 'win32' && !isOfTrustedUser(published, folder)) return null;
    return addressSchema.safeParse((await readFile(file, 'utf8')).trim()).data ?? null;
  } catch {
    return null;
  }
}

async function freshAddress(
  folder: string,
  platform: NodeJS.Platform,
): Promise<{ address: string; temporary: string | null }> {
  if (platform === 'win32') {
    return {
      address: String.raw`\\.\pipe\spool-${randomBytes(16).toString('hex')}`,
      temporary: null,
    };
  }
  const usual = path.join(folder, SOCKET_NAME);
  if (Buffer.byteLength(usual) <= MAX_SOCKET_PATH) {
    await rm(usual, { force: true });
    return { address: usual, temporary: null };
  }
  // Made for this user alone, under a name that nobody had before.
  const temporary = await mkdtemp(path.join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), 'spool-'));
  return { address: path.join(temporary, SOCKET_NAME), temporary };
}

function privateFolder(dataDir: string): string {
  return path.join(dataDir, 'endpoint');
}

function addressFile(dataDir: string): string {
  return path.join(privateFolder(dataDir), 'address');
}
