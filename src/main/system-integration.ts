import { Menu, powerSaveBlocker, Tray, type BrowserWindow } from 'electron';
import { isWanted, newsBetween } from '../contract/news.ts';
import type { Settings } from '../contract/settings.ts';
import type { Summary } from '../contract/summary.ts';
import { trayIcon } from './icons.ts';
import { LiveMenu, TrayMenu } from './live-menu.ts';
import { applicationMenu, trayMenu, type MenuParts } from './menu.ts';
import { Notifications } from './notifications.ts';
import { keepsAwake, queueStatusOf, type QueueStatus } from './queue-status.ts';
import type { Texts } from './texts.ts';

export interface SystemIntegrationParts {
  readonly texts: () => Texts;
  /** Everything that menus show. */
  readonly menuParts: (status: QueueStatus | null) => MenuParts;
  readonly windowNow: () => BrowserWindow | null;
  /** Which notifications the user has enabled. */
  readonly notificationSettings: () => Settings['notifications'];
  /** The user clicked a notification or the tray icon. */
  readonly onClick: () => void;
  readonly now: () => number;
}

/** Shows the queue's state in the system: menus, tray, progress, notifications, sleep. */
export class SystemIntegration {
  readonly #parts: SystemIntegrationParts;
  readonly #tray = createTray();
  readonly #applicationMenu = new LiveMenu((menu) => Menu.setApplicationMenu(menu));
  readonly #trayMenu = new TrayMenu((menu) => this.#tray?.setContextMenu(menu));
  readonly #notifications: Notifications;
  #status: QueueStatus | null = null;
  #summary: Summary | null = null;
  #shown = '';
  #blocker: number | null = null;

  constructor(parts: SystemIntegrationParts) {
    this.#parts = parts;
    this.#notifications = new Notifications(parts.onClick);
    this.#tray?.on('click', parts.onClick);
    this.showMenus();
  }

  /** Whether the system accepted a tray icon. It may still be invisible (`TrayVisibility`). */
  get hasTray(): boolean {
    return this.#tray !== null;
  }

  /** `null` until the engine has sent its first summary. */
  get status(): QueueStatus | null {
    return this.#status;
  }

  applySummary(summary: Summary): void {
    this.#status = queueStatusOf(summary);
    this.#notifyAbout(summary);
    this.#keepAwake(keepsAwake(summary, this.#parts.now()));
    this.#show(this.#status);
  }

  /** Updates the menus after a change of their contents. */
  showMenus(): void {
    const parts = this.#parts.menuParts(this.#status);
    this.#applicationMenu.show(applicationMenu(parts));
    const line = this.#status && this.#parts.texts().queueStatus(this.#status);
    this.#trayMenu.show(trayMenu(parts, line ?? 'Spool'));
    this.#tray?.setToolTip(line === null ? 'Spool' : `Spool · ${line}`);
  }

  /** Updates the progress bar in the taskbar or dock, which belongs to a window. */
  showProgress(): void {
    if (!this.#status) return;
    const { paused, blocked, progress } = this.#status;
    const mode = paused ? 'paused' : blocked ? 'error' : 'normal';
    this.#parts.windowNow()?.setProgressBar(progress ?? -1, { mode });
  }

  /** Shows a notification; clicking it brings the window to the front. */
  notify(title: string, body: string): void {
    this.#notifications.show(title, body);
  }

  close(): void {
    this.#keepAwake(false);
    this.#tray?.destroy();
  }

  #show(status: QueueStatus): void {
    const { paused, severalServices } = status;
    const line = `${this.#parts.texts().queueStatus(status)}${paused}${severalServices}`;
    // Summaries arrive many times a second.
    if (line === this.#shown) return;
    this.#shown = line;
    this.showMenus();
    this.showProgress();
  }

  #notifyAbout(summary: Summary): void {
    for (const news of newsBetween(this.#summary, summary)) {
      if (!isWanted(news, this.#parts.notificationSettings())) continue;
      const { title, body } = this.#parts.texts().news(news);
      this.notify(title, body);
    }
    this.#summary = summary;
  }

  #keepAwake(awake: boolean): void {
    if (awake && this.#blocker === null) {
      this.#blocker = powerSaveBlocker.start('prevent-app-suspension');
    } else if (!awake && this.#blocker !== null) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = null;
    }
  }
}

/** Some Linux desktops have no tray, which makes the constructor throw. */
function createTray(): Tray | null {
  try {
    return new Tray(trayIcon(process.platform));
  } catch {
    return null;
  }
}
