import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractAll, extractFile } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageProblems, fuseProblems, listArchive } from '../../build/package-contents.ts';
import { packageFolder, type PackagedApp } from '../../build/packager.ts';
import { readLockfile, toolNames } from '../../tools/lockfile.ts';
import { openOnStandIn, type Desktop } from '../rigs/desktop.ts';
import { makeLinuxPackage } from '../rigs/linux-package.ts';
import { removeFolder, temporaryFolder } from '../rigs/temporary-folder.ts';
import { UpdateServer } from '../rigs/update-server.ts';

const output = mkdtempSync(path.join(tmpdir(), 'spool-package-'));
let updates: UpdateServer;
let packaged: PackagedApp;
/** The files of its archive, which no app writes to. */
const app = path.join(output, 'app');

beforeAll(async () => {
  updates = await UpdateServer.open();
  packaged = await packageFolder(output, { url: updates.address, key: updates.key });
  extractAll(packaged.archive, app);
});
afterAll(() => {
  updates.close();
  removeFolder(output);
});

function choose({ evaluate }: Desktop, id: string): Promise<unknown> {
  return evaluate(({ Menu }, item: string) => {
    Menu.getApplicationMenu()?.getMenuItemById(item)?.click();
  }, id);
}

const isChecked = ({ evaluate }: Desktop, id: string): Promise<boolean | undefined> =>
  evaluate(
    ({ Menu }, item: string) => Menu.getApplicationMenu()?.getMenuItemById(item)?.checked,
    id,
  );

/** Opens the app with only the files of its package, as an AppImage in the user's `home`. */
async function openPackaged(home: string, args: readonly string[] = []) {
  const installed = path.join(home, 'Spool.AppImage');
  writeFileSync(installed, 'the version that runs', { mode: 0o755 });
  const desktop = await openOnStandIn({
    home,
    args,
    packaged: { app, resources: path.dirname(packaged.archive) },
    env: { APPIMAGE: installed, XDG_CACHE_HOME: path.join(home, 'cache') },
  });
  return { desktop, installed };
}

