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
  /** All that menus show beside the queue's own state. */
  readonly menuParts: (paused: boolean) => MenuParts;
  readonly windowNow: () => BrowserWindow | null;
  /** Of what the user wants to be told. */
  readonly wanted: () => Settings['notifications'];
  /** The user chose a notification. */
  readonly onChosen: () => void;
  readonly now: () => number;
}

/** Shows the system what the queue does: menus, tray, progress, notifications, sleep. */
export class SystemIntegration {
  readonly #parts: SystemIntegrationParts;
  readonly #tray = trayIfThereIsOne();
  readonly #applicationMenu = new LiveMenu((menu) => Menu.setApplicationMenu(menu));
  readonly #trayMenu = new TrayMenu((menu) => this.#tray?.setContextMenu(menu));
  readonly #notifications: Notifications;
  #standing: QueueStatus | null = null;
  #heard: Summary | null = null;
  #shown = '';
  #blocker: number | null = null;

  constructor(parts: SystemIntegrationParts) {
    this.#parts = parts;
    this.#notifications = new Notifications(parts.onChosen);
    this.#tray?.on('click', parts.onChosen);
    this.showMenus();
  }

  /** Whether the system took an icon; that it is seen is another matter. */
  get hasTray(): boolean {
    return this.#tray !== null;
  }

  /** `null` until the engine has said something. */
  get standing(): QueueStatus | null {
    return this.#standing;
  }

  heard(summary: Summary): void {
    this.#standing = queueStatusOf(summary);
    this.#tell(summary);
    this.#block(keepsAwake(summary, this.#parts.now()));
    this.#show(this.#standing);
  }

  /** Updates the menus after a change of what they show. */
  showMenus(): void {
    const parts = this.#parts.menuParts(this.#standing?.paused ?? false);
    this.#applicationMenu.show(applicationMenu(parts));
    const line = this.#standing && this.#parts.texts().standing(this.#standing);
    this.#trayMenu.show(trayMenu(parts, line ?? 'Spool'));
    this.#tray?.setToolTip(line === null ? 'Spool' : `Spool · ${line}`);
  }

  /** In the taskbar and the dock, where it belongs to the window. */
  showProgress(): void {
    if (!this.#standing) return;
    const { paused, blocked, progress } = this.#standing;
    const mode = paused ? 'paused' : blocked ? 'error' : 'normal';
    this.#parts.windowNow()?.setProgressBar(progress ?? -1, { mode });
  }

  /** Tells the user in a notification, which brings the window back when it is chosen. */
  say(title: string, body: string): void {
    this.#notifications.show(title, body);
  }

  close(): void {
    this.#block(false);
    this.#tray?.destroy();
  }

  #show(standing: QueueStatus): void {
    const line = `${this.#parts.texts().standing(standing)}${standing.paused}`;
    // Summaries come many times a second.
    if (line === this.#shown) return;
    this.#shown = line;
    this.showMenus();
    this.showProgress();
  }

  #tell(summary: Summary): void {
    for (const news of newsBetween(this.#heard, summary)) {
      if (!isWanted(news, this.#parts.wanted())) continue;
      const { title, body } = this.#parts.texts().news(news);
      this.say(title, body);
    }
    this.#heard = summary;
  }

  #block(awake: boolean): void {
    if (awake && this.#blocker === null) {
      this.#blocker = powerSaveBlocker.start('prevent-app-suspension');
    } else if (!awake && this.#blocker !== null) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = null;
    }
  }
}

/** Some Linux desktops have no place for one, and say so by an error. */
function trayIfThereIsOne(): Tray | null {
  try {
    return new Tray(trayIcon(process.platform));
  } catch {
    return null;
  }
}
