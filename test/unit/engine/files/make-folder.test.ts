import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../src/engine/files/make-folder.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('makes missing folders, also in concurrent calls, and keeps existing ones', async () => {
  const folder = path.join(temporaryFolder(), 'a', 'b', 'c');
  await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(path.dirname(folder))]);
  await writeFile(path.join(folder, 'file'), 'kept');
  await makeFolder(folder);
  expect((await stat(path.join(folder, 'file'))).size).toBe(4);
});

test('a file in place of a folder is an error', async () => {
  const file = path.join(temporaryFolder(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(path.join(file, 'below'))).rejects.toThrow('ENOTDIR');
  await expect(makeFolder(file)).rejects.toThrow('EEXIST');
});

test.runIf(process.platform === 'linux')(
  'fails when no folder can be made, instead of retrying endlessly',
  async () => {
    await expect(makeFolder('/proc/spool/data')).rejects.toThrow('ENOENT');
  },
);
