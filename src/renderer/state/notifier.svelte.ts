import type { Client } from '../../contract/contract.ts';
import { isWanted, newsBetween, type News } from '../../contract/news.ts';
import type { Notice } from '../../contract/news-words.ts';
import type { Summary } from '../../contract/summary.ts';
import type { Computer } from './computer.svelte.ts';

/** `missing` where the browser shows none at all. */
export type NotifyPermission = NotificationPermission | 'missing';

/** Where a browser shows notifications, as far as it lets the page. */
export interface NotificationPlace {
  permission(): NotifyPermission;
  /** Has the browser ask the user. */
  ask(): Promise<NotifyPermission>;
  /** Whether the user looks at the page, and so needs no telling. */
  isWatched(): boolean;
  /**
   * @param about a second one about the same, such as another tab's, takes the first one's place
   */
  show(about: string, notice: Notice): void;
}

/**
 * Tells of finished batches and of standstills through the browser, where the host does not tell by
 * itself. It tells as long as the page is open, and of nothing that the user sees happen.
 */
export class Notifier {
  permission = $state<NotifyPermission>('missing');

  readonly #client: Client;
  readonly #place: NotificationPlace;
  readonly #computer: Computer;
  readonly #inWords: (news: News) => Notice;
  #latest: Summary | null = null;

  constructor(
    client: Client,
    place: NotificationPlace,
    computer: Computer,
    inWords: (news: News) => Notice,
  ) {
    this.#client = client;
    this.#place = place;
    this.#computer = computer;
    this.#inWords = inWords;
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
    // Another window or a command may have changed what is wanted.
    const view = await this.#client.settings.get().catch(() => null);
    if (view === null) return;
    for (const each of news) {
      if (!isWanted(each, view.settings.notifications)) continue;
      const about = each.kind === 'batch' ? each.id : `${each.kind} ${each.origin}`;
      this.#place.show(about, this.#inWords(each));
    }
  }
}
