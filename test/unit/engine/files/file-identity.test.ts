import { appendFileSync, cpSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  identityOf,
  isSameFile,
  isSameFileLater,
  type FileIdentity,
} from '../../../../src/engine/files/file-identity.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a file that was changed and renamed is the same one, and a copy of it is not', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'file');
  const renamed = path.join(folder, 'renamed');
  writeFileSync(file, 'one');
  const before = identityOf(file);
  appendFileSync(file, 'two');
  renameSync(file, renamed);
  cpSync(renamed, file, { preserveTimestamps: true });

  expect(isSameFile(before, identityOf(renamed))).toBe(true);
  expect(isSameFileLater(before, identityOf(renamed))).toBe(true);
  expect(isSameFile(before, identityOf(file))).toBe(false);
});

test('a folder is the same one, whatever is written into it', () => {
  const folder = temporaryFolder();
  const before = identityOf(folder);
  writeFileSync(path.join(folder, 'file'), 'one');

  expect(isSameFile(before, identityOf(folder))).toBe(true);
});

const FILE: FileIdentity = { device: '2049', inode: '17', birth: '1700000000000000001' };

test.each<[string, Partial<FileIdentity>, now: boolean, later: boolean]>([
  ['a new file with the inode number of a removed one', { birth: '18' }, false, false],
  ['a file on a disk that got another number', { device: '2065' }, false, true],
  ['a file system without times of birth', { birth: null }, true, true],
  ['another inode number', { inode: '18' }, false, false],
])('%s', (_what, difference, now, later) => {
  const other = { ...FILE, ...difference };

  expect(isSameFile(FILE, other)).toBe(now);
  expect(isSameFileLater(FILE, other)).toBe(later);
});
