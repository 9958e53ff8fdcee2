import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDataFolder } from '../../../src/local-service/data-folder.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const modeOf = (file: string): string => (statSync(file).mode & 0o7777).toString(8);

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  test('is created with its parents, for this user only', () => {
    const folder = path.join(temporaryFolder(), 'a', 'b');
    makeDataFolder(folder);
    expect([modeOf(path.dirname(folder)), modeOf(folder)]).toEqual(['700', '700']);
  });

  test('loses the access of other users, with the service’s files in it and no others', () => {
    const folder = temporaryFolder();
    const files = ['service.sqlite', 'counters.sqlite', 'port', 'notes.txt'];
    for (const name of files) {
      writeFileSync(path.join(folder, name), '');
      chmodSync(path.join(folder, name), 0o664);
    }
    mkdirSync(path.join(folder, 'videos'));
    chmodSync(path.join(folder, 'videos'), 0o775);
    chmodSync(folder, 0o755);
    makeDataFolder(folder);
    const modes = [...files, 'videos', ''].map((name) => modeOf(path.join(folder, name)));
    expect(modes).toEqual(['600', '600', '600', '664', '700', '700']);
  });

  test('does not change what a link in it leads to', () => {
    const folder = temporaryFolder();
    const elsewhere = path.join(temporaryFolder(), 'disk');
    mkdirSync(elsewhere);
    chmodSync(elsewhere, 0o775);
    symlinkSync(elsewhere, path.join(folder, 'videos'));
    makeDataFolder(folder);
    expect(modeOf(elsewhere)).toBe('775');
  });

  test('is left as it is if all users share it', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o1777);
    makeDataFolder(folder);
    expect(modeOf(folder)).toBe('1777');
  });

  test('cannot be below a file', () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => makeDataFolder(path.join(file, 'data'))).toThrow(
      expect.objectContaining({ code: 'DATA_FOLDER_UNUSABLE' }),
    );
  });
});
