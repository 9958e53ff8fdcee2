import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startDevServer } from '../../tools/dev/dev-server.ts';
import { launchBrowser } from '../rigs/browser.ts';
import { REPOSITORY } from '../rigs/spool-process.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A page, and the errors of its console. */
async function newPage(): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

it('“npm run dev” shows the app from its sources, connected to an engine', async () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  mkdirSync(dataDir);
  const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
  const dev = spawn(
    process.execPath,
    [path.join(REPOSITORY, 'tools', 'dev.ts'), '--data-dir', dataDir],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = once(dev, 'exit');
  onTestFinished(async () => {
    dev.kill('SIGTERM');
    await ended;
  });
  const lines: string[] = [];
  createInterface({ input: dev.stdout }).on('line', (line) => lines.push(line));
  const link = (): string | undefined => /The page: (\S+)/.exec(lines.join('\n'))?.[1];
  // Vite prepares its dependencies at the first start: 20 seconds on a busy machine.
  await expect.poll(link, { timeout: 120_000 }).toBeDefined();

  const { page, complaints } = await newPage();
  await page.goto(link() ?? '');
  await page.getByText('There is no API key').first().waitFor();
  expect(complaints).toEqual([]);
});

it('a changed style shows on the open page without a reload', async () => {
  const pageFolder = temporaryFolder();
  const write = (name: string, text: string): void => {
    writeFileSync(path.join(pageFolder, name), text);
  };
  write(
    'index.html',
    '<!doctype html><title>x</title><script type="module" src="./a.ts"></script>',
  );
  write('a.ts', "import './a.css';\n");
  write('a.css', 'html { color: rgb(1, 2, 3); }\n');
  const server = await startDevServer({
    pageFolder,
    allowed: [pageFolder, path.join(REPOSITORY, 'node_modules')],
    plugins: [],
    port: 0,
    host: () => null,
  });
  onTestFinished(() => server.close());
  const { page, complaints } = await newPage();
  await page.goto(server.link);
  const colour = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).color);
  await expect.poll(colour).toBe('rgb(1, 2, 3)');
  await page.evaluate(() => Object.assign(window, { stays: true }));
  write('a.css', 'html { color: rgb(4, 5, 6); }\n');
  await expect.poll(colour).toBe('rgb(4, 5, 6)');
  expect(await page.evaluate(() => 'stays' in window)).toBe(true);
  expect(complaints).toEqual([]);
});
