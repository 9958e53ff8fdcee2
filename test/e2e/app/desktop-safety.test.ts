import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startOnStandIn } from '../../rigs/desktop.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { removeFolder } from '../../rigs/temporary-folder.ts';

const home = mkdtempSync(path.join(tmpdir(), 'spool-safety-'));
let desktop: Awaited<ReturnType<typeof startOnStandIn>>;

beforeAll(async () => {
  // With limits to practise with, the page shows limits and a key.
  mkdirSync(path.join(home, 'data'));
  const settings = { version: 1, service: { kind: 'local', practice: 'starter' } };
  writeFileSync(path.join(home, 'data', 'settings.json'), JSON.stringify(settings));
  // The test must not use this computer's own keychain.
  desktop = await startOnStandIn({
    home,
    env: { DBUS_SESSION_BUS_ADDRESS: 'disabled:', SPOOL_API_KEY: 'svc_live_from_a_shell' },
  });
});
afterAll(async () => {
  await desktop.end();
  removeFolder(home);
});

describe('the window’s page', () => {
  afterEach(async () => {
    await desktop.page.reload();
    await desktop.page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('has no access to Node, Electron or the preload script', async () => {
    const seen = await desktop.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer', 'standInSend'].filter(
        (name) => name in globalThis,
      ),
    );
    expect(seen).toEqual([]);
  });

  // abuse.md 10, 12, 13
  it('cannot navigate away, opens only pages of its service, and may only write to the clipboard', async () => {
    const { page } = desktop;
    const address = page.url();
    await page.evaluate(() => {
      location.href = 'https://evil.example/';
    });
    // The window knows its service as soon as the tray shows a status.
    await expect.poll(() => desktop.journal()).toContainEqual(['tray', 'Spool · Nothing to do']);
    const port = readFileSync(path.join(home, 'data', 'local-service', 'port'), 'utf8').trim();
    const studio = `https://127.0.0.1:${port}/studio`;
    const addresses = ['https://evil.example/', 'javascript:alert(1)', 'file:///etc/passwd'];
    for (const each of [...addresses, 'ms-settings:privacy', studio]) {
      await page.evaluate((opened) => void window.open(opened), each);
    }
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toBe(address);
    await expect.poll(() => page.context().pages().length).toBe(1);
    const opened = async () =>
      (await desktop.journal()).filter(([what]) => what === 'open-external');
    await expect.poll(opened).toEqual([['open-external', studio]]);
    const permitted = await page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi'];
      const granted: string[] = [];
      for (const each of [...names, 'clipboard-read', 'clipboard-write']) {
        const { state } = await navigator.permissions.query({ name: each as PermissionName });
        if (state === 'granted') granted.push(each);
      }
      return granted;
    });
    // Needed to copy a video's path.
    expect(permitted).toEqual(['clipboard-write']);
  });

  // abuse.md 13
  it('attaches no webview', async () => {
    const prevented = await desktop.evaluate(({ BrowserWindow }) => {
      let isPrevented = false;
      const event = { preventDefault: () => (isPrevented = true) };
      const [window] = BrowserWindow.getAllWindows();
      window?.webContents.emit('will-attach-webview', event, {}, { src: 'https://evil.example/' });
      return isPrevented;
    });
    expect(prevented).toBe(true);
  });

  // abuse.md 11
  it('runs no injected script and embeds no frame', async () => {
    const ran = await desktop.page.evaluate(async () => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="x:" onerror="window.ran = true"><iframe src="https://evil.example/"></iframe>',
      );
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      const reached = await fetch('https://evil.example/').then(
        () => true,
        () => false,
      );
      return { reached, ran: 'ran' in window };
    });
    expect(ran).toEqual({ reached: false, ran: false });
    expect(desktop.complaints.join('\n')).toContain('Content Security Policy');
  });

  it('cannot read files outside its folder', async () => {
    const statuses = await desktop.page.evaluate(() =>
      Promise.all(
        [
          '/../main/main.js',
          '/%2e%2e/main/main.js',
          '/..%2fmain%2fmain.js',
          '/saved/..%2f..%2fx',
        ].map(async (path) => (await fetch(path)).status),
      ),
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
  });

  // abuse.md 21
  it('says without a keychain that the key is kept until the app closes, and what to install', async () => {
    const { page } = desktop;
    await desktop.evaluate(({ Menu }) => {
      Menu.getApplicationMenu()?.getMenuItemById('limits')?.click();
    });
    await page.getByText('memory, until Spool closes').waitFor();
    await page.getByText(/Install (?:GNOME Keyring or KWallet|libsecret)/).waitFor();
  });
});

describe('the main process', () => {
  // abuse.md 14
  it('accepts a message port from the app’s page only, not from frames or other pages', async () => {
    const taken = await desktop.evaluate(({ BrowserWindow, ipcMain }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const isTaken = (senderFrame: object | null, sender: object | undefined): boolean => {
        let started = false;
        const port = {
          on: () => port,
          start: () => (started = true),
          postMessage: () => undefined,
        };
        ipcMain.emit('port', { sender, senderFrame, ports: [port] });
        return started;
      };
      const evil = { url: 'https://evil.example/' };
      return {
        page: isTaken(contents?.mainFrame ?? null, contents),
        frame: isTaken({ url: contents?.mainFrame.url }, contents),
        foreignFrame: isTaken(evil, contents),
        foreignPage: isTaken(evil, { mainFrame: evil }),
        gone: isTaken(null, contents),
      };
    });
    expect(taken).toEqual({
      page: true,
      frame: false,
      foreignFrame: false,
      foreignPage: false,
      gone: false,
    });
  });

  it('stores Chromium’s files in a separate folder, and registers no protocol when run from source', async () => {
    const userData = await desktop.evaluate(({ app }) => app.getPath('userData'));
    expect(path.relative(desktop.dataDir, userData)).toBe('window');
    expect(readdirSync(userData)).toContain('DevToolsActivePort');
    expect((await desktop.journal()).map(([what]) => what)).not.toContain('protocol-client');
  });

  // abuse.md 19
  it('passes no key to child processes', async () => {
    const inherited = await desktop.evaluate(() => JSON.stringify(process.env));
    expect(inherited).not.toContain('svc_live_');
  });

  it('reloads a page whose process ended, and asks the user if it ends repeatedly', async () => {
    const happened = async (what: string): Promise<number> =>
      (await desktop.journal()).filter(([each]) => each === what).length;
    const before = await happened('reload');
    await desktop.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      for (let time = 0; time < 4; time += 1) {
        contents?.emit('render-process-gone', {}, { reason: 'crashed' });
      }
    });
    await expect.poll(() => happened('message-box')).toBe(1);
    expect((await happened('reload')) - before).toBe(3);
    await expect.poll(() => happened('reloaded')).toBe(before + 3);
  });

  // abuse.md 20
  it('contains no crash reporter', () => {
    const files = globSync('out/**/*.{js,cjs}', { cwd: REPOSITORY });
    expect(files).toContain(path.join('out', 'main', 'main.js'));
    for (const file of files) {
      expect(readFileSync(path.join(REPOSITORY, file), 'utf8')).not.toContain('crashReporter');
    }
  });
});
