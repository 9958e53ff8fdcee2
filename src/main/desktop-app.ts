import path from 'node:path';
import { app, dialog, ipcMain, powerMonitor, session } from 'electron';
import type { BrowserWindow } from 'electron';
import type { AppUpdate } from '../contract/computer.ts';
import type { Settings } from '../contract/settings.ts';
import { tell } from '../contract/told.ts';
import { EngineError } from '../engine/engine-error.ts';
import { readBatchFile } from '../host/batch-file.ts';
import type { LastingQueue } from '../host/lasting-queue.ts';
import { serveMessagePort } from '../host/router.ts';
import { serveAppScheme } from './app-protocol.ts';
import { Attendant } from './attendant.ts';
import type { DesktopNotes } from './desktop-notes.ts';
import type { LoginStart } from './login-start.ts';
import type { MenuActions, MenuParts } from './menu.ts';
import { giver, menuCommands, type Give } from './menu-commands.ts';
import type { Opened } from './opened.ts';
import type { Texts } from './texts.ts';
import type { TrayPlace } from './tray-place.ts';
import { PageCrashes } from './page-crashes.ts';
import { isTrustedSender } from './trusted-sender.ts';
import type { Updates } from './updates.ts';
import { limitPermissions, openWindow } from './window.ts';
import type { Wishes } from './wishes.ts';

const PAGE_FOLDER = path.join(import.meta.dirname, '..', 'renderer');

const CONSIDER_EVERY_MS = 3_600_000;

export interface DesktopParts {
  readonly queue: LastingQueue;
  /** As they are before the queue is open. */
  readonly settings: Settings;
  readonly notes: DesktopNotes;
  readonly wishes: Wishes;
  readonly texts: Texts;
  readonly loginStart: LoginStart;
  readonly trayPlace: TrayPlace;
  readonly updates: Updates;
  readonly logFile: string;
  readonly onDefect: (error: unknown) => void;
}

/** The window and all that surrounds it, over a queue that may be open already or not. */
export class DesktopApp {
  readonly #parts: DesktopParts;
  readonly #give: Give;
  readonly #actions: MenuActions;
  readonly #attendant: Attendant;
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
    const commands = { ...parts, client: parts.queue.client };
    this.#give = giver(commands);
    this.#actions = menuCommands({
      ...commands,
      give: this.#give,
      show: () => this.show(),
      windowNow: () => this.#window,
      open: (opened) => this.open(opened),
    });
    this.#attendant = new Attendant({
      texts: parts.texts,
      menuParts: (paused) => this.#menuParts(paused),
      windowNow: () => this.#window,
      wanted: () => this.#settings.notifications,
      onChosen: () => this.show(),
      now: () => Date.now(),
    });
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
      this.#window = openWindow({
        session: session.defaultSession,
        notes: this.#parts.notes,
        serviceOrigin: () => this.#serviceOrigin,
      });
      this.#keep(this.#window);
      this.#attendant.showProgress();
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  get window(): BrowserWindow | null {
    return this.#window;
  }

  /** Does what a double click, a link or a second start asks for. */
  async open(opened: readonly Opened[]): Promise<void> {
    const { wishes } = this.#parts;
    for (const each of opened) {
      switch (each.kind) {
        case 'page':
          wishes.add({ kind: 'show', page: each.page });
          break;
        case 'add':
          wishes.add({ kind: 'add', source: null });
          break;
        case 'batch-file':
          try {
            wishes.add({ kind: 'add', source: await readBatchFile(each.path) });
          } catch (error) {
            if (!(error instanceof EngineError)) throw error;
            wishes.add({ kind: 'tell', failure: error.failure });
          }
      }
    }
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
      app.quit();
    });
  }

  #tellServiceLost(): void {
    if (this.#quitting) return;
    const failure = { code: 'service-unreachable', ...tell('here-ended') } as const;
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

  #keep(window: BrowserWindow): void {
    window.on('close', (event) => {
      if (this.#quitting || !this.#goesOnUnseen()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => {
      this.#window = null;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      this.#parts.onDefect(new Error(`The page is gone: ${reason}.`));
      if (this.#quitting) return;
      if (this.#crashes.mayReload()) window.webContents.reload();
      else this.#askAboutCrashes(window).catch(this.#parts.onDefect);
    });
  }

  /** The queue goes on without a page; nothing but its owner can know what is to become of that. */
  async #askAboutCrashes(window: BrowserWindow): Promise<void> {
    const { pageCrashes, pageCrashesMeans, loadAgain, quit } = this.#parts.texts;
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
      this.#attendant.say('Spool', this.#parts.texts.goesOn);
    }
    return goesOn;
  }

  #menuParts(paused: boolean): MenuParts {
    const { texts, loginStart, updates } = this.#parts;
    return {
      platform: process.platform,
      texts,
      paused,
      startsAtLogin: loginStart.isOn,
      updates: updates.possible ? { channel: this.#settings.updates, now: this.#update } : null,
      actions: this.#actions,
    };
  }
}
