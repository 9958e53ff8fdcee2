import path from 'node:path';
import { _electron, type Browser, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { launchBrowser } from './browser.ts';
import { noElectron, openOnStandIn, type Desktop } from './desktop.ts';
import { RENDER_TIMEOUT_MS } from './render-timeout.ts';
import { REPOSITORY, SPOOL, startSpool } from './spool-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The app as a user sees it, independent of its host. */
export interface OpenedApp {
  readonly page: Page;
  /** Complaints of the page: its own errors, and violations of its policy. */
  readonly complaints: readonly string[];
  /** Quits the app as its user would; resolves with the exit status. */
  readonly quit: () => Promise<number | null>;
}

export interface AppHost {
  readonly name: string;
  /** Why tests on it are skipped here; `null` when they are not. */
  readonly missing: string | null;
  readonly open: () => Promise<OpenedApp>;
}

/** All hosts of the app. Each opens it with a real engine and the real local service. */
export const APP_HOSTS: readonly AppHost[] = [
  { name: 'a browser', missing: null, open: openInBrowser },
  {
    name: 'the stand-in for Electron',
    missing: null,
    open: async () => quittable(await openOnStandIn()),
  },
  { name: 'Electron', missing: noElectron(), open: openOnElectron },
];

/** As `spool web` serves it. */
async function openInBrowser(): Promise<OpenedApp> {
  const folder = temporaryFolder();
  const app = startSpool(['web', '--data-dir', path.join(folder, 'data')], {
    env: { HOME: folder },
    program: SPOOL,
  });
  const [link = ''] = /http:\S+/.exec(await app.waitForOutput(/http:\S+\n/)) ?? [];
  const browser: Browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(RENDER_TIMEOUT_MS);
  const complaints = complaintsOf(page);
  await page.goto(link);
  return {
    page,
    complaints,
    quit: async () => {
      app.child.kill('SIGINT');
      const { code } = await app.result;
      // The exit status of `spool web` after an interruption.
      return code === 130 ? 0 : code;
    },
  };
}

function quittable(desktop: Desktop): OpenedApp {
  return {
    page: desktop.page,
    complaints: desktop.complaints,
    quit: async () => {
      await desktop.evaluate(({ app }) => app.quit()).catch(() => undefined);
      return desktop.exitCode;
    },
  };
}

async function openOnElectron(): Promise<OpenedApp> {
  const folder = temporaryFolder();
  const app = await _electron.launch({
    args: [
      ...(process.platform === 'linux' ? ['--no-sandbox'] : []),
      REPOSITORY,
      `--data-dir=${path.join(folder, 'data')}`,
    ],
    env: { ...process.env, HOME: folder },
  });
  onTestFinished(() => app.close().catch(() => undefined));
  const page = await app.firstWindow();
  page.setDefaultTimeout(RENDER_TIMEOUT_MS);
  const exitCode = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
  return {
    page,
    complaints: complaintsOf(page),
    quit: async () => {
      await app.close();
      return exitCode;
    },
  };
}

export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
