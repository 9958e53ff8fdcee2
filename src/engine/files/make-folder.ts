import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-codes.ts';

/**
 * Creates a folder and its missing parents. One at a time, because Node's own `recursive` never
 * ends below a folder that accepts none, as in `/proc`.
 * @param folder absolute path
 * @param mode permissions of what is made, less the umask
 * @throws the file system's own error when a folder cannot be made
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const parent = path.dirname(folder);
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent, mode);
    await makeOne(folder, mode);
  }
}

/** Creates one folder, unless it exists already. */
async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
