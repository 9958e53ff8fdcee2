import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** For opening a name without waiting for the other end of a pipe. Windows has no such flag. */
export const NO_WAITING = (constants.O_NONBLOCK as number | undefined) ?? 0;

/**
 * For opening a name at which anything may lie: also not through a symbolic link, which on Windows
 * only administrators can create.
 */
export const OPEN_SAFELY = ((constants.O_NOFOLLOW as number | undefined) ?? 0) | NO_WAITING;

/**
 * The text of a plain file of at most `maxBytes`; `undefined` for anything else.
 * @throws what the file system says, when there is something that it does not let us read
 */
export async function readPlainText(path: string, maxBytes: number): Promise<string | undefined> {
  await using file = await open(path, constants.O_RDONLY | OPEN_SAFELY);
  const stats = await file.stat();
  return stats.isFile() && stats.size <= maxBytes ? await file.readFile('utf8') : undefined;
}
