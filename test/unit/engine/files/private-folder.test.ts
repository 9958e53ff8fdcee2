import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { closeToOthers, exposureOf } from '../../../../src/engine/files/private-folder.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o7777;

/** A data folder with a database that others can read. */
function dataFolder(mode: number): { readonly folder: string; readonly database: string } {
  const folder = path.join(temporaryFolder(), 'data');
  mkdirSync(folder);
  const database = path.join(folder, 'spool.db');
  writeFileSync(database, '');
  chmodSync(database, 0o644);
  chmodSync(folder, mode);
  return { folder, database };
}

describe.skipIf(process.platform === 'win32')('the rights of other users', () => {
  test('to the folder and to the files of Spool are removed, to other files not', () => {
    const { folder, database } = dataFolder(0o755);
    const other = path.join(folder, 'film.mp4');
    writeFileSync(other, '');
    chmodSync(other, 0o644);
    closeToOthers(folder);

    expect([folder, database, other].map(modeOf)).toEqual([0o700, 0o600, 0o644]);
    expect(exposureOf(folder)).toBeNull();
  });

  test('to a file with a second name elsewhere stay as they are', () => {
    const { folder, database } = dataFolder(0o755);
    linkSync(database, path.join(path.dirname(folder), 'precious'));
    closeToOthers(folder);

    expect(modeOf(database)).toBe(0o644);
  });

  test('stay as they are where others could exchange the file meanwhile', (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a folder to another user');
    const { folder, database } = dataFolder(0o777);
    chownSync(folder, 65_534, 65_534);
    closeToOthers(folder);

    expect([folder, database].map(modeOf)).toEqual([0o777, 0o644]);
  });

  test('are reported as long as there are some', () => {
    const { folder, database } = dataFolder(0o755);
    const sentence = (): unknown => exposureOf(folder)?.says[0]?.sentence;
    expect(sentence()).toBe('data-folder-readable');

    chmodSync(folder, 0o777);
    expect(sentence()).toBe('data-folder-writable');

    // Others can list the folder, and read none of its files; a symbolic link has no rights.
    chmodSync(folder, 0o755);
    chmodSync(database, 0o600);
    symlinkSync(database, path.join(folder, 'keys.json'));
    expect(exposureOf(folder)).toBeNull();
  });
});
