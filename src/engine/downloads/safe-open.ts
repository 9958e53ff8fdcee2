import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Opens a name without waiting for the other end of a pipe. Windows has no such flag. */
export const NO_WAITING = (constants.O_NONBLOCK as number | undefined) ?? 0;

/**
 * For a path at which there may be anything: also refuses symbolic links, which on Windows only
 * administrators can create.
 */
export const OPEN_SAFELY = ((constants.O_NOFOLLOW as number | undefined) ?? 0) | NO_WAITING;

/**
 * The text of a regular file of at most `maxBytes`; `undefined` for anything else.
 * @throws the file system's error, when the file exists and cannot be read
 */
export async function readPlainText(path: string, maxBytes: number): Promise<string | undefined> {
  await using file = await open(path, constants.O_RDONLY | OPEN_SAFELY);
  const stats = await file.stat();
  return stats.isFile() && stats.size <= maxBytes ? await file.readFile('utf8') : undefined;
}
