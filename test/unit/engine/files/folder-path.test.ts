import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { folderIssue } from '../../../../src/engine/files/folder-path.ts';

test.each(['/home/vic/Videos', '/Volumes/Archive/Übersicht 2026', '/a/b:c'])(
  'accepts the full path of a folder on Linux and macOS: %s',
  (folder) => {
    expect(folderIssue(folder, 'linux')).toBeNull();
    expect(folderIssue(folder, 'darwin')).toBeNull();
  },
);

test.each(['C:\\Users\\vic\\Videos', 'd:/Videos', 'Z:\\'])(
  'accepts the full path of a folder on Windows, also on a connected drive: %s',
  (folder) => {
    expect(folderIssue(folder, 'win32')).toBeNull();
  },
);

// abuse.md 47
test.each([
  '\\\\evil.example\\share',
  '//evil.example/share',
  '\\/evil.example/share',
  '\\\\evil.example@SSL@443\\DavWWWRoot',
  '\\\\?\\UNC\\evil.example\\share',
  '\\\\?\\C:\\Videos',
  '\\\\.\\PhysicalDrive0',
  '//./pipe/spool',
  '\\??\\UNC\\evil.example\\share',
])('refuses a network or device path on every system: %s', (folder) => {
  for (const platform of ['win32', 'darwin', 'linux'] as const) {
    expect(folderIssue(folder, platform)).toEqual(userMessage('folder-on-network'));
  }
});

test.each(['Videos', 'C:Videos', '\\Videos', '/Videos', '..\\Videos', ''])(
  'refuses a path that depends on the current folder or drive on Windows: %s',
  (folder) => {
    expect(folderIssue(folder, 'win32')).toEqual(userMessage('folder-not-absolute'));
  },
);

// abuse.md 47
test.each(['/videos\u0000.txt', '/videos\n', '/\u202egnp.soediv', '/vid\u200beos', '/\ud800'])(
  'refuses a path with invisible characters: %j',
  (folder) => {
    expect(folderIssue(folder, 'linux')).toEqual(userMessage('value-invisible'));
  },
);
