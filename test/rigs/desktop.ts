import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { JournalEntry } from './electron-stand-in/journal.ts';
import { answeredSchema, type Asked } from './electron-stand-in/test-control.ts';
import { endingWithTests } from './ending-with-tests.ts';
import { RENDER_TIMEOUT_MS } from './render-timeout.ts';
import { REPOSITORY } from './spool-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Electron = typeof import('electron');

/** The built desktop app, running, with or without a window. */
export interface RunningDesktop {
  /** Its user's folder, with everything that it writes. */
  readonly home: string;
  readonly dataDir: string;
  /** Runs a function in the main process. The function must not use variables from outside. */
  readonly evaluate: <R, A = undefined>(
    run: (electron: Electron, argument: A) => R,
    argument?: A,
  ) => Promise<R>;
  /**
   * What the app passed to the system: notifications, progress, the tray. Only the stand-in records it.
   */
  journal(): Promise<readonly JournalEntry[]>;
  /** Clicks a notification that was shown some time ago. Only the stand-in supports it. */
  clickNotification(title: string): Promise<unknown>;
  /**
   * Starts the app a second time, as a double click would; resolves when that process has ended.
   */
  startAgain(...args: string[]): Promise<number | null>;
  /** Resolves with the exit code once the process has ended. */
  readonly exitCode: Promise<number | null>;
  /** Waits for its window. */
  waitForWindow(): Promise<OpenWindow>;
  readonly end: () => Promise<void>;
}

export interface OpenWindow {
  readonly page: Page;
  /** Complaints of the page: its own errors, and violations of its policy. */
  readonly complaints: readonly string[];
}

export type Desktop = RunningDesktop & OpenWindow;

const STAND_IN = path.join(REPOSITORY, 'test', 'rigs', 'electron-stand-in', 'register.ts');

/** Why there is no real Electron here; `null` when there is one. */
export function noElectron(): string | null {
  const folder = path.join(REPOSITORY, 'node_modules', 'electron');
  if (existsSync(path.join(folder, 'dist')) && existsSync(path.join(folder, 'path.txt'))) {
    return null;
  }
  return 'Electron’s runtime is not installed here (npx install-electron fetches it)';
}

export interface DesktopOptions {
  /** A folder that an earlier run used; a new one when left out. */
  readonly home?: string;
  readonly args?: readonly string[];
  /** A packaged app, instead of the built one. */
  readonly packaged?: PackagedDesktop;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its desktop shows a tray, as most do; true when left out. */
  readonly hasTray?: boolean;
}

/** Absolute paths inside a package. */
export interface PackagedDesktop {
  /** The folder that contains `out/main/main.js`. */
  readonly app: string;
  /** The folder beside it in which Electron looks for files outside the archive. */
  readonly resources: string;
}

/** Starts the app for one test, and ends it with the test. */
export async function openOnStandIn(options: DesktopOptions = {}): Promise<Desktop> {
  const running = runOnStandIn(options);
  return { ...running, ...(await running.waitForWindow()) };
}

/** Same as `openOnStandIn`, but does not wait for a window. */
export function runOnStandIn(options: DesktopOptions = {}): RunningDesktop {
  const running = start({ ...options, home: options.home ?? temporaryFolder() });
  onTestFinished(() => running.end());
  return running;
}

/** Starts the app until the caller ends it. */
export async function startOnStandIn(
  options: DesktopOptions & { readonly home: string },
): Promise<Desktop> {
  const running = start(options);
  return { ...running, ...(await running.waitForWindow()) };
}

/** Starts the built app in Node, with the stand-in as its `electron`, before a real browser. */
function start(options: DesktopOptions & { readonly home: string }): RunningDesktop {
  const { home } = options;
  const dataDir = path.join(home, 'data');
  mkdirSync(dataDir, { recursive: true });
  const child = startProcess(dataDir, options);
  const exitCode = (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code);
  const ask = requester(child);
  const isVisible = async (): Promise<unknown> =>
    ask(`({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false`);
  return {
    home,
    dataDir,
    exitCode,
    evaluate: <R>(run: (electron: Electron, argument: never) => R, argument?: unknown) =>
      ask(run.toString(), argument) as Promise<R>,
    journal: async () => (await ask('journal')) as JournalEntry[],
    clickNotification: (title) => ask('click-notification', title),
    startAgain: async (...more: string[]) => {
      const second = startProcess(dataDir, { ...options, args: more });
      const [code] = (await once(second, 'exit')) as [number | null];
      return code;
    },
    async waitForWindow() {
      while (!(await isVisible())) await new Promise((resolve) => setTimeout(resolve, 20));
      return pageAt(String(await ask('browser')));
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await exitCode;
    },
  };
}

/** The page that a browser shows. @param port of the browser's debugger */
async function pageAt(port: string): Promise<OpenWindow> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [page] = browser.contexts()[0]?.pages() ?? [];
  if (!page) throw new Error('The window has no page.');
  page.setDefaultTimeout(RENDER_TIMEOUT_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Requests to the process and their responses, by number. */
function requester(child: ChildProcess): (what: string, argument?: unknown) => Promise<unknown> {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  child.on('message', (message) => {
    const { id, value, error } = answeredSchema.parse(message);
    if (error === undefined) open.get(id)?.resolve(value);
    else open.get(id)?.reject(new Error(error));
    open.delete(id);
  });
  child.once('exit', () => {
    for (const each of open.values()) each.reject(new Error('The app has ended.'));
  });
  return (what, argument = null) => {
    const id = (lastId += 1);
    const answer = Promise.withResolvers<unknown>();
    open.set(id, answer);
    child.send({ id, ask: what, argument } satisfies Asked);
    return answer.promise;
  };
}

function startProcess(
  dataDir: string,
  {
    home,
    args = [],
    packaged,
    env = {},
    hasTray = true,
  }: DesktopOptions & { readonly home: string },
): ChildProcess {
  const programs = path.join(home, 'programs');
  mkdirSync(programs, { recursive: true });
  // The session bus's response to whether a tray is available.
  const answer = `#!/bin/sh\necho "(${hasTray},)"\n`;
  writeFileSync(path.join(programs, 'gdbus'), answer, { mode: 0o755 });
  const main = path.join(packaged?.app ?? REPOSITORY, 'out', 'main', 'main.js');
  const app = ['--import', STAND_IN, main, `--data-dir=${dataDir}`, ...args];
  return spawn(...endingWithTests(process.execPath, app), {
    cwd: home,
    env: {
      ...process.env,
      HOME: home,
      PATH: `${programs}${path.delimiter}${process.env.PATH}`,
      STAND_IN_HOME: home,
      ...(packaged ? { STAND_IN_RESOURCES: packaged.resources } : {}),
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
