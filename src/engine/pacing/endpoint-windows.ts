import { type RateHeaderNames, NO_RATE_HEADERS, parseRateHeaders } from './rate-headers.ts';
import type { RateResponse, RateView, RateWindow } from './rate-window.ts';
import type { Charge } from './rate-window-state.ts';
import type { SendTimes } from './send-forecast.ts';
import type { ClockOffset } from './server-clock.ts';

/** One request, as it is counted in each window of its endpoint. */
export type Charges = readonly Charge[];

/** A window that counts the requests of an endpoint. */
export interface EndpointWindow {
  readonly name: string;
  readonly window: RateWindow;
  /** The headers that describe it; `null` when none does. */
  readonly headers: RateHeaderNames | null;
}

/** A response, before its headers are read. Moments are epoch ms by the local wall clock. */
export interface LimitResponse {
  readonly status: number;
  /** Looks up a header by lower-case name. */
  readonly header: (name: string) => string | null | undefined;
  /** The parsed JSON body, if there was one. */
  readonly body: unknown;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * All rate windows that count the requests to one endpoint: its own, and those that it shares with
 * other endpoints. A request leaves when each of them has room.
 *
 * A window that no header describes uses a strict log of our requests. A 429 says that one window
 * is used up: the one whose headers say so, otherwise the first. The others count the request,
 * since it is not known which of them the service checked first.
 */
export class EndpointWindows {
  readonly windows: readonly [EndpointWindow, ...EndpointWindow[]];

  constructor(windows: readonly [EndpointWindow, ...EndpointWindow[]]) {
    this.windows = windows;
  }

  /** Milliseconds until a request may be sent; 0 is now. */
  wait(now: number): number {
    return Math.max(...this.windows.map(({ window }) => window.wait(now)));
  }

  /** Counts a request that is about to be sent. */
  reserve(now: number): Charges {
    return this.windows.map(({ window }) => window.reserve(now));
  }

  /** The request certainly never left. */
  release(charges: Charges): void {
    this.#each(charges, (window, charge) => window.release(charge));
  }

  unanswered(charges: Charges, now: number): void {
    this.#each(charges, (window, charge) => window.unanswered(charge, now));
  }

  /** @param isRefusal whether a limit of requests refused it, and not something else with a 429 */
  answered(charges: Charges, response: LimitResponse, isRefusal = response.status === 429): void {
    const read = this.windows.map((each) => readResponse(response, each));
    const usedUp = read.findIndex(({ headers }) => headers.remaining === 0);
    const refusing = isRefusal ? Math.max(0, usedUp) : -1;
    this.#each(charges, (window, charge, index) => {
      const said = read[index];
      if (said !== undefined) window.answered(charge, said, index === refusing);
    });
  }

  get clockOffset(): ClockOffset | null {
    return this.windows[0].window.clockOffset;
  }

  /** Of the window that admits the next request last; of several, the one with the lowest limit. */
  view(now: number): RateView {
    const views = this.windows.map(({ window }) => window.view(now));
    const isTighter = (one: RateView, other: RateView): boolean =>
      one.nextAt === other.nextAt ? left(one) < left(other) : one.nextAt > other.nextAt;
    return views.reduce((found, each) => (isTighter(each, found) ? each : found));
  }

  /** The future requests, if others use as much as was observed, at least `gapMs` apart. */
  forecast(now: number, gapMs: number): SendTimes {
    const [first] = this.windows;
    if (this.windows.length === 1) return first.window.forecast(now, gapMs);
    return new JointTimes(this.windows.map(({ window }) => window.forecast(now, gapMs)));
  }

  #each(charges: Charges, act: (window: RateWindow, charge: Charge, index: number) => void): void {
    for (const [index, { window }] of this.windows.entries()) {
      const charge = charges[index];
      if (charge !== undefined) act(window, charge, index);
    }
  }
}

/** A response, for windows of other endpoints: they learn only the service's time from it. */
export function timeResponse({ status, header, sentAt, receivedAt }: LimitResponse): RateResponse {
  const { date } = parseRateHeaders(header);
  return { status, headers: { ...NO_RATE_HEADERS, date }, sentAt, receivedAt };
}

function left({ remaining, limit }: RateView): number {
  return remaining ?? limit;
}

function readResponse(
  response: LimitResponse,
  { window, headers: names }: EndpointWindow,
): RateResponse {
  if (names === null) return timeResponse(response);
  const { status, header, body, sentAt, receivedAt } = response;
  const refusal = status === 429 ? body : undefined;
  const { windowMs } = window;
  const headers = parseRateHeaders(header, refusal, { names, windowMs, receivedAt });
  return { status, headers, sentAt, receivedAt };
}

/** Requests that must pass several windows. */
class JointTimes implements SendTimes {
  readonly #all: readonly SendTimes[];

  constructor(all: readonly SendTimes[]) {
    this.#all = all;
  }

  peek(from: number): number {
    return this.#all.reduce((at, each) => Math.max(at, each.peek(from)), from);
  }

  next(from = -Infinity): number {
    const at = this.peek(from);
    for (const each of this.#all) each.next(at);
    return at;
  }
}
