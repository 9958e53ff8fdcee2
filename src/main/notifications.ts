import { Notification } from 'electron';

/**
 * Older notifications are hardly ever clicked, even if the notification centre still shows them.
 */
const MAX_KEPT = 50;

/**
 * Shows notifications and keeps references to them: an unreferenced notification is
 * garbage-collected, and its click is lost (electron/electron#16922).
 */
export class Notifications {
  readonly #onClick: () => void;
  readonly #shown = new Set<Notification>();

  constructor(onClick: () => void) {
    this.#onClick = onClick;
  }

  show(title: string, body: string): void {
    const notification = new Notification({ title, body });
    const forget = (): void => void this.#shown.delete(notification);
    notification.on('click', () => {
      forget();
      this.#onClick();
    });
    notification.on('failed', forget);
    this.#shown.add(notification);
    const [oldest] = this.#shown;
    if (oldest && this.#shown.size > MAX_KEPT) this.#shown.delete(oldest);
    notification.show();
  }
}
