import path from 'node:path';
import { app, dialog, ipcMain, Menu, nativeTheme, powerMonitor, session } from 'electron';
import type { BrowserWindow } from 'electron';
import { MAX_BATCH_FILES } from '../contract/batch-limits.ts';
import type { AppUpdate, PageRequest } from '../contract/computer.ts';
import type { Settings } from '../contract/settings.ts';
import { userMessage } from '../contract/user-message.ts';
import { BatchFileError, readBatchFile, type ReadFile } from '../host/batch-file.ts';
import { batchesOf } from '../host/dropped-files.ts';
import type { ReconnectingQueue } from '../host/reconnecting-queue.ts';
import { serveMessagePort } from '../host/serve-contract.ts';
import { serveAppScheme } from './app-protocol.ts';
import { SystemIntegration } from './system-integration.ts';
import { contextMenu } from './context-menu.ts';
import type { WindowState } from './window-state.ts';
import { droppedPaths } from './dropped-paths.ts';
import { WatchedTables } from './watched-tables.ts';
import { hideWindow } from './hide-window.ts';
import type { LoginStart } from './login-start.ts';
import type { MenuActions, MenuParts } from './menu.ts';
import { runCommandsWith, menuCommands, type RunCommand } from './menu-commands.ts';
import type { Opened } from './opened.ts';
import { textsIn, type Texts } from './texts.ts';
import type { TrayVisibility } from './tray-visibility.ts';
import { PageCrashes } from './page-crashes.ts';
import { isTrustedSender } from './trusted-sender.ts';
import type { Updates } from './updates.ts';
import { limitPermissions, openWindow } from './window.ts';
import type { PageRequests } from './page-requests.ts';

const PAGE_FOLDER = path.join(import.meta.dirname, '..', 'renderer');

const UPDATE_CHECK_INTERVAL_MS = 3_600_000;

export interface DesktopParts {
  readonly queue: ReconnectingQueue;
  /** The settings before the queue is open. */
  readonly settings: Settings;
  readonly windowState: WindowState;
  readonly pageRequests: PageRequests;
  readonly loginStart: LoginStart;
  readonly trayVisibility: TrayVisibility;
  readonly updates: Updates;
  readonly logFile: string;
  /** Called when the system ends the user's session, and with it this process. */
  readonly onSessionEnd: () => void;
  readonly onDefect: (error: unknown) => void;
}

