import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { checkLink } from './address-policy.ts';
import type { Connections } from './connections.ts';

/** Bytes that are written to disk in one call. Measured: larger gains nothing, smaller costs CPU. */
export const BATCH_BYTES = 4 * 1024 * 1024;
/** Milliseconds after which a slow connection's bytes are handed over though they fill no batch. */
const FLUSH_AFTER_MS = 250;
/** A connection is given up after this long without an answer or without bytes. */
export const STALL_MS = 30_000;
/** Fewer bytes than this in {@link STALL_MS} are a trickle: a new connection is worth trying. */
const LEAST_BYTES_IN_STALL_MS = 16 * 1024;
const MOST_REDIRECTS = 5;

/** The connection went silent, or nearly so (`downloads.md` fault 26). */
export class StalledError extends Error {
  override readonly name = 'StalledError';
  readonly code = 'stalled';
  constructor() {
    super('The server stopped sending.');
  }
}

/** More redirects than a download follows, or one that leads nowhere. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
  readonly code = 'redirects';
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** An answer whose body is read on demand. Always `close` it. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The origin and path that answered, after redirects. */
  readonly url: URL;
  readonly body: Body;
}

/**
 * Sends a GET and follows redirects by hand: each hop passes the address policy, and only the
 * headers given here are sent (never a key, which this room does not know).
 *
 * @throws `AddressRefusedError` when a hop is not allowed.
 * @throws {StalledError} when nothing answers for {@link STALL_MS}.
 */
export async function open(
  link: string,
  headers: Readonly<Record<string, string>>,
  deps: { readonly connections: Connections; readonly clock: Clock },
  signal: AbortSignal,
): Promise<OpenResponse> {
  let url = checkLink(link, deps.connections.policy);
  for (let hops = 0; ; hops += 1) {
    const body = new Body(deps.clock, signal);
    const { status, headers: received } = await body.request(
      deps.connections.dispatcherFor(url),
      url,
      headers,
    );
    if (status < 300 || status > 399 || status === 304) {
      return { status, headers: received, url, body };
    }
    body.close();
    const location = received.location;
    if (hops === MOST_REDIRECTS) throw new RedirectError('The link redirects too often.');
    if (typeof location !== 'string') throw new RedirectError('The link redirects to nowhere.');
    url = checkLink(location, deps.connections.policy, url);
  }
}

interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/**
 * One request and its body, gathered into batches. Straight on undici's dispatch, because each
 * stream between the socket and the disk costs a tenth of the throughput.
 */
export class Body {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #done = new AbortController();
  readonly #head = Promise.withResolvers<Head>();
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #received = 0;
  #batch = BATCH_BYTES;
  #heldBack = false;
  #end: 'open' | 'ended' | Error = 'open';
  #wake: (() => void) | undefined;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    // The head may be rejected before anyone waits for it.
    this.#head.promise.catch(() => undefined);
  }

  request(dispatcher: Dispatcher, url: URL, headers: Readonly<Record<string, string>>) {
    const onAbort = (): void => this.#fail(this.#signal.reason as Error);
    if (this.#signal.aborted) onAbort();
    else {
      this.#signal.addEventListener('abort', onAbort, { signal: this.#done.signal });
      void this.#watch();
      dispatcher.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method: 'GET', headers },
        {
          onRequestStart: (controller) => {
            this.#controller = controller;
            if (this.#end instanceof Error) controller.abort(this.#end);
          },
          onResponseStart: (_controller, status, received) => {
            if (status >= 200) this.#head.resolve({ status, headers: received });
          },
          onResponseData: (_controller, chunk) => this.#gather(chunk),
          onResponseEnd: () => this.#finish('ended'),
          onResponseError: (_controller, error) => this.#fail(error),
        },
      );
    }
    return this.#head.promise;
  }

  /**
   * The bytes that came since the last call, or `undefined` at the end of the body. Waits for a
   * full batch, but not longer than a quarter of a second once there is something.
   *
   * @param batch the most bytes to gather; a bandwidth limit makes it small.
   * @throws whatever ended the connection early, after all bytes before it were handed over.
   */
  async take(batch = BATCH_BYTES): Promise<Buffer[] | undefined> {
    this.#batch = batch;
    while (this.#buffered === 0 && this.#end === 'open') await this.#more();
    if (this.#buffered < batch && this.#end === 'open') {
      const timer = new AbortController();
      const late = this.#clock.sleep(FLUSH_AFTER_MS, timer.signal).then(
        () => true,
        () => false,
      );
      let isLate = false;
      while (!isLate && this.#isFilling()) {
        isLate = await Promise.race([late, this.#more().then(() => false)]);
      }
      timer.abort();
    }
    if (this.#buffered > 0) {
      const chunks = this.#chunks;
      this.#chunks = [];
      this.#buffered = 0;
      this.#controller?.resume();
      return chunks;
    }
    if (this.#end instanceof Error) throw this.#end;
    return undefined;
  }

  /** Bytes of this body that have come from the network so far. */
  get received(): number {
    return this.#received;
  }

  /** Ends the connection unless the body was read to its end. */
  close(): void {
    this.#fail(new Error('closed'));
    this.#chunks = [];
    this.#buffered = 0;
  }

  #isFilling(): boolean {
    return this.#buffered < this.#batch && this.#end === 'open';
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #gather(chunk: Buffer): void {
    const wasEmpty = this.#buffered === 0;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    this.#received += chunk.length;
    if (this.#buffered >= this.#batch) {
      this.#heldBack = true;
      this.#controller?.pause();
    }
    if (wasEmpty || this.#buffered >= this.#batch) this.#wake?.();
  }

  #finish(end: 'ended' | Error): void {
    if (this.#end !== 'open') return;
    this.#end = end;
    this.#done.abort();
    this.#wake?.();
  }

  #fail(error: Error): void {
    const wasOpen = this.#end === 'open';
    this.#finish(error);
    if (!wasOpen) return;
    this.#head.reject(error);
    this.#controller?.abort(error);
  }

  /** Gives the connection up when it goes silent. Time in which we held it back does not count. */
  async #watch(): Promise<void> {
    for (let last = 0; this.#end === 'open'; last = this.#received) {
      this.#heldBack = this.#controller?.paused ?? false;
      try {
        await this.#clock.sleep(STALL_MS, this.#done.signal);
      } catch {
        return;
      }
      if (!this.#heldBack && this.#received - last < LEAST_BYTES_IN_STALL_MS) {
        this.#fail(new StalledError());
      }
    }
  }
}
