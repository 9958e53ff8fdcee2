import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openOnStandIn, type Desktop } from '../rigs/desktop.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

/** Writes a batch of one video into the home folder. */
function batchFile(home: string, name: string): string {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `title,seconds,resolution\nThe video of ${name},1,480\n`);
  return file;
}

const listed = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Files' })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.textContent.trim().replace(/\s+/g, ' ')));

/** A home folder whose app uses an unreachable service: these tests render nothing. */
function newHome(): string {
  const home = temporaryFolder();
  const dataDir = path.join(home, 'data');
  mkdirSync(dataDir);
  const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
  return home;
}

/** Emits the events that macOS sends for double-clicked files. */
const openFiles = ({ evaluate }: Desktop, files: readonly string[]): Promise<unknown> =>
  evaluate(({ app }, opened: readonly string[]) => {
    for (const file of opened) app.emit('open-file', { preventDefault: () => undefined }, file);
  }, files);

describe('files that the system opens', () => {
  // abuse.md 29
  it('are all checked, in the order in which they were opened', async () => {
    const home = newHome();
    const args = ['a.csv', 'b.csv'].map((name) => batchFile(home, name));
    const desktop = await openOnStandIn({ home, args });
    const { page } = desktop;
    await page.getByRole('heading', { name: 'File 1 of 2: a.csv' }).waitFor();
    await openFiles(desktop, [batchFile(home, 'c.csv'), path.join(home, 'gone.csv')]);
    const again = ['d.csv', 'e.csv'].map((name) => batchFile(home, name));
    expect(await desktop.startAgain(...again)).toBe(0);
    await expect
      .poll(() => listed(page))
      .toEqual([
        'a.csv 1 row',
        'b.csv 1 row',
        'c.csv 1 row',
        expect.stringMatching(/^gone\.csv .*gone\.csv does not exist/),
        'd.csv 1 row',
        'e.csv 1 row',
      ]);
    await page.getByRole('heading', { name: 'File 1 of 6: a.csv' }).waitFor();
    expect(desktop.complaints).toEqual([]);
  });

  it('are distinguished by path, not by name, and several can be selected in the system’s dialog', async () => {
    const home = newHome();
    const args = ['one/week.csv', 'two/week.csv'].map((name) => batchFile(home, name));
    const desktop = await openOnStandIn({ home, args });
    await expect.poll(() => listed(desktop.page)).toEqual(['week.csv 1 row', 'week.csv 1 row']);
    await openFiles(desktop, args.slice(1));
    await desktop.page.getByText('week.csv was opened again').waitFor();
    await expect.poll(() => listed(desktop.page)).toEqual(['week.csv 1 row', 'week.csv 1 row']);

    const files = ['a.csv', 'b.csv', 'c.csv'].map((name) => batchFile(desktop.home, name));
    await desktop.evaluate(({ dialog }, chosen: readonly string[]) => {
      // Without this property, the dialog of every system returns one file.
      dialog.showOpenDialog = (...given: unknown[]) => {
        const { properties = [] } = given.at(-1) as { properties?: string[] };
        const most = properties.includes('multiSelections') ? chosen.length : 1;
        return Promise.resolve({ canceled: false, filePaths: chosen.slice(0, most) });
      };
    }, files);
    await desktop.evaluate(({ Menu }) => {
      Menu.getApplicationMenu()?.getMenuItemById('open')?.click();
    });
    await expect
      .poll(() => listed(desktop.page))
      .toEqual(['week.csv 1 row', 'week.csv 1 row', 'a.csv 1 row', 'b.csv 1 row', 'c.csv 1 row']);
  });

  // abuse.md 29
  it('are limited to 100 at a time, and the page says how many were left out', async () => {
    const home = newHome();
    const names = Array.from({ length: 108 }, (_, at) => `${at}.csv`);
    const args = names.map((name) => batchFile(home, name));
    const { page } = await openOnStandIn({ home, args });
    await page.getByText('8 files were left out: at most 100 are checked at a time').waitFor();
    await expect.poll(async () => (await listed(page)).length).toBe(100);
    await page.getByRole('heading', { name: 'File 1 of 100: 0.csv' }).waitFor();
  });
});
