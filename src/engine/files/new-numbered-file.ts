/** Writes a file that replaces no other one of the user. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FolderUnusableError } from '../engine-error.ts';
import { codeOf } from '../error-codes.ts';
import { makeFolder } from './make-folder.ts';

/** Names are tried up to this number. */
const MAX_NUMBER = 1000;

/**
 * Writes a file that replaces no other: it has a number if its name is taken by another content.
 *
 * @param folders the first one that can be written to gets the file
 * @param name the file's name without its ending
 * @param ending such as `.left-out.csv`
 * @returns its path
 * @throws {FolderUnusableError} when none of the folders can be written to
 */
export async function writeNewFile(
  folders: readonly string[],
  name: string,
  ending: string,
  content: Uint8Array,
): Promise<string> {
  let failure: unknown = null;
  for (const folder of folders) {
    try {
      await makeFolder(folder);
      return await writeIn(folder, withoutSeparators(name), ending, content);
    } catch (error) {
      failure ??= error;
    }
  }
  throw new FolderUnusableError(folders.at(-1) ?? '', failure);
}

async function writeIn(
  folder: string,
  name: string,
  ending: string,
  content: Uint8Array,
): Promise<string> {
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const file = path.join(folder, `${name}${number === 1 ? '' : `-${number}`}${ending}`);
    try {
      await writeFile(file, content, { flag: 'wx', flush: true });
      return file;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (await hasContent(file, content)) return file;
    }
  }
  throw new Error(`Every name is taken in ${folder}.`);
}

/** The same command was run before with the same rows. */
async function hasContent(file: string, content: Uint8Array): Promise<boolean> {
  try {
    return (await readFile(file)).equals(content);
  } catch {
    return false;
  }
}

function withoutSeparators(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').slice(0, 150) || 'Batch';
}
