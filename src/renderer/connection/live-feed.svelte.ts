import type { Client } from '../../contract/contract.ts';
import type { Update } from '../../contract/summary.ts';
import type { PointerReleased } from './pointer-press.ts';

/**
 * Why there is no connection: nothing answers at the page's address (`not-running`), Spool was
 * restarted and has another address (`moved`), something answers that is not Spool (`unverified`),
 * or the cause is unknown.
 */
export type ConnectionLoss = 'not-running' | 'moved' | 'unverified' | 'unknown';

/** What a feed needs from the browser; tests pass fakes. */
export interface FeedEnvironment {
  /** Finds out why there is no connection. Never rejects. */
  connectionLoss(): Promise<ConnectionLoss>;
  /** Settles after `milliseconds`, or as soon as `signal` is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
  readonly pointerReleased: PointerReleased;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

/**
 * Watches the engine. After a lost connection, it resumes from the last update, with exponential
 * backoff and jitter.
 */
export class LiveFeed {
  /** `connecting` until the first update; `lost` while there is no connection after that. */
  status = $state<'connecting' | 'live' | 'lost'>('connecting');
  /** Why there is no connection; without meaning while there is one. */
  loss = $state<ConnectionLoss>('unknown');

  readonly #client: Client;
  readonly #environment: FeedEnvironment;
  readonly #onUpdate: (update: Update) => void;
  #failures = 0;
  #lastSeq: number | undefined;
  #waitAbort: AbortController | undefined;

  constructor(client: Client, environment: FeedEnvironment, onUpdate: (update: Update) => void) {
    this.#client = client;
    this.#environment = environment;
    this.#onUpdate = onUpdate;
  }

  /** Watches until the returned function is called. */
  start(): () => void {
    const stop = new AbortController();
    void this.#run(stop.signal);
    return () => {
      stop.abort();
      this.#waitAbort?.abort();
    };
  }

  /** Tries again now instead of at the end of the current wait. */
  tryNow(): void {
    this.#waitAbort?.abort();
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#watch(stop);
      // Before the reason is known: `tryNow` may be called meanwhile.
      const { signal } = (this.#waitAbort = new AbortController());
      const loss = await this.#environment.connectionLoss();
      await this.#environment.pointerReleased();
      this.loss = loss;
      if (this.status === 'live') this.status = 'lost';
      await this.#environment.wait(this.#nextWait(), signal);
    }
  }

  async #watch(stop: AbortSignal): Promise<void> {
    try {
      const since = this.#lastSeq === undefined ? {} : { since: this.#lastSeq };
      for await (const update of await this.#client.watch(since, { signal: stop })) {
        await this.#environment.pointerReleased();
        this.#failures = 0;
        this.#lastSeq = update.seq;
        this.status = 'live';
        this.#onUpdate(update);
      }
    } catch {
      // Whatever the cause, it reconnects. The page shows that it is not connected.
      this.#failures += 1;
    }
  }

  #nextWait(): number {
    const longest = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, this.#failures - 1));
    return longest * (0.5 + this.#environment.random() / 2);
  }
}
