import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseFile } from '../../rigs/choose-file.ts';
import {
  openOnStandIn,
  runOnStandIn,
  startOnStandIn,
  type Desktop,
  type RunningDesktop,
} from '../../rigs/desktop.ts';
import { noisePng } from '../../rigs/pictures.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { removeFolder, temporaryFolder } from '../../rigs/temporary-folder.ts';

const ROW = 'title,seconds,resolution,aspect\nHello there,1,480,1:1\n';

function batchFile(home: string, content = ROW): string {
  const file = path.join(home, 'week.csv');
  writeFileSync(file, content);
  return file;
}

/** Makes the app use an unreachable service, for tests that render nothing. */
function chooseOtherService(home: string): string {
  const dataDir = path.join(home, 'data');
  mkdirSync(dataDir);
  const service = { kind: 'remote', baseUrl: 'https://127.0.0.1:9' };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
  return dataDir;
}

/** Chooses an item of the application's menu. */
function choose({ evaluate }: Desktop, id: string): Promise<unknown> {
  return evaluate(({ Menu }, item: string) => {
    Menu.getApplicationMenu()?.getMenuItemById(item)?.click();
  }, id);
}

const isPaused = ({ evaluate }: Desktop): Promise<boolean> =>
  evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('pause')?.checked ?? false);

const windowsOf = ({ evaluate }: RunningDesktop): Promise<number> =>
  evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

const isVisible = ({ evaluate }: RunningDesktop): Promise<boolean> =>
  evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

/** Drops files as a file manager does. */
async function dropOn(page: Page, files: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await devtools.detach();
}

