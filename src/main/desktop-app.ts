import path from 'node:path';
import { app, dialog, ipcMain, Menu, nativeTheme, powerMonitor, session } from 'electron';
import type { BrowserWindow } from 'electron';
import { MAX_BATCH_FILES } from '../contract/batch-limits.ts';
import type { AppUpdate, PageRequest } from '../contract/computer.ts';
import type { Settings } from '../contract/settings.ts';
import { userMessage } from '../contract/user-message.ts';
import { BatchFileError, readBatchFile } from '../host/batch-file.ts';
import type { ReconnectingQueue } from '../host/reconnecting-queue.ts';
import { serveMessagePort } from '../host/serve-contract.ts';
import { serveAppScheme } from './app-protocol.ts';
import { SystemIntegration } from './system-integration.ts';
import { contextMenu } from './context-menu.ts';
import type { WindowState } from './window-state.ts';
import { hideWindow } from './hide-window.ts';
import type { LoginStart } from './login-start.ts';
import type { MenuActions, MenuParts } from './menu.ts';
import { runCommandsWith, menuCommands, type RunCommand } from './menu-commands.ts';
import type { Opened } from './opened.ts';
import { textsIn, type Texts } from './texts.ts';
import type { TrayPlace } from './tray-place.ts';
import { PageCrashes } from './page-crashes.ts';
import { isTrustedSender } from './trusted-sender.ts';
import type { Updates } from './updates.ts';
import { limitPermissions, openWindow } from './window.ts';
import type { PageRequests } from './page-requests.ts';

const PAGE_FOLDER = path.join(import.meta.dirname, '..', 'renderer');

const CONSIDER_EVERY_MS = 3_600_000;

export interface DesktopParts {
  readonly queue: ReconnectingQueue;
  /** As they are before the queue is open. */
  readonly settings: Settings;
  readonly notes: WindowState;
  readonly wishes: PageRequests;
  readonly loginStart: LoginStart;
  readonly trayPlace: TrayPlace;
  readonly updates: Updates;
  readonly logFile: string;
  /** The system ends the user's session and this process. */
  readonly onSessionEnd: () => void;
  readonly onDefect: (error: unknown) => void;
}

/** The window and all that surrounds it, over a queue that may be open already or not. */
export class DesktopApp {
  readonly #parts: DesktopParts;
  readonly #give: RunCommand;
  readonly #actions: MenuActions;
  readonly #attendant: SystemIntegration;
  readonly #over = new AbortController();
  readonly #crashes = new PageCrashes(() => performance.now());
  #settings: Settings;
  #window: BrowserWindow | null = null;
  #serviceOrigin = '';
  #keyIsMissing = false;
  #update: AppUpdate = { state: 'none' };
  #quitting = false;
  #saidItGoesOn = false;

