import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openInBrowser } from '../../../src/host/browser-handover.ts';
import { rememberPort } from '../../../src/host/last-port.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { serveWebSocket } from '../../../src/host/serve-contract.ts';
import { RunNames } from '../../../src/host/run-names.ts';
import { serveApp } from '../../../src/host/web-host.ts';
import { launchBrowser } from '../../rigs/browser.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { REPOSITORY, startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { unassignedPort } from '../../rigs/unassigned-port.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const oneRow = { name: 'week.csv', content: 'title\nOne' };

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => context.close());
  return context.newPage();
}

/** A home folder with a queue of one row, for an unreachable service. */
async function homeWithQueue(): Promise<string> {
  const home = temporaryFolder();
  const dataDir = path.join(home, 'data');
  mkdirSync(dataDir);
  const service = { kind: 'remote', baseUrl: 'https://service.invalid' };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, service }));
  const queue = await openHost({
    dataDir,
    defaultFolder: path.join(home, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: () => expect.unreachable(),
  });
  await addBatch(queue.client, { source: oneRow });
  await queue.close();
  return home;
}

/** Runs `spool web`; `link` is the one that it prints. */
async function serve(home: string) {
  const spool = startSpool(['web', '--data-dir', path.join(home, 'data')], {
    env: { HOME: home },
  });
  const [link = ''] = /http:\S+/.exec(await spool.waitForOutput(/http:\S+\n/)) ?? [];
  return { link, child: spool.child, result: spool.result };
}

describe('a page whose Spool was killed and started again', () => {
  it('continues in the new run with its view and search, in the same tab', async () => {
    const home = await homeWithQueue();
    rememberPort(path.join(home, 'data'), await unassignedPort());
    const first = await serve(home);
    const page = await newPage();
    await page.goto(first.link);
    await page.getByRole('searchbox').fill('Tuesday');

    first.child.kill('SIGKILL');
    await first.result;
    await page.getByText('Spool is not running').waitFor();
    const second = await serve(home);
    expect(new URL(second.link).port).toBe(new URL(first.link).port);
    expect(new URL(second.link).hostname).not.toBe(new URL(first.link).hostname);
    await page.waitForURL(`${new URL(second.link).origin}/`);
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Tuesday');
    await page.reload();
    await page.getByRole('searchbox').waitFor();

    // A page that is opened while Spool does not run has no way to recognise it later. The one of
    // the second run would, and go on by itself: it must be gone before the third run starts.
    await page.goto('about:blank');
    second.child.kill('SIGKILL');
    await second.result;
    const third = await serve(home);
    await page.goto(new URL(second.link).origin);
    await page.getByRole('heading', { name: 'Open Spool with the link' }).waitFor();
    await page.goto(third.link);
    await page.getByRole('searchbox').waitFor();
  });

  it('keeps a form until its user leaves it', async () => {
    const home = await homeWithQueue();
    rememberPort(path.join(home, 'data'), await unassignedPort());
    const first = await serve(home);
    const page = await newPage();
    await page.goto(first.link);
    await page.getByRole('navigation').getByText('Settings').click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    first.child.kill('SIGKILL');
    await first.result;
    const second = await serve(home);
    await page.getByText('Spool was restarted').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${new URL(second.link).origin}/`);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });
});

describe('a browser', () => {
  async function served() {
    const folder = temporaryFolder();
    const { router, client } = await openIdleEngine(folder);
    await addBatch(client, { source: oneRow });
    const app = await serveApp({
      answer: (page) => serveWebSocket(router, page, () => undefined),
      client,
      pageFolder: path.join(REPOSITORY, 'out', 'renderer'),
      names: new RunNames(randomBytes(32)),
    });
    onTestFinished(() => app.close());
    return { app, folder };
  }

  it('opens the app from the hand-over file', async () => {
    const { app, folder } = await served();
    const page = await newPage();
    await openInBrowser(app, folder, (address) => page.goto(address));
    await page.getByRole('searchbox').waitFor();
    expect(page.url()).toBe(`${app.origin}/`);
  });

  // abuse.md 34
  it('stays connected when a page on another port sets cookies of the same name', async () => {
    const { app } = await served();
    const name = `spool-${app.port}`;
    const planter = createServer((_, response) => {
      const cookies = ['/rpc', '/assets'].map(
        (place) => `${name}=${'0'.repeat(64)}; Path=${place}`,
      );
      response.setHeader('Set-Cookie', cookies).end('A page.');
    });
    await new Promise<void>((resolve) => planter.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void planter.close());
    const page = await newPage();
    await page.goto(
      `http://${new URL(app.origin).hostname}:${(planter.address() as AddressInfo).port}/`,
    );
    await page.goto(app.createLink().link);
    await page.getByRole('searchbox').waitFor();
    await page.reload();
    await page.getByRole('searchbox').waitFor();
  });
});
