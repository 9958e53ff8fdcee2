import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../engine/files/make-folder.ts';
import { isOfTrustedUser } from '../engine/files/private-folder.ts';
import { renameOver } from '../engine/files/replace-file.ts';

/** The shortest limit of any system for a socket's path (macOS: 104 bytes with the terminator). */
const MAX_SOCKET_PATH = 103;

const SOCKET_NAME = 'spool.sock';

const addressSchema = z.string().min(1).max(1024);

/** Where the primary process of a data folder listens. */
export interface PrimaryAddress {
  /** The path of a Unix socket, or the name of a named pipe. */
  readonly address: string;
  /** Writes the address into the data folder's private part, which only this user can read. */
  publish(): Promise<void>;
  unpublish(): Promise<void>;
}

/**
 * Chooses where the primary process of a data folder listens. On Unix, a socket in a folder that
 * only this user can enter; where the data folder's own path is too long for a socket, a new folder
 * for temporary files. On Windows, knowing a pipe's name is enough to use it, so the name cannot be
 * guessed and no other user can listen under it first.
 *
 * The caller holds the data folder's lock, so any address of an earlier primary process is stale.
 */
export async function choosePrimaryAddress(
  dataDir: string,
  platform: NodeJS.Platform = process.platform,
): Promise<PrimaryAddress> {
  const folder = privateFolder(dataDir);
  await makeFolder(folder, 0o700);
  await chmod(folder, 0o700);
  const { address, temporary } = await createAddress(folder, platform);
  const file = addressFile(dataDir);
  return {
    address,
    async publish() {
      await writeFile(`${file}.new`, `${address}\n`, { mode: 0o600 });
      await renameOver(`${file}.new`, file);
    },
    async unpublish() {
      await rm(file, { force: true });
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * The address at which the primary process of a data folder listens; `null` when none is published.
 * A file that another user wrote is ignored: otherwise that user would receive what clients send,
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

async function createAddress(
  folder: string,
  platform: NodeJS.Platform,
): Promise<{ address: string; temporary: string | null }> {
  if (platform === 'win32') {
    return {
      address: String.raw`\\.\pipe\spool-${randomBytes(16).toString('hex')}`,
      temporary: null,
    };
  }
  const socketPath = path.join(folder, SOCKET_NAME);
  if (Buffer.byteLength(socketPath) <= MAX_SOCKET_PATH) {
    await rm(socketPath, { force: true });
    return { address: socketPath, temporary: null };
  }
  // Only this user can enter it, and `mkdtemp` never reuses a name.
  const temporary = await mkdtemp(path.join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), 'spool-'));
  return { address: path.join(temporary, SOCKET_NAME), temporary };
}

function privateFolder(dataDir: string): string {
  return path.join(dataDir, 'endpoint');
}

function addressFile(dataDir: string): string {
  return path.join(privateFolder(dataDir), 'address');
}