/** The app's log. */
const logOf = (home: string): string =>
  globSync(path.join(home, '**', '*.log'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

describe('a packaged app', () => {
  it('contains the files that it needs, native ones beside the archive, and no tools', () => {
    // The app never starts the parts of a service on several computers.
    const tools = [...toolNames(readLockfile()), 'pg', 'pg-boss', '@aws-sdk/client-s3'];
    expect(tools).toContain('vitest');
    const files = listArchive(packaged.archive);
    expect(packageProblems(files, tools)).toEqual([]);
    const megabytes = files.reduce((bytes, file) => bytes + file.bytes, 0) / 1e6;
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThan(200);
  });

  // abuse.md 28
  it('cannot be started as Node, under a debugger or from a changed archive', ({ skip }) => {
    if (packaged.executable === null) skip('the executable is looked at on Linux');
    else expect(fuseProblems(readFileSync(packaged.executable))).toEqual([]);
  });

  it('is a Debian package that opens batches and links, with icons and dependencies', ({
    skip,
  }) => {
    const { executable } = packaged;
    if (executable === null) return skip('Linux packages are made on Linux');
    const made = makeLinuxPackage(path.dirname(executable), path.join(output, 'deb'));
    const { desktopName } = JSON.parse(
      extractFile(packaged.archive, 'package.json').toString(),
    ) as { desktopName: string };
    // Under any other name, Linux docks show neither the app's icon nor its progress.
    expect(made.list('/usr/share/applications')).toEqual([desktopName]);
    const entry = made.text(`/usr/share/applications/${desktopName}`).split('\n');
    expect(entry).toContain('Exec=/opt/Spool/spool %U');
    expect(entry).toContain('Icon=spool');
    const [types = ''] = entry.filter((line) => line.startsWith('MimeType='));
    for (const type of ['text/csv', 'text/tab-separated-values', 'application/jsonl']) {
      expect(types).toContain(`${type};`);
      expect(made.text('/usr/share/mime/packages/spool.xml')).toContain(`type="${type}"`);
    }
    expect(types).toContain('x-scheme-handler/spool;');
    for (const size of [16, 32, 48, 256, 512]) {
      expect(made.has(`/usr/share/icons/hicolor/${size}x${size}/apps/spool.png`)).toBe(true);
    }
    expect(made.options).toContain('libsecret-1-0');
    expect(made.options).toContain('libglib2.0-bin');
    expect(made.options).toContain('libasound2t64 | libasound2');
    expect(made.has('/opt/Spool/resources/app.asar')).toBe(true);
  });

  it('renders with its own files only, and installs an update when it quits afterwards', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('each system installs in its own way');
    const home = temporaryFolder();
    const batch = path.join(home, 'week.csv');
    writeFileSync(batch, 'title,seconds,resolution\nHello there,1,480\n');
    const { desktop, installed } = await openPackaged(home, [batch]);
    const { page } = desktop;
    expect(await desktop.journal()).toContainEqual(['protocol-client', 'spool']);
    await choose(desktop, 'pause');
    await page.getByRole('button', { name: /^Add 1 video|^Render/ }).click();
    await expect
      .poll(() => desktop.journal())
      .toContainEqual(['tray', 'Spool · Paused · 0 of 1 saved']);
    await choose(desktop, 'updates-stable');
    await expect.poll(() => isChecked(desktop, 'updates-stable')).toBe(true);
    expect(updates.asked).toEqual([]);

    await choose(desktop, 'pause');
    const row = page.getByRole('row').filter({ hasText: 'Hello there' });
    await row.getByText('saved', { exact: true }).waitFor();
    const poster = () => page.evaluate(async () => (await fetch('/posters/1')).status);
    await expect.poll(poster).toBe(200);
    await expect.poll(() => updates.asked).toContain('/Spool-99.0.0.AppImage');
    await expect
      .poll(() => desktop.evaluate((electron) => electron.app.listenerCount('quit')))
      .toBe(1);
    expect(readFileSync(installed, 'utf8')).toBe('the version that runs');

    await desktop.evaluate((electron) => electron.app.quit()).catch(() => undefined);
    expect(await desktop.exitCode).toBe(0);
    expect(readFileSync(installed, 'utf8')).toContain('echo first');
    expect(existsSync(`${installed}.ran`)).toBe(true);
    expect(desktop.complaints).toEqual([]);
  });

  // abuse.md 38
  it('downloads no version that its publisher did not sign', async ({ skip }) => {
    if (process.platform !== 'linux') skip('each system installs in its own way');
    updates.isTakenOver = true;
    onTestFinished(() => {
      updates.isTakenOver = false;
    });
    const home = temporaryFolder();
    const { desktop, installed } = await openPackaged(home);
    updates.asked.length = 0;
    await choose(desktop, 'updates-stable');
    await expect.poll(() => logOf(home)).toContain('is not signed by the publisher of this one');
    expect(updates.asked).toEqual(['/latest-linux.yml']);
    await desktop.evaluate((electron) => electron.app.quit()).catch(() => undefined);
    expect(await desktop.exitCode).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe('the version that runs');
  });

  it('updates to a preview at once if the user wants previews', async ({ skip }) => {
    if (process.platform !== 'linux') skip('each system installs in its own way');
    const { desktop, installed } = await openPackaged(temporaryFolder());
    const { page } = desktop;
    await choose(desktop, 'settings');
    await page.getByLabel('Updates', { exact: true }).selectOption('Previews too');
    await page.getByText('Version 99.1.0-beta.1 is ready.').first().waitFor();
    expect(updates.asked).toContain('/beta-linux.yml');
    await expect.poll(() => isChecked(desktop, 'updates-preview')).toBe(true);
    expect(readFileSync(installed, 'utf8')).toBe('the version that runs');

    await page.getByRole('button', { name: 'Restart now' }).first().click();
    expect(await desktop.exitCode).toBe(0);
    expect(readFileSync(installed, 'utf8')).toContain('echo first');
    await expect.poll(() => existsSync(`${installed}.ran`)).toBe(true);
    expect(readFileSync(`${installed}.ran`, 'utf8')).toBe('first\n');
  });
});
