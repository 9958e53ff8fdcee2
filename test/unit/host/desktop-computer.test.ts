import { describe, expect, it } from 'vitest';
import { desktopComputer, hasScreen, showCommand } from '../../../src/host/desktop-computer.ts';

describe('showing a file in the file manager', () => {
  it('is one program and its arguments, which no shell reads', () => {
    expect(showCommand('darwin', '/v/a;b.mp4')).toEqual({
      program: '/usr/bin/open',
      args: ['-R', '/v/a;b.mp4'],
    });
  });

  // abuse.md 52
  it('uses the Explorer of Windows, whatever the current folder contains', () => {
    const env = { SystemRoot: 'D:\\Windows' };
    expect(showCommand('win32', 'C:\\v\\a.mp4', env).program).toBe('D:\\Windows\\explorer.exe');
    for (const SystemRoot of ['', 'Windows', undefined]) {
      const { program } = showCommand('win32', 'C:\\v\\a.mp4', { SystemRoot });
      expect(program).toBe('C:\\Windows\\explorer.exe');
    }
  });

  it('quotes a file for Explorer, against commas in its name', () => {
    expect(showCommand('win32', 'C:\\v\\a, b & c.mp4')).toMatchObject({
      args: ['/select,"C:\\v\\a, b & c.mp4"'],
      isVerbatim: true,
    });
  });

  it('encodes a file on Linux, against quotes in its name', () => {
    const { program, args } = showCommand('linux', "/v/it's, ['here'] 100%.mp4");
    expect(program).toBe('gdbus');
    const list = args.at(-2) ?? '';
    expect(list).toMatch(/^\['file:\/\/\/v\/[^']*'\]$/);
    expect(decodeURIComponent(list)).toContain("/v/it's, ['here'] 100%.mp4");
  });
});

describe('a computer without a screen', () => {
  it('offers nothing', () => {
    expect(hasScreen('linux', {})).toBe(false);
    expect(desktopComputer('linux', {}).abilities.open).toBe(false);
    expect(desktopComputer('linux', { DISPLAY: ':0' }).abilities.open).toBe(true);
    expect(desktopComputer('darwin', {}).abilities.show).toBe(true);
  });

  it('refuses every request', async () => {
    await expect(desktopComputer('linux', {}).open('/v/a.mp4')).rejects.toMatchObject({
      failure: { code: 'not-possible-now' },
    });
  });
});
