import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { folderIdentity } from '../engine/jobs/instance-lock.ts';
import { makeFolder } from '../engine/files/make-folder.ts';
import { isOfTrustedUser } from '../engine/files/private-folder.ts';
import { readIfRegular } from '../engine/files/regular-file.ts';
import { renameOver } from '../engine/files/replace-file.ts';

/** The shortest limit of any system for a socket's path (macOS: 104 bytes with the terminator). */
const MAX_SOCKET_PATH = 103;

const SOCKET_SUFFIX = '.sock';

/** A line each: the address, and the identity of the folder that is served there. */
const publishedSchema = z
  .string()
  .max(2048)
  .transform((text) => text.trim().split('\n'))
  .pipe(z.tuple([z.string().min(1).max(1024), z.string().min(1)]));

/** Where the primary process of a data folder listens. */
export interface PrimaryAddress {
  /** The path of a Unix socket, or the name of a named pipe. */
  readonly address: string;
  /** Identity of the folder that it serves. */
  readonly folder: string;
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
 * The caller holds the data folder's lock, so any address of an earlier primary process is stale. Its
 * name is new each time: a process that has lost the folder removes only its own socket.
 */
export async function choosePrimaryAddress(dataDir: string): Promise<PrimaryAddress> {
  const privateFolder = path.join(dataDir, 'endpoint');
  await makeFolder(privateFolder, 0o700);
  await chmod(privateFolder, 0o700);
  const { address, temporary } = await createAddress(privateFolder, process.platform);
  const file = addressFile(dataDir);
  const folder = folderIdentity(dataDir);
  const text = `${address}\n${folder}\n`;
  return {
    address,
    folder,
    async publish() {
      await rm(`${file}.new`, { force: true });
      await writeFile(`${file}.new`, text, { flag: 'wx', mode: 0o600 });
      await renameOver(`${file}.new`, file);
    },
    async unpublish() {
      // Another process that has taken the folder publishes its own.
      if (readIfRegular(file) === text) await rm(file, { force: true });
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * The address at which the primary process of a data folder listens, and the identity of the folder;
 * `null` when none is published. One that was published for another folder is ignored, since a copy
 * of a folder contains the address of the original. A file that another user wrote is ignored: otherwise that user would receive what clients send,
 * including keys.
 */
export async function publishedAddress(
  dataDir: string,
): Promise<Pick<PrimaryAddress, 'address' | 'folder'> | null> {
  const file = addressFile(dataDir);
  try {
    const [folder, published] = await Promise.all([stat(dataDir), lstat(file)]);
    if (process.platform !== 'win32' && !isOfTrustedUser(published, folder)) return null;
    const [address, served] = publishedSchema.parse(readIfRegular(file));
    return served === folderIdentity(dataDir) ? { address, folder: served } : null;
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
  for (const name of await readdir(folder)) {
    if (name.endsWith(SOCKET_SUFFIX)) await rm(path.join(folder, name), { force: true });
  }
  const name = randomBytes(4).toString('hex') + SOCKET_SUFFIX;
  const socketPath = path.join(folder, name);
  if (Buffer.byteLength(socketPath) <= MAX_SOCKET_PATH)
    return { address: socketPath, temporary: null };
  // Only this user can enter it, and `mkdtemp` never reuses a name.
  const temporary = await mkdtemp(path.join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), 'spool-'));
  return { address: path.join(temporary, name), temporary };
}

function addressFile(dataDir: string): string {
  return path.join(dataDir, 'endpoint', 'address');
}