  constructor(parts: DesktopParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
    nativeTheme.themeSource = parts.settings.theme;
    const commands = { ...parts, client: parts.queue.client };
    this.#give = runCommandsWith(commands);
    this.#actions = menuCommands({
      ...commands,
      run: this.#give,
      texts: () => this.#texts,
      show: () => this.show(),
      windowNow: () => this.#window,
      open: (opened) => this.open(opened),
    });
    this.#attendant = new SystemIntegration({
      texts: () => this.#texts,
      menuParts: (paused) => this.#menuParts(paused),
      windowNow: () => this.#window,
      wanted: () => this.#settings.notifications,
      onChosen: () => this.show(),
      now: () => Date.now(),
    });
  }

  get #texts(): Texts {
    return textsIn(this.#settings.language, app.getLocale());
  }

  /** Begins to work, without a window. */
  start(): void {
    const { queue, onDefect } = this.#parts;
    const { defaultSession } = session;
    limitPermissions(defaultSession);
    serveAppScheme(defaultSession, PAGE_FOLDER, queue.client);
    ipcMain.on('port', (event) => {
      const [port] = event.ports;
      if (!port || !isTrustedSender(event)) return;
      serveMessagePort(queue.router, port, onDefect);
      port.start();
    });
    this.#hearSystem();
    void queue.serviceLost.then(() => this.#tellServiceLost());
    // An app that stands idle for weeks hears nothing from its queue.
    setInterval(() => this.#considerUpdates(), CONSIDER_EVERY_MS).unref();
    this.#followQueue().catch(onDefect);
    this.#followSettings().catch(onDefect);
    this.#followUpdates().catch(onDefect);
  }

  /** Brings the window to the front, and makes it first where there is none. */
  show(): void {
    // By the time that the window is closed, it is known whether the app can go on without it.
    void this.#parts.trayPlace.look();
    if (!this.#window) {
      this.#open(true);
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Makes a window that waits until it is shown. */
  openUnseen(): void {
    if (!this.#window) this.#open(false);
  }

  get window(): BrowserWindow | null {
    return this.#window;
  }

  /** Does what a double click, a link or a second start asks for. */
  open(opened: readonly Opened[]): void {
    const { wishes } = this.#parts;
    let refused = 0;
    for (const each of opened) {
      switch (each.kind) {
        case 'page':
          wishes.add({ kind: 'show', page: each.page });
          break;
        case 'add':
          wishes.add({ kind: 'add', file: null });
          break;
        case 'batch-file':
          if (!wishes.addFile(() => addWish(each.path))) refused += 1;
          break;
        case 'too-many-files':
          refused += each.count;
      }
    }
    if (refused === 0) return;
    const said = userMessage('batch-files-too-many', { count: refused, max: MAX_BATCH_FILES });
    wishes.add({ kind: 'tell', failure: { code: 'not-possible-now', ...said } });
  }

  /** The end, at a safe point: a request that is on its way is waited for. */
  async close(): Promise<void> {
    this.#quitting = true;
    this.#over.abort();
    this.#attendant.close();
    await this.#parts.queue.close();
    this.#parts.notes.note({ running: false });
  }

  /** Sleep, waking up and shutting down. */
  #hearSystem(): void {
    powerMonitor.on('suspend', () => this.#give((client) => client.service.fallAsleep()));
    // Timers stand still while a computer sleeps, and its network is another one afterwards.
    for (const moment of ['resume', 'unlock-screen'] as const) {
      powerMonitor.on(moment as 'resume', () => this.#give((client) => client.service.tryNow()));
    }
    // A keychain is often unlocked together with the screen; more often than this nobody is asked.
    powerMonitor.on('unlock-screen', () => {
      if (this.#keyIsMissing) this.#give((client) => client.key.check());
    });
    // A computer that shuts down waits for the safe point as well, if it is asked to.
    powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
      event?.preventDefault();
      this.#parts.onSessionEnd();
    });
  }

  #tellServiceLost(): void {
    if (this.#quitting) return;
    const failure = { code: 'service-unreachable', ...userMessage('here-ended') } as const;
    this.#parts.wishes.add({ kind: 'tell', failure });
  }

  /** The system is told what the settings say; another program may have told it otherwise. */
  #keepLoginStart({ startAtLogin }: Settings): void {
    const { loginStart } = this.#parts;
    if (loginStart.isOn !== startAtLogin) loginStart.set(startAtLogin);
  }

  async #followQueue(): Promise<void> {
    const { client } = this.#parts.queue;
    for await (const { summary } of await client.watch({}, { signal: this.#over.signal })) {
      this.#serviceOrigin = summary.service.origin;
      this.#keyIsMissing = summary.key.state === 'absent' && summary.key.trouble !== null;
      this.#attendant.heard(summary);
      this.#considerUpdates();
    }
  }

  async #followSettings(): Promise<void> {
    const { client } = this.#parts.queue;
    const { signal } = this.#over;
    for await (const { settings } of await client.settings.watch(undefined, { signal })) {
      this.#settings = settings;
      nativeTheme.themeSource = settings.theme;
      this.#keepLoginStart(settings);
      this.#attendant.showMenus();
      this.#considerUpdates();
    }
  }

  async #followUpdates(): Promise<void> {
    const { told } = this.#parts.updates;
    for await (const update of told.values(this.#over.signal)) {
      this.#update = update;
      this.#attendant.showMenus();
    }
  }

  #considerUpdates(): void {
    const { standing } = this.#attendant;
    if (standing) this.#parts.updates.consider(this.#settings.updates, standing);
  }

  #open(isShown: boolean): void {
    this.#window = openWindow({
      session: session.defaultSession,
      notes: this.#parts.notes,
      isShown,
      serviceOrigin: () => this.#serviceOrigin,
    });
    this.#keep(this.#window);
    this.#attendant.showProgress();
  }

  #keep(window: BrowserWindow): void {
    const { webContents } = window;
    window.on('close', (event) => {
      if (this.#quitting || !this.#goesOnUnseen()) return;
      event.preventDefault();
      hideWindow(window);
    });
    // Of all windows of Windows, and of nothing else: `shutdown` is a matter of the other systems.
    window.on('session-end', () => this.#parts.onSessionEnd());
    webContents.on('context-menu', (_event, params) => {
      const items = contextMenu(params, this.#texts, {
        replaceMisspelling: (word) => webContents.replaceMisspelling(word),
        addToDictionary: (word) => webContents.session.addWordToSpellCheckerDictionary(word),
      });
      if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
    });
    window.on('closed', () => {
      this.#window = null;
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      this.#parts.onDefect(new Error(`The page is gone: ${reason}.`));
      if (this.#quitting) return;
      if (this.#crashes.mayReload()) webContents.reload();
      else this.#askAboutCrashes(window).catch(this.#parts.onDefect);
    });
  }

  /** The queue goes on without a page; nothing but the user can know what is to become of that. */
  async #askAboutCrashes(window: BrowserWindow): Promise<void> {
    const { pageCrashes, pageCrashesMeans, loadAgain, quit } = this.#texts;
    const { response } = await dialog.showMessageBox(window, {
      ...{ type: 'error', message: pageCrashes, detail: pageCrashesMeans },
      ...{ buttons: [loadAgain, quit], defaultId: 0, cancelId: 0 },
    });
    if (response === 1) app.quit();
    if (response === 1 || window.isDestroyed()) return;
    this.#crashes.forget();
    window.webContents.reload();
  }

  /** Whether the app can go on without a window and still be found. */
  get #hasTray(): boolean {
    return this.#attendant.hasTray && this.#parts.trayPlace.isThere;
  }

  /** While a batch runs, a closed window is no reason to stop. */
  #goesOnUnseen(): boolean {
    if (process.platform === 'darwin') return true;
    const { closeToTray } = this.#settings;
    const isAtWork = (this.#attendant.standing?.open ?? 0) > 0;
    const goesOn = closeToTray && this.#hasTray && isAtWork;
    if (goesOn && !this.#saidItGoesOn) {
      this.#saidItGoesOn = true;
      this.#attendant.say('Spool', this.#texts.goesOn);
    }
    return goesOn;
  }

  #menuParts(paused: boolean): MenuParts {
    const { loginStart, updates } = this.#parts;
    return {
      platform: process.platform,
      texts: this.#texts,
      paused,
      startsAtLogin: loginStart.isOn,
      updates: updates.possible ? { channel: this.#settings.updates, now: this.#update } : null,
      actions: this.#actions,
    };
  }
}

/** Asks the page to add a file’s rows, or to show why the file cannot be read. */
async function addWish(file: string): Promise<PageRequest> {
  try {
    return { kind: 'add', file: { ...(await readBatchFile(file)), path: file } };
  } catch (error) {
    if (!(error instanceof BatchFileError)) throw error;
    const { failure } = error;
    return { kind: 'add', file: { path: file, name: path.basename(file), failure } };
  }
}
