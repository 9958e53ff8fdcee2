import { parseRateHeaders } from '../../src/engine/pacing/rate-headers.ts';
import { RateWindow } from '../../src/engine/pacing/rate-window.ts';
import {
  rateWindowStateSchema,
  type RateLimit,
} from '../../src/engine/pacing/rate-window-state.ts';
import {
  rateResponse,
  type InstantFormat,
  type RateDialect,
  type RateServer,
} from './rate-servers.ts';

export interface PacedClientOptions {
  limit: RateLimit;
  server: RateServer;
  format: InstantFormat;
  dialect?: RateDialect;
  /** Service time − local time, in milliseconds. */
  skewMs: number;
  /** Times from sending to arrival, and from arrival to the response; called once per request. */
  latency: () => { thereMs: number; backMs: number };
  startAt: number;
}

export interface SentRequest {
  /** When it arrived, in true time, which is the service's. */
  arrivedAt: number;
  accepted: boolean;
}

/**
 * A client that sends requests through a rate window one after another, as fast as the window
 * allows. True time is the service's; the client sees only its own clock.
 */
export class PacedClient {
  window: RateWindow;
  readonly sent: SentRequest[] = [];
  /** True time. */
  at: number;
  skewMs: number;
  readonly #options: PacedClientOptions;

  constructor(options: PacedClientOptions) {
    this.#options = options;
    this.window = new RateWindow(options.limit);
    this.at = options.startAt;
    this.skewMs = options.skewMs;
  }

  get local(): number {
    return this.at - this.skewMs;
  }

  /**
   * Waits as the window says, checks again afterwards, sends one request and reports its response.
   */
  sendOne(): SentRequest {
    this.#wait();
    const { server, format, dialect, latency } = this.#options;
    const { thereMs, backMs } = latency();
    const charge = this.window.reserve(this.local);
    const sentAt = this.local;
    this.at += thereMs;
    const verdict = server.ask(this.at);
    const response = rateResponse(verdict, this.at, format, dialect);
    const request = { arrivedAt: this.at, accepted: verdict.accepted };
    this.sent.push(request);
    this.at += backMs;
    this.window.answered(charge, {
      status: response.status,
      headers: parseRateHeaders(response.header, response.body),
      sentAt,
      receivedAt: this.local,
    });
    return request;
  }

  /**
   * Waits as the window says and sends one request whose response has no limit headers, or is lost.
   * @param isCounted whether the service counts it
   */
  loseOne(isCounted: boolean): void {
    this.#wait();
    const { server, latency } = this.#options;
    const { thereMs, backMs } = latency();
    const charge = this.window.reserve(this.local);
    this.at += thereMs;
    if (isCounted) {
      this.sent.push({ arrivedAt: this.at, accepted: server.ask(this.at).accepted });
    }
    this.at += backMs;
    this.window.unanswered(charge, this.local);
  }

  /** Ends the process and restarts it from its stored state. */
  restart(): void {
    const stored: unknown = JSON.parse(JSON.stringify(this.window.state));
    this.window = new RateWindow(this.#options.limit, rateWindowStateSchema.parse(stored));
  }

  /** The user sets the computer's clock. */
  setClock(byMs: number, noticed: boolean): void {
    this.skewMs -= byMs;
    if (noticed) this.window.clockDiverged(byMs);
  }

  get refusals(): number {
    return this.sent.filter(({ accepted }) => !accepted).length;
  }

  #wait(): void {
    for (let wait = this.window.wait(this.local); wait > 0; wait = this.window.wait(this.local)) {
      this.at += wait;
    }
  }
}