/** The window and the system integration, for a queue that may not be open yet. */
export class DesktopApp {
  readonly #parts: DesktopParts;
  readonly #runCommand: RunCommand;
  readonly #actions: MenuActions;
  readonly #systemIntegration: SystemIntegration;
  readonly #closed = new AbortController();
  readonly #crashes = new PageCrashes(() => performance.now());
  #settings: Settings;
  #window: BrowserWindow | null = null;
  #serviceOrigin = '';
  readonly #tables = new WatchedTables((file) => {
    this.#parts.pageRequests.addFile(() => addFileRequest(file, readBatchFile, 'file-changed'));
  });
  #keyIsMissing = false;
  #update: AppUpdate = { state: 'none' };
  #quitting = false;
  #backgroundNoticeShown = false;
  /** The start at login that the system refused to set; `null` if it did not. */
  #refusedLoginStart: boolean | null = null;

  constructor(parts: DesktopParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
    nativeTheme.themeSource = parts.settings.theme;
    const commands = { ...parts, client: parts.queue.client };
    this.#runCommand = runCommandsWith(commands);
    this.#actions = menuCommands({
      ...commands,
      run: this.#runCommand,
      texts: () => this.texts,
      show: () => this.show(),
      windowNow: () => this.#window,
      open: (opened) => this.open(opened),
    });
    this.#systemIntegration = new SystemIntegration({
      texts: () => this.texts,
      menuParts: (status) => this.#menuParts(status),
      windowNow: () => this.#window,
      notificationSettings: () => this.#settings.notifications,
      onClick: () => this.show(),
      now: () => Date.now(),
    });
  }

  get texts(): Texts {
    return textsIn(this.#settings.language, app.getLocale());
  }

  /** Starts without a window. */
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
    ipcMain.on('files', (event, text: unknown) => {
      if (isTrustedSender(event)) this.#take(droppedPaths(text));
    });
    this.#subscribeToPowerEvents();
    // The queue of an idle app sends no events for weeks.
    setInterval(() => this.#considerUpdates(), UPDATE_CHECK_INTERVAL_MS).unref();
    this.#followQueue().catch(onDefect);
    this.#followSettings().catch(onDefect);
    this.#followUpdates().catch(onDefect);
  }

  /** Brings the window to the front; creates it first if there is none. */
  show(): void {
    // Checked now, so that the answer is known when the window is closed.
    void this.#parts.trayVisibility.check();
    if (!this.#window) {
      this.#open(true);
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Creates a hidden window. */
  openHidden(): void {
    if (!this.#window) this.#open(false);
  }

  get window(): BrowserWindow | null {
    return this.#window;
  }

  /** Handles a double click, a link or a second start of the program. */
  open(opened: readonly Opened[]): void {
    const { pageRequests } = this.#parts;
    let refused = 0;
    for (const each of opened) {
      switch (each.kind) {
        case 'page':
          pageRequests.add({ kind: 'show', page: each.page });
          break;
        case 'add':
          pageRequests.add({ kind: 'add', file: null });
          break;
        case 'batch-file':
          if (!pageRequests.addFile(() => addFileRequest(each.path, readBatchFile))) refused += 1;
          else void this.#tables.add(each.path);
          break;
        case 'too-many-files':
          refused += each.count;
      }
    }
    this.#tellRefused(refused);
  }

  /** Takes files that were dropped on the window, or chosen in its page. */
  #take(paths: readonly string[]): void {
    const { pageRequests } = this.#parts;
    const refused = batchesOf(paths).filter((batch) => {
      void this.#tables.add(batch.path);
      return !pageRequests.addFile(() => addFileRequest(batch.path, () => batch.read()));
    });
    this.#tellRefused(refused.length);
  }

  #tellRefused(count: number): void {
    if (count === 0) return;
    const tooMany = userMessage('batch-files-too-many', { count, max: MAX_BATCH_FILES });
    const failure = { code: 'not-possible-now', ...tooMany } as const;
    this.#parts.pageRequests.add({ kind: 'tell', failure });
  }

  /** Closes at a safe point: waits for a request whose response is outstanding. */
  async close(): Promise<void> {
    this.#quitting = true;
    this.#closed.abort();
    this.#tables.close();
    this.#systemIntegration.close();
    await this.#parts.queue.close();
    this.#parts.windowState.update({ running: false });
  }

  /** Handles sleep, wake-up and shutdown. */
  #subscribeToPowerEvents(): void {
    powerMonitor.on('suspend', () => this.#runCommand((client) => client.service.fallAsleep()));
    // Timers pause during sleep, and the network may have changed.
    for (const event of ['resume', 'unlock-screen'] as const) {
      powerMonitor.on(event as 'resume', () =>
        this.#runCommand((client) => client.service.tryNow()),
      );
    }
    // A keychain is often unlocked together with the screen, so this is a good time to try it
    // again.
    powerMonitor.on('unlock-screen', () => {
      if (this.#keyIsMissing) this.#runCommand((client) => client.key.check());
    });
    // The system delays its shutdown until the safe point if the event is cancelled.
    powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
      event?.preventDefault();
      this.#parts.onSessionEnd();
    });
  }

  /** Makes the system's login entry match the settings; another program may have changed it. */
  #syncLoginStart({ startAtLogin }: Settings): void {
    const { loginStart, pageRequests, onDefect } = this.#parts;
    const wasRefused = this.#refusedLoginStart === startAtLogin;
    this.#refusedLoginStart = null;
    try {
      if (loginStart.isOn !== startAtLogin) loginStart.set(startAtLogin);
    } catch (error) {
      // The other settings must still take effect.
      onDefect(error);
      this.#refusedLoginStart = startAtLogin;
      if (wasRefused) return;
      const trouble = error instanceof Error ? error.message : String(error);
      const refused = userMessage('start-at-login-refused', { trouble });
      pageRequests.add({ kind: 'tell', failure: { code: 'not-possible-now', ...refused } });
    }
  }

  async #followQueue(): Promise<void> {
    const { client } = this.#parts.queue;
    for await (const { summary } of await client.watch({}, { signal: this.#closed.signal })) {
      this.#serviceOrigin = summary.service.origin;
      this.#keyIsMissing = summary.key.state === 'absent' && summary.key.trouble !== null;
      this.#systemIntegration.applySummary(summary);
      this.#considerUpdates();
    }
  }

  async #followSettings(): Promise<void> {
    const { client } = this.#parts.queue;
    const { signal } = this.#closed;
    for await (const { settings } of await client.settings.watch(undefined, { signal })) {
      this.#settings = settings;
      nativeTheme.themeSource = settings.theme;
      this.#syncLoginStart(settings);
      this.#systemIntegration.showMenus();
      this.#considerUpdates();
    }
  }

  async #followUpdates(): Promise<void> {
    const { state } = this.#parts.updates;
    for await (const update of state.values(this.#closed.signal)) {
      this.#update = update;
      this.#systemIntegration.showMenus();
    }
  }

  #considerUpdates(): void {
    const { status } = this.#systemIntegration;
    if (status) this.#parts.updates.consider(this.#settings.updates, status);
  }

  #open(isShown: boolean): void {
    this.#window = openWindow({
      session: session.defaultSession,
      windowState: this.#parts.windowState,
      isShown,
      serviceOrigin: () => this.#serviceOrigin,
    });
    this.#subscribeToWindow(this.#window);
    this.#systemIntegration.showProgress();
  }

  #subscribeToWindow(window: BrowserWindow): void {
    const { webContents } = window;
    window.on('close', (event) => {
      if (this.#quitting || !this.#hidesOnClose()) return;
      event.preventDefault();
      hideWindow(window);
    });
    // Emitted only on Windows; other systems emit `shutdown` of `powerMonitor`.
    window.on('session-end', () => this.#parts.onSessionEnd());
    webContents.on('context-menu', (_event, params) => {
      const items = contextMenu(params, this.texts, {
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
      if (this.#crashes.recordCrash()) webContents.reload();
      else this.#askAboutCrashes(window).catch(this.#parts.onDefect);
    });
  }

  /** The queue continues without a page, so the user decides: reload or quit. */
  async #askAboutCrashes(window: BrowserWindow): Promise<void> {
    const { pageCrashes, pageCrashesDetail, loadAgain, quit } = this.texts;
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: pageCrashes,
      detail: pageCrashesDetail,
      buttons: [loadAgain, quit],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1) app.quit();
    if (response === 1 || window.isDestroyed()) return;
    this.#crashes.reset();
    window.webContents.reload();
  }

  /** Whether the user can find the app without a window. */
  get #hasTray(): boolean {
    return this.#systemIntegration.hasTray && this.#parts.trayVisibility.isVisible;
  }

  /** Whether closing the window only hides it: a running batch must continue. */
  #hidesOnClose(): boolean {
    if (process.platform === 'darwin') return true;
    const { closeToTray } = this.#settings;
    const isActive = (this.#systemIntegration.status?.open ?? 0) > 0;
    const hides = closeToTray && this.#hasTray && isActive;
    if (hides && !this.#backgroundNoticeShown) {
      this.#backgroundNoticeShown = true;
      this.#systemIntegration.notify('Spool', this.texts.continuesInTray);
    }
    return hides;
  }

  #menuParts(status: MenuParts['status']): MenuParts {
    const { loginStart, updates } = this.#parts;
    return {
      platform: process.platform,
      texts: this.texts,
      status,
      startsAtLogin: loginStart.isOn,
      updates: updates.isSupported ? { channel: this.#settings.updates, now: this.#update } : null,
      actions: this.#actions,
    };
  }
}

/** A request to add a file's rows, or to show why the file cannot be read. */
async function addFileRequest(
  file: string,
  read: (file: string) => Promise<ReadFile>,
  kind: 'add' | 'file-changed' = 'add',
): Promise<PageRequest> {
  try {
    const { name, bytes, folder } = await read(file);
    return { kind, file: { path: file, name, folder, base64: bytes.toString('base64') } };
  } catch (error) {
    if (!(error instanceof BatchFileError)) throw error;
    const { failure } = error;
    return { kind, file: { path: file, name: path.basename(file), failure } };
  }
}
