import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { trashCommand, trashFile } from '../../../src/host/trash.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

describe('the command that moves a file to the trash', () => {
  it('is one program with the file as an argument or a variable, which no shell reads', () => {
    const file = '/v/a;"b" $(c).mp4';
    expect(trashCommand('linux', file, {})).toEqual({
      program: 'gio',
      args: ['trash', '--', file],
    });
    const mac = trashCommand('darwin', file, {});
    expect(mac.program).toBe('/usr/bin/osascript');
    expect(mac.args.at(-1)).toBe(file);
    expect(mac.args.slice(0, -1).join(' ')).not.toContain(file);
    const windows = trashCommand('win32', file, { SystemRoot: 'D:\\Windows' });
    expect(windows.program).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    expect(windows.args.join(' ')).not.toContain(file);
    expect(windows.env).toMatchObject({ SPOOL_FILE: file });
  });

  it('deletes on Windows only where there is a recycle bin, and after no error', () => {
    const script = trashCommand('win32', '', {}).args.at(-1) ?? '';
    const [first, ...statements] = script.split('\n');
    // Otherwise a drive that cannot be examined would not stop the script.
    expect(first).toBe("$ErrorActionPreference = 'Stop'");
    const refuses = (what: string): number =>
      statements.findIndex((each) => each.includes(what) && each.endsWith('{ exit 1 }'));
    const deletes = statements.findIndex((each) => each.includes('DeleteFile'));
    for (const what of [
      String.raw`$env:SPOOL_FILE.StartsWith('\\')`,
      "[IO.DriveInfo]::new($root).DriveType -ne 'Fixed'",
    ]) {
      expect(refuses(what)).toBeGreaterThanOrEqual(0);
      expect(refuses(what)).toBeLessThan(deletes);
    }
  });
});

const hasTrash = ((): boolean => {
  try {
    execFileSync('gio', ['version'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
})();

it.skipIf(!hasTrash)('a file on Linux is in the trash afterwards', async () => {
  const home = temporaryFolder();
  const data = path.join(home, 'data');
  mkdirSync(data);
  const file = path.join(home, '01 a-b.mp4');
  writeFileSync(file, 'video');
  await trashFile('linux', { ...process.env, HOME: home, XDG_DATA_HOME: data })(file);
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(path.join(data, 'Trash', 'files'))).toEqual(['01 a-b.mp4']);
});

it('a file that the system cannot move stays, and the reason is said', async () => {
  const file = path.join(temporaryFolder(), 'a.mp4');
  writeFileSync(file, 'video');
  await expect(trashFile('linux', { PATH: '' })(file)).rejects.toMatchObject({
    failure: { says: [{ sentence: 'trash-refused' }] },
  });
  expect(existsSync(file)).toBe(true);
});

it.skipIf(process.platform === 'win32')(
  'a program that does not end is stopped, and the reason is said',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'gio'), '#!/bin/sh\nexec /bin/sleep 30', { mode: 0o755 });
    await expect(trashFile('linux', { PATH: folder }, 50)('/v/a.mp4')).rejects.toMatchObject({
      failure: { says: [{ sentence: 'trash-refused' }] },
    });
  },
);
