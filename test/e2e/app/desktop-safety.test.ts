import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../rigs/built-app.ts';
import { openOnStandIn } from '../../rigs/desktop.ts';

beforeAll(ensureBuilt);

describe('the window’s page', () => {
  it('has no Node, no Electron and no way to its preload script', async () => {
    const { page } = await openOnStandIn();
    const seen = await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer', 'standInSend'].filter(
        (name) => name in globalThis,
      ),
    );
    expect(seen).toEqual([]);
  });

  it('goes nowhere, opens nothing and is permitted nothing', async () => {
    const desktop = await openOnStandIn();
    const { page } = desktop;
    const home = page.url();
    await page.evaluate(() => {
      location.href = 'https://evil.example/';
    });
    await page.evaluate(() => void window.open('https://evil.example/'));
    await page.evaluate(() => void window.open('javascript:alert(1)'));
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    expect(page.url()).toBe(home);
    await expect.poll(() => page.context().pages().length).toBe(1);
    const permissions = await page.evaluate(() =>
      Promise.all(
        (['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[]).map(
          async (name) => (await navigator.permissions.query({ name })).state,
        ),
      ),
    );
    expect(permissions).not.toContain('granted');
    expect((await desktop.journal()).map(([what]) => what)).not.toContain('open-external');
  });

  it('runs nobody else’s script and embeds no frame', async () => {
    const { page, complaints } = await openOnStandIn();
    const ran = await page.evaluate(async () => {
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
    expect(complaints.join('\n')).toContain('Content Security Policy');
  });

  it('gets no file outside of its folder by any path', async () => {
    const { page } = await openOnStandIn();
    const statuses = await page.evaluate(() =>
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
});
