import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron';
import { describe, expect, it } from 'vitest';
import { AT_LOGIN, isLoginStart, loginStart } from '../../../src/main/login-start.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const program = { file: '/opt/Spool/spool', args: [AT_LOGIN] };

/** The part of Electron's `app` that keeps login items, as Windows does: by path and arguments. */
function loginItems(wasOpenedAtLogin = false) {
  let kept: string | null = null;
  const line = ({ path: file, args = [] }: LoginItemSettingsOptions): string =>
    [file, ...args].join(' ');
  return {
    kept: () => kept,
    getPath: () => temporaryFolder(),
    getLoginItemSettings: (asked: LoginItemSettingsOptions = {}) =>
      ({ openAtLogin: kept === line(asked), wasOpenedAtLogin }) as LoginItemSettings,
    setLoginItemSettings(settings: Settings) {
      kept = settings.openAtLogin ? line(settings) : null;
    },
  };
}

describe('a start at login', () => {
  it('is stored by Windows with an identifying argument', () => {
    const app = loginItems();
    const args = [String.raw`--data-dir=C:\my data`, AT_LOGIN];
    const start = loginStart('win32', app, { file: String.raw`C:\Spool.exe`, args });
    expect(start.isOn).toBe(false);
    start.set(true);
    expect(app.kept()).toBe(String.raw`C:\Spool.exe "--data-dir=C:\my data" --at-login`);
    expect(start.isOn).toBe(true);
    start.set(false);
    expect(start.isOn).toBe(false);
  });

  it('is recognised by its argument, and on macOS by the system', () => {
    expect(isLoginStart('win32', loginItems(), ['spool', AT_LOGIN])).toBe(true);
    expect(isLoginStart('linux', loginItems(true), ['spool'])).toBe(false);
    expect(isLoginStart('darwin', loginItems(true), ['spool'])).toBe(true);
    expect(isLoginStart('darwin', loginItems(false), ['spool', AT_LOGIN])).toBe(false);
  });
});

describe('an entry of a Linux desktop', () => {
  const setUp = (file = program.file) => {
    const folder = temporaryFolder();
    const app = { ...loginItems(), getPath: () => folder };
    const entry = path.join(folder, 'autostart', 'spool.desktop');
    return { app, entry, start: loginStart('linux', app, { ...program, file }) };
  };

  it('escapes special characters', () => {
    const { start, entry } = setUp('/opt/my $apps/100%');
    start.set(true);
    expect(readFileSync(entry, 'utf8')).toContain(
      String.raw`Exec="/opt/my \\$apps/100%%" "--at-login"` + '\n',
    );
  });

  it('of a program that was moved since is rewritten', () => {
    const { start, app } = setUp('/home/me/Downloads/Spool.AppImage');
    start.set(true);
    expect(start.isOn).toBe(true);
    expect(loginStart('linux', app, program).isOn).toBe(false);
  });

  it('that the desktop’s own settings turned off is unchanged', () => {
    const { start, entry } = setUp();
    mkdirSync(path.dirname(entry));
    start.set(true);
    writeFileSync(entry, `${readFileSync(entry, 'utf8')}Hidden=true\n`);
    expect(start.isOn).toBe(true);
  });
});
