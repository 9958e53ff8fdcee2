import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import ensureBuilt from '../../rigs/built-app.ts';
import { startSpool } from '../../rigs/spool-process.ts';
import { openLink } from '../../rigs/web-session.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

beforeAll(ensureBuilt);

const processes = (): string[] => globSync('[0-9]*', { cwd: '/proc' });

/**
 * Every argument of the processes of this computer, as other users can read them.
 *
 * @param earlier processes to omit
 */
function argumentsOfAll(earlier: ReadonlySet<string>): string[] {
  const later = processes().filter((pid) => !earlier.has(pid));
  return later.flatMap((pid) => {
    try {
      return readFileSync(path.join('/proc', pid, 'cmdline'), 'utf8').split('\0');
    } catch {
      return [];
    }
  });
}

/** Installs a default browser that records its argument and keeps running. */
function installBrowser(home: string, started: string): void {
  const browser = path.join(home, 'browser');
  const lines = ['#!/bin/sh', `echo "$1" > "${started}.new"`, `mv "${started}.new" "${started}"`];
  writeFileSync(
    browser,
    [...lines, `while [ -e "${started}" ]; do sleep 0.2; done`, ''].join('\n'),
    { mode: 0o755 },
  );
  const write = (file: string, ...content: string[]): void => {
    mkdirSync(path.join(home, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(home, file), `${content.join('\n')}\n`);
  };
  write(
    '.local/share/applications/browser.desktop',
    '[Desktop Entry]',
    'Type=Application',
    'Name=Browser',
    `Exec=${browser} %U`,
  );
  const kinds = ['text/html', 'x-scheme-handler/http'].map((kind) => `${kind}=browser.desktop`);
  write('.config/mimeapps.list', '[Default Applications]', ...kinds);
}

// abuse.md 33
describe.skipIf(process.platform !== 'linux')('the browser that “spool app” opens', () => {
  it('gets a file that only this user can read, and no argument that opens anything', async () => {
    const home = temporaryFolder();
    const dataDir = path.join(home, 'data');
    const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
    mkdirSync(dataDir, { mode: 0o755 });
    writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
    const started = path.join(home, 'started');
    installBrowser(home, started);

    const seen = new Set<string>();
    const earlier = new Set(processes());
    const poll = setInterval(() => {
      for (const argument of argumentsOfAll(earlier)) seen.add(argument);
    }, 5);
    onTestFinished(() => clearInterval(poll));
    const spool = startSpool(['app', '--data-dir', dataDir], {
      env: { HOME: home, DISPLAY: ':99', XDG_CURRENT_DESKTOP: '' },
    });
    const output = await spool.waitForOutput(/opens in the browser.*\n/);
    const read = (): string => readFileSync(started, 'utf8').trim();
    await expect.poll(read).toMatch(/^file:/);

    const file = new URL(read());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // The browser may have started since the last look at the processes, and keeps running.
    await expect.poll(() => [...seen]).toContain(file.href);
    clearInterval(poll);
    expect([...seen].filter((argument) => /ticket=|token=/.test(argument))).toEqual([]);

    const [link = ''] = /http:[^"]+ticket=\w+/.exec(readFileSync(file, 'utf8')) ?? [];
    expect(output).not.toContain(link);
    expect((await openLink(link)).cookie).toMatch(/^spool-\d+=\w+$/);
    expect((await openLink(link)).cookie).toBe('');
    await expect.poll(() => globSync('open-spool-*', { cwd: dataDir })).toEqual([]);
  });

  it('honours options that Electron’s window would ignore', async () => {
    const home = temporaryFolder();
    installBrowser(home, path.join(home, 'started'));
    const options = ['--service', 'https://service.invalid', '--account-plan', 'pro'];
    const spool = startSpool(['app', '--data-dir', path.join(home, 'data'), ...options], {
      env: { HOME: home, DISPLAY: ':99', XDG_CURRENT_DESKTOP: '' },
    });
    expect(await spool.waitForOutput(/opens in the browser.*\n/)).toMatch(
      /because the app’s window takes service, profile and plan from the settings\./,
    );
  });
});
