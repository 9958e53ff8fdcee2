/**
 * The module `electron` of a main process that runs in plain Node with Debian's Chromium. It
 * implements only what Spool uses; using anything else throws an error with its name. Calls to the
 * system are recorded in a journal, and a test may run code in this process, like Playwright's
 * `electronApplication.evaluate`.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type {
  BrowserWindowConstructorOptions,
  Dialog,
  NotificationConstructorOptions,
  OpenDialogReturnValue,
} from 'electron';
import type { BrowserContext, Page } from 'playwright-core';
import { CHROMIUM, QUIET_CHROMIUM } from '../browser.ts';
import { Journal } from './journal.ts';
import { StandInApp } from './stand-in-app.ts';
import { StandInMenu, StandInTray } from './stand-in-menus.ts';
import { forkOf } from './stand-in-processes.ts';
import { StandInSession } from './stand-in-session.ts';
import { StandInWindow, type WindowParts } from './stand-in-window.ts';
import { answerTests } from './test-control.ts';
import { KnownEvents, strict } from './strict.ts';

const home = process.env.STAND_IN_HOME ?? '';
if (home === '') throw new Error('STAND_IN_HOME names the folder of the stand-in’s user.');

const journal = new Journal();
let context: BrowserContext | null = null;
const resources = process.env.STAND_IN_RESOURCES ?? null;
const standInApp = new StandInApp(home, journal, resources, openChromium, async () =>
  context?.close(),
);

/** Loaded only when needed: a process that hands over to the first instance does not need it. */
async function openChromium(): Promise<void> {
  const { chromium } = await import('playwright-core');
  const chromiumFolder = standInApp.getPath('sessionData');
  mkdirSync(chromiumFolder, { recursive: true });
  context = await chromium.launchPersistentContext(chromiumFolder, {
    executablePath: CHROMIUM,
    locale: 'en-GB',
    handleSIGINT: false,
    handleSIGTERM: false,
    args: ['--remote-debugging-port=0', ...QUIET_CHROMIUM],
  });
}

let firstPageIsFree = true;
function newPage(): Promise<Page> {
  if (!context) throw new Error('A window was opened before the app was ready.');
  const [first] = context.pages();
  if (firstPageIsFree && first) {
    firstPageIsFree = false;
    return Promise.resolve(first);
  }
  return context.newPage();
}

const privileged = new Set<string>();
const defaultSession = new StandInSession(privileged);
const standInIpc = new KnownEvents('ipcMain', ['port', 'files']);
const windowParts: WindowParts = {
  app: standInApp,
  session: defaultSession,
  ipcMain: standInIpc,
  journal,
  newPage,
};

class Window extends StandInWindow {
  constructor(options: BrowserWindowConstructorOptions) {
    super(windowParts, options);
  }

  static getAllWindows(): StandInWindow[] {
    return [...standInApp.windows].filter((window) => window instanceof StandInWindow);
  }
}

class BoundTray extends StandInTray {
  constructor(image: string) {
    super(journal, image);
  }
}

/**
 * Notifications that were shown. One that its app no longer refers to is garbage-collected
 * (electron#16922).
 */
const shown = new Map<string, WeakRef<StandInNotification>>();

class StandInNotification extends KnownEvents {
  readonly #options: NotificationConstructorOptions;

  constructor(options: NotificationConstructorOptions) {
    super('Notification', ['click', 'close', 'failed']);
    this.#options = options;
  }

  show(): void {
    const { title = '', body } = this.#options;
    journal.note('notification', title, body);
    shown.set(title, new WeakRef(this));
  }
}

/**
 * Clicks a notification as a user does, some time after it was shown; a garbage-collected one has
 * no effect.
 */
async function clickNotification(title: string): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  shown.get(title)?.deref()?.emit('click', {});
}

const workArea = { x: 0, y: 0, width: 1920, height: 1040 };
const display = { workArea };
let blockers = 0;
let clip = '';

export const app = strict('app', standInApp);
export const BrowserWindow = strict('BrowserWindow', Window);
StandInMenu.journal = journal;
export const Menu = strict('Menu', StandInMenu);
export const Tray = strict('Tray', BoundTray);
export const Notification = strict('Notification', StandInNotification);
export const ipcMain = strict('ipcMain', standInIpc);
export const session = strict('session', {
  defaultSession: strict('session', defaultSession),
  /** A session without a page. */
  fromPartition: (name: string) => strict(`session ${name}`, {}),
});
/** Electron's own updater, of which only the announcement of its quitting is used. */
export const autoUpdater = strict(
  'autoUpdater',
  new KnownEvents('autoUpdater', ['before-quit-for-update']),
);
/** Requests of the main process; Node's own behave like Electron's if there is no redirect. */
export const net = strict('net', { request });
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: readonly { scheme: string }[]): void {
    for (const { scheme } of schemes) privileged.add(scheme);
  },
});
export const dialog: Pick<Dialog, 'showErrorBox'> & {
  showOpenDialog: unknown;
  showMessageBox: unknown;
} = strict('dialog', {
  showErrorBox(title: string, words: string): void {
    journal.note('error-box', title, words);
    process.stderr.write(`${title}: ${words}\n`);
  },
  /** Stays open, because there is no user to answer. */
  showMessageBox(_window: unknown, { message }: { message: string }): Promise<never> {
    journal.note('message-box', message);
    return new Promise(() => undefined);
  },
  /** Cancelled, because there is no user to choose; a test that needs a choice replaces this. */
  showOpenDialog: (): Promise<OpenDialogReturnValue> =>
    Promise.resolve({ canceled: true, filePaths: [] }),
});
export const shell = strict('shell', {
  openPath(file: string): Promise<string> {
    journal.note('open-path', file);
    return Promise.resolve('');
  },
  trashItem: (file: string): Promise<void> => {
    journal.note('trash', file);
    return Promise.resolve();
  },
  showItemInFolder: (file: string): void => journal.note('show-in-folder', file),
  openExternal(address: string): Promise<void> {
    journal.note('open-external', address);
    return Promise.resolve();
  },
});
export const clipboard = strict('clipboard', {
  writeText(text: string): void {
    clip = text;
  },
  readText: (): string => clip,
});
export const nativeImage = strict('nativeImage', {
  /** An empty image for a missing file, as in Electron. */
  createFromPath: (file: string) => strict('NativeImage', { isEmpty: () => !existsSync(file) }),
});
export const powerMonitor = strict(
  'powerMonitor',
  Object.assign(
    new KnownEvents('powerMonitor', ['suspend', 'resume', 'unlock-screen', 'shutdown']),
    { isOnBatteryPower: () => false },
  ),
);
export const powerSaveBlocker = strict('powerSaveBlocker', {
  start(kind: string): number {
    journal.note('keep-awake', kind);
    return (blockers += 1);
  },
  stop(): void {
    journal.note('let-sleep');
  },
});
/** The theme that native parts, and `prefers-color-scheme` of pages, follow. */
export const nativeTheme = strict('nativeTheme', {
  shouldUseDarkColors: false,
  set themeSource(theme: string) {
    journal.note('theme', theme);
    this.shouldUseDarkColors = theme === 'dark';
  },
  get themeSource(): string {
    return this.shouldUseDarkColors ? 'dark' : 'system';
  },
});
export const screen = strict('screen', {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
});
export const utilityProcess = strict('utilityProcess', {
  fork: forkOf(() => standInApp.isReady()),
});

answerTests(journal, () => standInApp.getPath('sessionData'), clickNotification, {
  app,
  BrowserWindow,
  Menu,
  dialog,
  ipcMain,
  shell,
  clipboard,
  powerMonitor,
});
