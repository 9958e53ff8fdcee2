import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemVideoFolder } from '../../../src/host/video-folder.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

describe('the folder for videos', () => {
  const onLinux = (userDirs: string | null, env: NodeJS.ProcessEnv = {}) => {
    const home = temporaryFolder();
    const config = env.XDG_CONFIG_HOME ?? path.join(home, '.config');
    mkdirSync(config, { recursive: true });
    if (userDirs !== null) writeFileSync(path.join(config, 'user-dirs.dirs'), userDirs);
    const folder = systemVideoFolder({ platform: 'linux', env, home });
    return folder.replace(home, '~');
  };

  it('is the one that a Linux desktop has for them, in its language', () => {
    expect(onLinux('XDG_MUSIC_DIR="$HOME/Musik"\nXDG_VIDEOS_DIR="$HOME/Filme"\n')).toBe('~/Filme');
    expect(onLinux('XDG_VIDEOS_DIR="/media/big/My \\"best\\" films"')).toBe(
      '/media/big/My "best" films',
    );
    // A desktop without a folder for videos names the home folder.
    expect(onLinux('XDG_VIDEOS_DIR="$HOME/"')).toBe('~/');
    const elsewhere = { XDG_CONFIG_HOME: temporaryFolder() };
    expect(onLinux('XDG_VIDEOS_DIR="$HOME/Vidéos"', elsewhere)).toBe('~/Vidéos');
  });

  it('is called Videos where a Linux desktop names none', () => {
    expect(onLinux(null)).toBe('~/Videos');
    expect(onLinux('# XDG_VIDEOS_DIR="$HOME/Filme"\n')).toBe('~/Videos');
    expect(onLinux('XDG_VIDEOS_DIR="relative/films"')).toBe('~/Videos');
  });

  it('is Movies on a Mac', () => {
    expect(systemVideoFolder({ platform: 'darwin', home: '/Users/ada' })).toBe('/Users/ada/Movies');
  });

  it('is the one in the registry of Windows', () => {
    const onWindows = (shellFolder: () => string) =>
      systemVideoFolder({
        platform: 'win32',
        home: String.raw`C:\Users\ada`,
        shellFolder,
        env: { OneDrive: String.raw`D:\Cloud` },
      });
    expect(onWindows(() => String.raw`E:\Films`)).toBe(String.raw`E:\Films`);
    expect(onWindows(() => String.raw`%OneDrive%\Videos`)).toBe(String.raw`D:\Cloud\Videos`);
    expect(onWindows(() => String.raw`%USERPROFILE%\Videos`)).toBe(String.raw`C:\Users\ada\Videos`);
    expect(onWindows(() => String.raw`%GONE%\Videos`)).toBe(String.raw`C:\Users\ada\Videos`);
    expect(
      onWindows(() => {
        throw new Error('reg.exe is not there');
      }),
    ).toBe(String.raw`C:\Users\ada\Videos`);
  });
});
