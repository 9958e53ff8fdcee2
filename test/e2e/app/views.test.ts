import { randomBytes } from 'node:crypto';
import { appendFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openHost, type Host } from '../../../src/host/open-host.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { serveWebSocket } from '../../../src/host/serve-contract.ts';
import { RunNames } from '../../../src/host/run-names.ts';
import { serveApp, type WebHost } from '../../../src/host/web-host.ts';
import { launchBrowser } from '../../rigs/browser.ts';
import { allowSharedResources } from '../../rigs/left-open.ts';
import { RENDER_TIMEOUT_MS } from '../../rigs/render-timeout.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { removeFolder } from '../../rigs/temporary-folder.ts';

allowSharedResources();

/** Two more than the hourly limit that is practised with; the last title is a formula. */
const TITLES = [...Array.from({ length: 11 }, (_, index) => `Clip ${index + 1}`), '=1+1'];

const table = (aspect: string): string =>
  [
    'title,seconds,resolution,aspect',
    ...TITLES.map((title) => `${title.replace(/^=/, "'=")},1,480,${aspect}`),
  ].join('\n');

/** One batch on a real engine and local service, checked in every view. */
describe('a batch of the local service', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-views-'));
  let host: Host;
  let web: WebHost;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(path.join(folder, 'data'));
    const settings = { version: 1, service: { kind: 'local', practice: 'starter' } };
    writeFileSync(path.join(folder, 'data', 'settings.json'), JSON.stringify(settings));
    [browser, host] = await Promise.all([
      launchBrowser(),
      openHost({
        dataDir: path.join(folder, 'data'),
        defaultFolder: path.join(folder, 'videos'),
        keys: new MemoryKeyStore(),
        serviceProgram: builtService,
        isApp: true,
      }),
    ]);
    web = await serveApp({
      answer: (socket) => {
        serveWebSocket(host.router, socket, (defect) => complaints.push(String(defect)));
      },
      client: host.client,
      pageFolder: path.join(REPOSITORY, 'out', 'renderer'),
      names: new RunNames(randomBytes(32)),
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(RENDER_TIMEOUT_MS);
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(web.createLink().link);
  });
  afterEach(() => {
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await web.close();
    await host.close();
    removeFolder(folder);
  });

  const row = (title: string): Locator =>
    page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });

  async function go(view: string): Promise<void> {
    await page.getByRole('navigation').getByText(view, { exact: true }).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
  }

  it('can be added once every error is fixed, and shows its cost first', async () => {
    // Shortcuts work once the page shows a view.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('a');
    const give = (content: string): Promise<void> =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'clips.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await give(table('3:2'));
    await page.getByText('12 rows need attention').waitFor();
    await page.getByRole('row').filter({ hasText: 'aspect' }).first().waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /^Add/ }).last().isDisabled())
      .toBe(true);
    await page.getByRole('button', { name: 'Another file' }).click();
    await give(table('1:1'));
    await page.getByText('Uses 12 videos of your quota').waitFor();
    await page.getByText('15 left this month').waitFor();
    await page.getByRole('button', { name: 'Add 12 videos' }).click();
    await page.getByText(/^[01] of 12 saved$/).waitFor();
  });

  it('is saved up to the hourly limit, and shows when sending continues', async () => {
    await page.getByText('10 of 12 saved').waitFor();
    await row('Clip 1').getByText('saved', { exact: true }).waitFor();
    await row('Clip 11').getByText('waiting', { exact: true }).waitFor();
    await row('Clip 11')
      .getByText(/^sends /)
      .waitFor();
    // One list: a row is moved past another, and videos that wait for days are not folded.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('order of sending');
    await page.keyboard.press('Enter');
    // Until the rows in that order are read, a click means none.
    await page.locator('[role=grid][aria-busy=false]').waitFor();
    await row('Clip 11').click();
    await page.keyboard.press('h');
    await row('Clip 11').getByText('held', { exact: true }).waitFor();
    await page.keyboard.press('h');
    await row('Clip 11').getByText('waiting', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => page.locator('[aria-rowindex="12"]').textContent()).toContain('=1+1');
  });

  it('is drawn in the timeline after the reset of the limit that it waits for', async () => {
    await go('Timeline');
    await page.locator('.background .reset').waitFor({ state: 'attached' });
    await expect
      .poll(async () => {
        const way = await row('Clip 11').locator('.way').boundingBox();
        const reset = await page.locator('.background .reset').boundingBox();
        return (way?.x ?? NaN) - (reset?.x ?? NaN);
      })
      .toBeGreaterThanOrEqual(-2);
    await row('Clip 1').waitFor({ state: 'detached' });
  });

  it('counts in the limits, where a correction of the quota delays the rest', async () => {
    await go('Limits');
    await page.getByRole('main').getByRole('meter', { name: 'New videos: 0 of 10 left' }).waitFor();
    const say = async (count: string): Promise<void> => {
      await page.getByLabel(/^Used this month/).fill(count);
      await page.getByRole('button', { name: 'Correct' }).click();
      await page.getByText(`Last corrected to ${count}`).waitFor();
    };
    await say('15');
    await page.getByText(/^Nothing is left until /).waitFor();
    await go('Queue');
    await row('Clip 11')
      .getByText(/^quota resets /)
      .waitFor();
    await go('Limits');
    await say('10');
    await go('Queue');
    await row('Clip 11')
      .getByText(/^sends /)
      .waitFor();
  });

  it('can be played once saved; missing and damaged files are marked and downloaded again', async () => {
    await go('Saved');
    await page.getByRole('button', { name: 'Play Clip 1', exact: true }).click();
    await expect
      .poll(() =>
        page
          .getByRole('dialog', { name: 'Clip 1' })
          .locator('video')
          .evaluate((video: HTMLVideoElement) => [video.videoWidth, Math.round(video.duration)]),
      )
      .toEqual([480, 1]);
    await page.keyboard.press('Escape');
    const file = (title = 'Clip 2'): string | undefined =>
      globSync(`videos/**/*${title}.mp4`, { cwd: folder }).map((name) =>
        path.join(folder, name),
      )[0];
    rmSync(file() ?? '');
    appendFileSync(file('Clip 3') ?? '', 'more than was saved');
    await page.getByRole('button', { name: 'Verify all' }).click();
    await page.getByText('2 of 10 files are missing or damaged').waitFor();
    for (const title of ['Clip 2, file missing', 'Clip 3, file damaged']) {
      await page.getByRole('button', { name: title }).click();
      await page.keyboard.press('r');
      await page.getByRole('button', { name: `Play ${title.slice(0, 6)}`, exact: true }).waitFor();
    }
    expect(file()).toMatch(/Clip 2\.mp4$/);
    await page.keyboard.press('Escape');
  });

  it('has its events in the activity', async () => {
    await go('Activity');
    const happened = async (title: string): Promise<string[]> => {
      await page.getByRole('searchbox').fill(title);
      const others = page.getByRole('grid').getByText(/^Clip/).filter({ hasNotText: title });
      await others.first().waitFor({ state: 'detached' });
      return page.getByRole('row').locator('[title]:first-child').allInnerTexts();
    };
    await expect
      .poll(() => happened('Clip 2'))
      .toEqual(
        expect.arrayContaining(['Saved and checked', 'Queued to download again', 'File missing']),
      );
    await expect.poll(() => happened('Clip 3')).toContain('File damaged');
  });

  it('has its quota use in the activity, whose export contains a formula as text', async () => {
    await go('Activity');
    await page.getByRole('searchbox').fill('=1+1');
    await page.getByRole('grid').getByText('Added').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain("'=1+1");
    expect(text).not.toMatch(/(^|,)"?=1\+1/m);
    await page.getByText('Quota use').click();
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('11');
  });

  it('is hidden while another service is selected, and shown again with its own', async () => {
    await go('Settings');
    await page.getByRole('button', { name: 'Choose from all services…' }).click();
    await page.getByText('Video Generation Service', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Use this service' }).click();
    await page.getByLabel('Address', { exact: true }).fill('https://127.0.0.1:9');
    await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('The key is not tested yet').waitFor();
    await go('Settings');
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('There is no API key').waitFor();
    await go('Queue');
    await page.getByText('Drop a spreadsheet here').waitFor();
    await go('Settings');
    await page.getByRole('textbox', { name: 'Address' }).waitFor();
    await page.getByRole('button', { name: 'Choose from all services…' }).click();
    await page.getByText('Practice account', { exact: true }).click();
    await page.getByRole('button', { name: 'Practise on this computer' }).click();
    await page.getByText('In use: Practice account · Starter').waitFor();
    await go('Queue');
    await page.getByText('10 of 12 saved').waitFor();
    await page.getByText('There is no API key').waitFor({ state: 'detached' });
  });

  it('stays visible when the engine closes', async () => {
    await web.close();
    await page.getByText('Spool is not running').waitFor();
    await row('Clip 1').getByText('saved', { exact: true }).waitFor();
  });
});
