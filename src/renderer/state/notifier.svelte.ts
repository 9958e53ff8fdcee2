import type { Client } from '../../contract/contract.ts';
import { isWanted, newsBetween, type News } from '../../contract/news.ts';
import type { Notice } from '../../contract/news-words.ts';
import type { Summary } from '../../contract/summary.ts';
import type { Computer } from './computer.svelte.ts';

/** `missing` where the browser has no notifications. */
export type NotifyPermission = NotificationPermission | 'missing';

/** The browser's notifications. */
export interface BrowserNotifications {
  permission(): NotifyPermission;
  /** Asks the user through the browser. */
  ask(): Promise<NotifyPermission>;
  /** Whether the user sees the page, and so needs no notification. */
  isWatched(): boolean;
  /**
   * @param tag a later notification with the same tag, such as another tab's, replaces this one
   */
  show(tag: string, notice: Notice): void;
}

/**
 * Shows browser notifications of finished batches and of a stopped queue, where the host shows
 * none. Works only while the page is open, and shows nothing while the user sees the page.
 */
export class Notifier {
  permission = $state<NotifyPermission>('missing');

  readonly #client: Client;
  readonly #place: BrowserNotifications;
  readonly #computer: Computer;
  readonly #toNotice: (news: News) => Notice;
  #latest: Summary | null = null;

  constructor(
    client: Client,
    place: BrowserNotifications,
    computer: Computer,
    toNotice: (news: News) => Notice,
  ) {
    this.#client = client;
    this.#place = place;
    this.#computer = computer;
    this.#toNotice = toNotice;
    this.permission = place.permission();
  }

  async ask(): Promise<void> {
    this.permission = await this.#place.ask();
  }

  async onSummary(summary: Summary): Promise<void> {
    const news = newsBetween(this.#latest, summary);
    this.#latest = summary;
    if (news.length === 0 || this.permission !== 'granted') return;
    if (this.#computer.abilities.notify || this.#place.isWatched()) return;
    // Another window or a command may have changed the settings.
    const view = await this.#client.settings.get().catch(() => null);
    if (view === null) return;
    for (const each of news) {
      if (!isWanted(each, view.settings.notifications)) continue;
      const tag = each.kind === 'batch' ? each.id : `${each.kind} ${each.origin}`;
      this.#place.show(tag, this.#toNotice(each));
    }
  }
}
