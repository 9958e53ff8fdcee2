import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { REPOSITORY, startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const CHROMIUM = '/usr/bin/chromium';

let browser: Browser;

beforeAll(async () => {
  if (!existsSync(path.join(REPOSITORY, 'out', 'renderer', 'index.html'))) {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY });
  }
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
});

afterAll(() => browser.close());

interface OpenedApp {
  readonly page: Page;
  readonly link: string;
  readonly folder: string;
  /** What the page complained about: its own errors, and what its policy forbade. */
  readonly complaints: readonly string[];
  readonly quit: () => Promise<number | null>;
}

/** The app as `spool serve` serves it, over a real engine and the real local service. */
async function openedApp(): Promise<OpenedApp> {
  const folder = temporaryFolder();
  const app = startSpool(['serve', '--data-dir', path.join(folder, 'data')], {
    env: { HOME: folder },
  });
  const [link = ''] = /http:\S+/.exec(await app.said(/http:\S+\n/)) ?? [];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(link);
  return {
    page,
    link,
    folder,
    complaints,
    quit: async () => {
      app.child.kill('SIGINT');
      return (await app.result).code;
    },
  };
}

describe('the app in a browser', () => {
  it('shows a batch from its table to a video that plays', async () => {
    const { page, complaints, quit, link } = await openedApp();
    expect(page.url()).toBe(new URL('/', link).href);
    await page.getByRole('button', { name: 'Add videos' }).first().click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'hello.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('title,seconds,resolution\nHello there,1,480\n'),
    });
    await page.getByRole('button', { name: /^Add 1 video|^Render/ }).click();
    const row = page.getByRole('row').filter({ hasText: 'Hello there' });
    await row.getByText('saved', { exact: true }).waitFor();

    await row.click();
    const video = page.locator('video');
    // From the middle, which the browser asks for by range.
    const played = await video.evaluate(async (element: HTMLVideoElement) => {
      element.muted = true;
      element.currentTime = 0.5;
      await element.play();
      return { length: Math.round(element.duration), wide: element.videoWidth > 0 };
    });
    expect(played).toEqual({ length: 1, wide: true });
    expect(complaints).toEqual([]);
    // By its job only; a job that is not there has no file.
    expect(await page.evaluate(async () => (await fetch('/saved/unknown')).status)).toBe(404);
    expect(await quit()).toBe(130);
  });
});
