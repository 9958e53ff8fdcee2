import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-codes.ts';

/**
 * What is in the folders that these names lead to.
 * @param folder absolute
 * @param names relative to it, with `/` between their parts
 * @returns names relative to `folder`, by the folder they are in; `null` for one that cannot be read
 */
export async function namesOnDisk(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const found = new Map<string, readonly string[] | null>();
  for (const below of new Set(names.map((name) => path.posix.dirname(name)))) {
    found.set(below, await namesIn(folder, below));
  }
  return found;
}

async function namesIn(folder: string, below: string): Promise<readonly string[] | null> {
  try {
    const files = await readdir(path.join(folder, below));
    return files.map((file) => path.posix.join(below, file));
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? [] : null;
  }
}
