import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.ts';

/**
 * Makes the folder of the service's data, for its user alone, and what is missing above it.
 *
 * @throws {Refusal} `DATA_FOLDER_UNUSABLE` when no folder can be made there.
 */
export function makeDataFolder(folder: string): void {
  try {
    make(path.resolve(folder));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('DATA_FOLDER_UNUSABLE', `The data folder cannot be made: ${reason}.`);
  }
}

/**
 * One folder at a time: below a folder that takes none, as in `/proc`, Node's own `recursive` never
 * ends.
 */
function make(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(folder)) make(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in between.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
