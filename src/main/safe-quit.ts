import type { App, Event } from 'electron';
import type { Clock } from '../engine/clock.ts';

/** Longer than any request that is on its way waits for its answer (`ServiceTimeouts`). */
const QUITS_WITHIN_MS = 180_000;

/** Systems that end a session give each app about five seconds, or call the end off. */
const SESSION_ENDS_WITHIN_MS = 4000;

export interface SafeQuitParts {
  readonly app: Pick<App, 'on' | 'quit' | 'exit'>;
  readonly clock: Clock;
  /** Waits for the safe point, so that the outcome of a request is known at the next start. */
  readonly close: () => Promise<void>;
  /** Called where the process may end before `close` is done, and rightly so. */
  readonly onEnding: () => void;
  /** Takes over once all is closed; `false` when the app is simply to quit. */
  readonly takeOver: () => boolean;
  readonly onTooLate: (waitedMs: number) => void;
}

/** Quits at the safe point, or after a deadline: an app that never quits stops a whole logout. */
export class SafeQuit {
  readonly #parts: SafeQuitParts;
  readonly #sessionEnds = Promise.withResolvers<undefined>();
  #closing: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: SafeQuitParts) {
    this.#parts = parts;
    // A logout of macOS may begin with the second one.
    parts.app.on('before-quit', (event) => this.#delay(event));
    parts.app.on('will-quit', (event) => this.#delay(event));
  }

  /**
   * The system ends its user's session, and this process soon after: on Windows without another
   * event.
   */
  endWithSession(): void {
    this.#parts.onEnding();
    this.#sessionEnds.resolve(undefined);
    void this.#close();
  }

  #delay(event: Event): void {
    if (this.#isClosed) return;
    event.preventDefault();
    void this.#close();
  }

  /** Once: a second request to quit must not cut the first one short. */
  #close(): Promise<void> {
    return (this.#closing ??= this.#closeInTime());
  }

  async #closeInTime(): Promise<void> {
    const { app, clock, close, onEnding, takeOver, onTooLate } = this.#parts;
    const closed = new AbortController();
    const patience = (ms: number): Promise<number> =>
      clock.sleep(ms, closed.signal).then(
        () => ms,
        () => ms,
      );
    const waited = await Promise.race([
      close().then(
        () => null,
        () => null,
      ),
      patience(QUITS_WITHIN_MS),
      this.#sessionEnds.promise.then(() => patience(SESSION_ENDS_WITHIN_MS)),
    ]);
    closed.abort();
    this.#isClosed = true;
    if (waited !== null) {
      onEnding();
      onTooLate(waited);
      app.exit(0);
      return;
    }
    if (!takeOver()) app.quit();
  }
}