/** Files below the home folder that contain a pattern. */
function filesWith(pattern: RegExp, home: string): string[] {
  return globSync('**/*', { cwd: home, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => pattern.test(readFileSync(file, 'latin1')))
    .map((file) => path.relative(home, file));
}

describe('the window', () => {
  // abuse.md 9, 17
  it('renders a double-clicked batch, notifies once, and leaves no secret on disk', async () => {
    const home = temporaryFolder();
    const desktop = await openOnStandIn({ home, args: [batchFile(home)] });
    const { page } = desktop;
    const add = page.getByRole('button', { name: /^Add 1 video|^Render/ });
    // The engine is open, and receives power events.
    await add.waitFor();
    await desktop.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
    await add.click();
    const row = page.getByRole('row').filter({ hasText: 'Hello there' });
    await row.getByText('waiting', { exact: true }).waitFor();
    await desktop.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
    await row.getByText('saved', { exact: true }).waitFor();
    await expect
      .poll(() => desktop.journal())
      .toContainEqual(['notification', 'week is finished', '1 video is saved.']);
    await expect.poll(() => desktop.journal()).toContainEqual(['progress', -1, 'normal']);
    await expect.poll(async () => (await desktop.journal()).at(-1)?.[0]).not.toBe('keep-awake');
    const journal = await desktop.journal();
    expect(journal.filter(([what]) => what === 'notification')).toHaveLength(1);
    expect(journal).toContainEqual(['keep-awake', 'prevent-app-suspension']);
    expect(journal).toContainEqual(['progress', 0, 'normal']);
    expect(journal).toContainEqual(['tray', 'Spool · 0 of 1 saved']);

    expect(journal.map(([what]) => what)).not.toContain('open-path');
    // An open menu would close if it were replaced while videos are saved.
    expect(journal.filter(([what]) => what === 'application-menu')).toHaveLength(1);

    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await desktop.clickNotification('week is finished');
    expect(await isVisible(desktop)).toBe(true);

    await choose(desktop, 'saved');
    // Quitting while a poster is being decoded would make it a 404.
    await expect
      .poll(() =>
        page
          .locator('img[src*="/posters/"]')
          .evaluateAll((images) =>
            images.map((image) => (image as HTMLImageElement).naturalWidth > 0),
          ),
      )
      .toEqual([true]);
    const [saved = ''] = globSync('Filme/**/*.mp4', { cwd: home });
    const file = path.join(home, saved);
    await page.getByRole('button', { name: 'Play Hello there' }).dispatchEvent('dragstart');
    for (const what of [/^Show in folder/, /^Open/]) {
      await page.getByRole('button', { name: 'Actions for Hello there' }).click();
      await page.getByRole('menuitem', { name: what }).click();
    }
    for (const entry of [
      ['drag', [file]],
      ['show-in-folder', file],
      ['open-path', file],
    ]) {
      await expect.poll(() => desktop.journal()).toContainEqual(entry);
    }

    await choose(desktop, 'diagnostics');
    await expect
      .poll(() => desktop.evaluate(({ clipboard }) => clipboard.readText()))
      .toContain('jobs: done 1');
    const shown = await desktop.evaluate(({ clipboard }) => clipboard.readText());
    const secrets = /svc_live_\w|[?&](?:sig|signature|token|expires)=/i;
    expect(shown).not.toMatch(secrets);
    expect(await page.content()).not.toMatch(secrets);
    await desktop.evaluate(({ app }) => app.quit()).catch(() => undefined);
    expect(await desktop.exitCode).toBe(0);
    // Includes Chromium's own files, such as its cache.
    expect(filesWith(secrets, home)).toEqual([]);
    expect(filesWith(/Hello there/, home)).toContain(path.join('data', 'spool.db'));
    expect(desktop.complaints).toEqual([]);
  });

  // abuse.md 29
  it('stays the only one when the app is started again, opens the link or file of that start, and quits safely when it is closed without a tray while that batch is queued', async () => {
    const home = temporaryFolder();
    chooseOtherService(home);
    const desktop = await openOnStandIn({ home, hasTray: false });
    const { page } = desktop;
    expect(await desktop.startAgain('spool://limits')).toBe(0);
    await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
    expect(await desktop.startAgain('--inspect', '/etc/passwd', 'javascript:alert(1)')).toBe(0);
    expect(await desktop.startAgain(batchFile(home))).toBe(0);
    await page.getByText('Hello there').first().waitFor();
    await choose(desktop, 'pause');
    await page.getByRole('button', { name: /^Add 1 video|^Render/ }).click();
    await expect
      .poll(() => desktop.journal())
      .toContainEqual(['tray', 'Spool · Paused · 0 of 1 saved']);
    expect(await desktop.startAgain(path.join(home, 'gone.csv'))).toBe(0);
    await page.getByText(/gone\.csv does not exist/).waitFor();
    expect(await windowsOf(desktop)).toBe(1);
    await desktop
      .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
      .catch(() => undefined);
    expect(await desktop.exitCode).toBe(0);
  });

  it('ends with the code of commands when its data folder is lost', async () => {
    const home = temporaryFolder();
    const dataDir = chooseOtherService(home);
    const desktop = await openOnStandIn({ home });
    await expect.poll(() => desktop.journal()).toContainEqual(['tray', 'Spool · Nothing to do']);
    rmSync(path.join(dataDir, 'primary.lock'));

    expect(await desktop.exitCode).toBe(6);
  });

  it('reports a run that was killed but not one that ended with the session, does not open at login, and restores its position when the app is started again', async () => {
    const home = temporaryFolder();
    chooseOtherService(home);
    const desktop = await openOnStandIn({ home });
    await expect.poll(() => desktop.journal()).toContainEqual(['tray', 'Spool · Nothing to do']);
    // Windows may end the process at any time after these events.
    await desktop
      .evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        window?.emit('query-session-end', { reasons: ['shutdown'] });
        window?.emit('session-end', { reasons: ['shutdown'] });
        process.kill(process.pid, 'SIGKILL');
      })
      .catch(() => undefined);
    expect(await desktop.exitCode).toBeNull();
    rmSync(path.join(desktop.dataDir, 'window', 'instance'), { recursive: true });
    const second = await openOnStandIn({ home });
    await expect.poll(() => second.journal()).toContainEqual(['tray', 'Spool · Nothing to do']);
    expect(await second.page.getByText(/ended unexpectedly/).count()).toBe(0);

    // With nothing left to do, the app quits when its window is closed.
    await second
      .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
      .catch(() => undefined);
    expect(await second.exitCode).toBe(0);
    const kept = JSON.parse(
      readFileSync(path.join(second.dataDir, 'desktop.json'), 'utf8'),
    ) as object;
    expect(kept).toMatchObject({
      place: { bounds: { width: 1200, height: 800 } },
      running: false,
    });
    // The state that a killed run leaves.
    const moved = {
      place: { bounds: { x: 40, y: 30, width: 900, height: 600 }, maximized: false },
      running: true,
    };
    writeFileSync(path.join(second.dataDir, 'desktop.json'), JSON.stringify(moved));
    const again = runOnStandIn({ home, args: ['--at-login'] });
    await expect.poll(() => again.journal()).toContainEqual(['tray', 'Spool · Nothing to do']);
    expect(await again.startAgain('--at-login')).toBe(0);
    expect(await windowsOf(again)).toBe(0);
    expect(await again.startAgain('spool://activity')).toBe(0);
    const { page } = await again.waitForWindow();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    expect(await windowsOf(again)).toBe(1);
    expect(
      await again.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
      ),
    ).toEqual(moved.place.bounds);
    expect(page.viewportSize() ?? { width: 900 }).toMatchObject({ width: 900 });
    await page.getByText('Spool ended unexpectedly last time').waitFor();
    await expect
      .poll(() => readFileSync(path.join(again.dataDir, 'logs', 'spool.log'), 'utf8'))
      .toContain('The last run of the app ended without coming to its end.');
  });

  it('stays in the tray while a batch runs, can be reopened, and quits safely at shutdown', async () => {
    const home = temporaryFolder();
    // Minutes of rendering, so the batch does not finish during the test.
    const rows = Array.from({ length: 11 }, (_, index) => `Video ${index},60,480,1:1\n`);
    const desktop = await openOnStandIn({ home, args: [batchFile(home, ROW + rows.join(''))] });
    const visible = (): Promise<boolean> => isVisible(desktop);
    await desktop.page.getByRole('button', { name: /^Add 12 videos|^Render/ }).click();
    await expect.poll(() => desktop.journal()).toContainEqual(['tray', 'Spool · 0 of 12 saved']);
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(visible).toBe(false);
    expect(await desktop.startAgain()).toBe(0);
    await expect.poll(visible).toBe(true);
    const wasWaitedFor = await desktop.evaluate(({ powerMonitor }) => {
      let prevented = false;
      // Sent twice, as when the computer shuts down and the user also quits.
      for (const preventDefault of [() => undefined, () => (prevented = true)]) {
        powerMonitor.emit('shutdown', { preventDefault });
      }
      return prevented;
    });
    expect(wasWaitedFor).toBe(true);
    expect(await desktop.exitCode).toBe(0);
    const { running } = JSON.parse(
      readFileSync(path.join(desktop.dataDir, 'desktop.json'), 'utf8'),
    ) as { running: boolean };
    expect(running).toBe(false);
  });

  // abuse.md 19
  it('notifies once when the queue needs attention, and lets the computer sleep', async () => {
    const home = temporaryFolder();
    const dataDir = chooseOtherService(home);
    // The window ignores the key for commands.
    const env = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', SPOOL_API_KEY: 'svc_live_from_a_shell' };
    const desktop = await openOnStandIn({ home, env, args: [batchFile(home)] });
    await desktop.page.getByText('SPOOL_API_KEY is for commands').waitFor();
    await desktop.page.getByRole('button', { name: 'Dismiss' }).click();
    await desktop.page.getByRole('button', { name: /^Add 1 video|^Render/ }).click();
    const news = [
      'notification',
      'Spool needs attention',
      'Nothing is sent: the API key is missing.',
    ];
    await expect.poll(() => desktop.journal()).toContainEqual(news);
    expect(await desktop.startAgain(batchFile(home, `${ROW}Again,1,480,1:1\n`))).toBe(0);
    await desktop.page.getByRole('button', { name: /^Add \d video|^Render/ }).click();
    await expect
      .poll(() => desktop.journal())
      .toContainEqual(['tray', 'Spool · Needs attention · 0 of 2 saved']);
    await desktop.evaluate(({ powerMonitor }) => powerMonitor.emit('unlock-screen'));
    await choose(desktop, 'pause');
    await expect.poll(() => isPaused(desktop)).toBe(true);
    const journal = await desktop.journal();
    expect(journal.filter(([what]) => what === 'notification')).toEqual([news]);
    expect(journal.map(([what]) => what)).not.toContain('keep-awake');
    const log = readFileSync(path.join(dataDir, 'logs', 'spool.log'), 'utf8');
    expect(log).toContain('SPOOL_API_KEY is for commands');
    // A running app creates and removes temporary files.
    await desktop.evaluate(({ app }) => app.quit()).catch(() => undefined);
    expect(await desktop.exitCode).toBe(0);
    expect(filesWith(/svc_live_/, home)).toEqual([]);
  });
});

