import { cpSync, existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerApp, separateUserData } from '../../../src/main/app-identity.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** The part of Electron's `app` that tells the system which program this is. */
function systemOf(isPackaged: boolean) {
  const calls: string[] = [];
  return {
    calls,
    isPackaged,
    setAppUserModelId: (id: string) => void calls.push(`id ${id}`),
    setAsDefaultProtocolClient: (scheme: string, file?: string, args: string[] = []) =>
      calls.push(['links', scheme, ...(file === process.execPath ? args : [])].join(' ')) > 0,
  };
}

const registered = (
  platform: NodeJS.Platform,
  isPackaged: boolean,
  env: NodeJS.ProcessEnv = {},
) => {
  const system = systemOf(isPackaged);
  registerApp(system, platform, env);
  return system.calls;
};

describe('the identity of the app', () => {
  it('is the installer’s app id on Windows, so that notifications have its name', () => {
    const config = readFileSync(path.join(REPOSITORY, 'build', 'electron-builder.yml'), 'utf8');
    const [, appId] = /^appId: (\S+)$/m.exec(config) ?? [];
    expect(registered('win32', true)).toEqual([`id ${appId}`, 'links spool --']);
    expect(registered('darwin', true)).toEqual(['links spool']);
  });

  // abuse.md 29
  it('makes Windows pass links behind “--”, so that none is read as an option', () => {
    expect(registered('win32', true)).toContain('links spool --');
  });

  it('handles links where the app is installed, and not where it is portable', () => {
    const portable = { PORTABLE_EXECUTABLE_FILE: String.raw`D:\Spool-portable.exe` };
    expect(registered('win32', true, portable)).toEqual(['id app.spool.desktop']);
    expect(registered('linux', false)).toEqual([]);
    expect(registered('linux', true)).toEqual(['links spool']);
  });

  it('has a separate folder for Chromium’s files, even on disks that ignore case', () => {
    const dataDir = path.join(temporaryFolder(), 'spool');
    const set: string[][] = [];
    separateUserData({ setPath: (...given) => void set.push(given) }, dataDir);
    const [[name, folder = ''] = []] = set;
    expect(name).toBe('userData');
    expect(existsSync(folder)).toBe(true);
    expect(folder.toLowerCase()).not.toBe(dataDir.toLowerCase());
    expect(path.dirname(folder)).toBe(dataDir);
  });

  it('does not find the running app of the folder that it was copied from', () => {
    const dataDir = path.join(temporaryFolder(), 'spool');
    const copy = path.join(temporaryFolder(), 'copy');
    const app = { setPath: () => undefined };
    const links = ['SingletonLock', 'SingletonSocket', 'SingletonCookie'];
    const linksIn = (folder: string) =>
      readdirSync(path.join(folder, 'window')).filter((name) => links.includes(name));
    separateUserData(app, dataDir);
    for (const link of links) symlinkSync('/tmp/elsewhere', path.join(dataDir, 'window', link));
    cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true });
    expect(linksIn(copy)).toHaveLength(3);

    separateUserData(app, copy);
    separateUserData(app, dataDir);

    expect(linksIn(copy)).toEqual([]);
    expect(linksIn(dataDir)).toHaveLength(3);
  });
});
