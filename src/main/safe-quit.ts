import type { App, Event } from 'electron';
import type { Clock } from '../engine/clock.ts';

/** Longer than the response timeout of any request (`ServiceTimeouts`). */
const QUIT_TIMEOUT_MS = 180_000;

/** When a session ends, systems give each app about five seconds, or cancel the logout. */
const SESSION_END_TIMEOUT_MS = 4000;

export interface SafeQuitParts {
  readonly app: Pick<App, 'on' | 'quit' | 'exit'>;
  readonly clock: Clock;
  /** Waits for the safe point, so that the outcome of a request is known at the next start. */
  readonly close: () => Promise<void>;
  /**
   * Called when the process may end before `close` is done, as an expected end rather than a crash.
   */
  readonly onEnding: () => void;
  /** Takes over after closing, to install an update; `false` if the app should just quit. */
  readonly installUpdate: () => boolean;
  readonly onTimeout: (waitedMs: number) => void;
}

/** Quits at the safe point, or after a deadline: an app that never quits blocks a logout. */
export class SafeQuit {
  readonly #parts: SafeQuitParts;
  readonly #sessionEnds = Promise.withResolvers<undefined>();
  #closing: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: SafeQuitParts) {
    this.#parts = parts;
    // A logout of macOS may begin with `will-quit`.
    parts.app.on('before-quit', (event) => this.#delay(event));
    parts.app.on('will-quit', (event) => this.#delay(event));
  }

  /**
   * Closes because the system ends the user's session. The process ends soon; Windows sends no
   * further event.
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

  /** Closes once: a second request to quit must not cut the first one short. */
  #close(): Promise<void> {
    return (this.#closing ??= this.#closeWithTimeout());
  }

  async #closeWithTimeout(): Promise<void> {
    const { app, clock, close, onEnding, installUpdate, onTimeout } = this.#parts;
    const closed = new AbortController();
    const timeout = (ms: number): Promise<number> =>
      clock.sleep(ms, closed.signal).then(
        () => ms,
        () => ms,
      );
    const timedOutAfterMs = await Promise.race([
      close().then(
        () => null,
        () => null,
      ),
      timeout(QUIT_TIMEOUT_MS),
      this.#sessionEnds.promise.then(() => timeout(SESSION_END_TIMEOUT_MS)),
    ]);
    closed.abort();
    this.#isClosed = true;
    if (timedOutAfterMs !== null) {
      onEnding();
      onTimeout(timedOutAfterMs);
      app.exit(0);
      return;
    }
    if (!installUpdate()) app.quit();
  }
}
