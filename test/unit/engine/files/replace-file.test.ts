import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { replaceFileSync } from '../../../../src/engine/files/replace-file.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** A file system on which another process locks the file for so many tries. */
function lockedFor(tries: number, platform: NodeJS.Platform, code = 'EPERM') {
  const waited: number[] = [];
  let left = tries;
  return {
    waited,
    platform,
    pause: (ms: number) => void waited.push(ms),
    rename(from: string, to: string) {
      if (left-- > 0) throw Object.assign(new Error('It is held.'), { code });
      renameSync(from, to);
    },
  };
}

test('replaces a file atomically, readable by its user alone', () => {
  const file = path.join(temporaryFolder(), 'notes.json');
  replaceFileSync(file, 'one');
  replaceFileSync(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(path.dirname(file))).toEqual(['notes.json']);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(['EPERM', 'EBUSY', 'EACCES'])(
  'waits on Windows for a virus scanner that holds the file (%s)',
  (code) => {
    const file = path.join(temporaryFolder(), 'notes.json');
    const system = lockedFor(3, 'win32', code);
    replaceFileSync(file, 'text', system);
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(system.waited).toEqual([10, 20, 40]);
  },
);

test('fails when the file is locked for longer, and leaves it unchanged', () => {
  const file = path.join(temporaryFolder(), 'notes.json');
  replaceFileSync(file, 'before');
  const system = lockedFor(100, 'win32');
  expect(() => replaceFileSync(file, 'after', system)).toThrow('It is held.');
  expect(system.waited.reduce((sum, ms) => sum + ms)).toBe(630);
  expect(readFileSync(file, 'utf8')).toBe('before');
});

test('does not wait on other systems, where such a refusal is permanent', () => {
  const system = lockedFor(1, 'linux', 'EACCES');
  const file = path.join(temporaryFolder(), 'notes.json');
  expect(() => replaceFileSync(file, 'text', system)).toThrow('It is held.');
  expect(system.waited).toEqual([]);
});