// These tests share one window; each leaves it as the next expects it.
describe('the window', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'spool-desktop-'));
  let desktop: Desktop;

  beforeAll(async () => {
    chooseOtherService(home);
    desktop = await startOnStandIn({ home });
  });
  afterAll(async () => {
    await desktop.end();
    removeFolder(home);
  });

  it('opens views, pauses and starts at login from the menu', async () => {
    const { page } = desktop;
    await choose(desktop, 'settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await choose(desktop, 'pause');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await expect.poll(() => isPaused(desktop)).toBe(true);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => isPaused(desktop)).toBe(false);
    await choose(desktop, 'start-at-login');
    const entry = path.join(desktop.home, 'appData', 'autostart', 'spool.desktop');
    await expect.poll(() => existsSync(entry)).toBe(true);
    const electron = await desktop.evaluate(() => process.execPath);
    const exec = [electron, REPOSITORY, `--data-dir=${desktop.dataDir}`, '--at-login'];
    expect(readFileSync(entry, 'utf8')).toContain(
      `Exec=${exec.map((each) => `"${each}"`).join(' ')}\n`,
    );
    await choose(desktop, 'start-at-login');
    await expect.poll(() => existsSync(entry)).toBe(false);
  });

  it('has a context menu for text fields, and none elsewhere', async () => {
    const { page } = desktop;
    await choose(desktop, 'settings');
    const field = page.getByRole('textbox').first();
    const popups = async () => (await desktop.journal()).filter(([what]) => what === 'popup');
    await field.click({ button: 'right' });
    await expect.poll(popups).toHaveLength(1);
    const [[, items] = []] = await popups();
    expect(items).toEqual(['Undo (off)', 'Redo (off)', '', 'Cut', 'Copy', 'Paste', 'Select all']);
    await page.getByRole('heading', { level: 1 }).click({ button: 'right' });
    await field.click({ button: 'right' });
    await expect.poll(popups).toHaveLength(2);
  });

  it('opens a batch that was selected in the system’s dialog', async () => {
    const file = batchFile(desktop.home);
    await desktop.evaluate(({ dialog }, chosen: string) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, file);
    await choose(desktop, 'open');
    await desktop.page.getByText('Hello there').first().waitFor();
  });

  it('takes dropped pictures and folders, and chosen tables, with their folders', async () => {
    const { page } = desktop;
    const folder = path.join(home, 'Trip');
    mkdirSync(folder);
    for (const name of ['10 Boat.png', '9 Tree.png']) {
      writeFileSync(path.join(folder, name), noisePng(40, 30));
    }
    const names = page.getByRole('row').filter({ hasText: /Tree|Boat/ });
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dropOn(page, [path.join(folder, '10 Boat.png'), path.join(folder, '9 Tree.png')]);
    await expect
      .poll(() => names.allTextContents())
      .toEqual([expect.stringContaining('9 Tree'), expect.stringContaining('10 Boat')]);
    const thumbnails = names.locator('img[src^="data:image/webp"]');
    await expect.poll(() => thumbnails.count()).toBe(2);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dropOn(page, [folder]);
    await expect.poll(() => names.count()).toBe(2);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    writeFileSync(path.join(folder, 'Trip.csv'), 'title,picture\nTree,9 Tree.png\nBoat,none.png\n');
    await chooseFile(page, path.join(folder, 'Trip.csv'));
    await page.getByText('is not in the table’s folder').first().waitFor();
    expect(await page.getByText('in a folder that is not known here').count()).toBe(0);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    expect(desktop.complaints).toEqual([]);
  });

  it('applies theme and language to menus, tray and native controls', async () => {
    const { page } = desktop;
    await choose(desktop, 'settings');
    await page.locator('label', { hasText: 'Dark' }).click();
    await expect.poll(() => desktop.journal()).toContainEqual(['theme', 'dark']);
    await page.locator('label', { hasText: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    const label = () =>
      desktop.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('quit')?.label);
    await expect.poll(label).toBe('Spool beenden');
    await expect.poll(() => desktop.journal()).toContainEqual(['tray', 'Spool · Nichts zu tun']);
  });
});
