/**
 * Rate limiters such as a service may have, in the service's own time: they decide about a request
 * and set the headers of the response (`service-api.md §8.2`). They share no code with the tested
 * implementation.
 */
export interface RateServer {
  /** Decides about a request that arrives at `at`; calls are in order of time. */
  ask(at: number): Verdict;
  /** The earliest moment from `at` on at which a request would be accepted. */
  opensAt(at: number): number;
}

export interface Verdict {
  accepted: boolean;
  remaining: number;
  /** `X-RateLimit-Reset`, in epoch ms. */
  resetAt: number;
  /** Milliseconds until a request will be accepted. */
  retryAfterMs: number;
}

export const RATE_SERVER_KINDS = [
  'fixed',
  'anchored',
  'sliding-next',
  'sliding-empty',
  'bucket-next',
  'bucket-full',
] as const;
export type RateServerKind = (typeof RATE_SERVER_KINDS)[number];

/** @param phase of a fixed window, as a share of its length */
export function rateServer(
  kind: RateServerKind,
  limit: number,
  windowMs: number,
  phase = 0,
): RateServer {
  switch (kind) {
    case 'fixed':
      return new FixedWindow(limit, windowMs, phase * windowMs);
    case 'anchored':
      return new AnchoredWindow(limit, windowMs);
    case 'sliding-next':
    case 'sliding-empty':
      return new SlidingWindow(limit, windowMs, kind === 'sliding-empty');
    case 'bucket-next':
    case 'bucket-full':
      return new TokenBucket(limit, windowMs, kind === 'bucket-full');
  }
}

/** Accepts `limit` requests in each window; counts end with their window. */
abstract class CountingWindow implements RateServer {
  protected readonly windowMs: number;
  readonly #limit: number;
  #endsAt = -Infinity;
  #used = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.windowMs = windowMs;
  }

  /** The end of the window that a request at `at` begins. */
  protected abstract endOf(at: number): number;

  ask(at: number): Verdict {
    if (at >= this.#endsAt) {
      this.#endsAt = this.endOf(at);
      this.#used = 0;
    }
    const accepted = this.#used < this.#limit;
    if (accepted) this.#used++;
    return {
      accepted,
      remaining: this.#limit - this.#used,
      resetAt: this.#endsAt,
      retryAfterMs: this.#endsAt - at,
    };
  }

  opensAt(at: number): number {
    return at >= this.#endsAt || this.#used < this.#limit ? at : this.#endsAt;
  }
}

/** Counts reset at fixed times, independent of requests. */
class FixedWindow extends CountingWindow {
  readonly #phaseMs: number;

  constructor(limit: number, windowMs: number, phaseMs: number) {
    super(limit, windowMs);
    this.#phaseMs = phaseMs;
  }

  protected endOf(at: number): number {
    const windows = Math.floor((at - this.#phaseMs) / this.windowMs) + 1;
    return this.#phaseMs + windows * this.windowMs;
  }
}

/** A window begins with the first request after the last one ended. */
class AnchoredWindow extends CountingWindow {
  protected endOf(at: number): number {
    return at + this.windowMs;
  }
}

/** A log of accepted requests. The reset is when the oldest leaves it, or when the newest does. */
class SlidingWindow implements RateServer {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #resetWhenEmpty: boolean;
  #log: number[] = [];

  constructor(limit: number, windowMs: number, resetWhenEmpty: boolean) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#resetWhenEmpty = resetWhenEmpty;
  }

  ask(at: number): Verdict {
    this.#forget(at);
    const accepted = this.#log.length < this.#limit;
    if (accepted) this.#log.push(at);
    const named = this.#log.at(this.#resetWhenEmpty ? -1 : 0) ?? at;
    return {
      accepted,
      remaining: this.#limit - this.#log.length,
      resetAt: named + this.#windowMs,
      retryAfterMs: (this.#log[0] ?? at) + this.#windowMs - at,
    };
  }

  opensAt(at: number): number {
    this.#forget(at);
    return this.#log.length < this.#limit ? at : (this.#log[0] ?? at) + this.#windowMs;
  }

  #forget(at: number): void {
    this.#log = this.#log.filter((charge) => charge + this.#windowMs > at);
  }
}

/**
 * The bucket refills evenly. The reset is when the next token comes, or when the bucket is full.
 */
class TokenBucket implements RateServer {
  readonly #limit: number;
  readonly #perTokenMs: number;
  readonly #resetWhenFull: boolean;
  /** When the bucket will be full if no further request comes. */
  #fullAt = -Infinity;

  constructor(limit: number, windowMs: number, resetWhenFull: boolean) {
    this.#limit = limit;
    this.#perTokenMs = windowMs / limit;
    this.#resetWhenFull = resetWhenFull;
  }

  ask(at: number): Verdict {
    const opensAt = this.opensAt(at);
    const accepted = opensAt <= at;
    if (accepted) this.#fullAt = Math.max(this.#fullAt, at) + this.#perTokenMs;
    const missing = (this.#fullAt - at) / this.#perTokenMs;
    const remaining = Math.max(0, Math.floor(this.#limit - missing + 1e-9));
    const nextTokenAt = this.#fullAt - (this.#limit - remaining - 1) * this.#perTokenMs;
    return {
      accepted,
      remaining,
      resetAt: this.#resetWhenFull ? this.#fullAt : nextTokenAt,
      retryAfterMs: Math.max(0, opensAt - at),
    };
  }

  opensAt(at: number): number {
    return Math.max(at, this.#fullAt - (this.#limit - 1) * this.#perTokenMs);
  }
}

/** The formats in which services write times; all three exist. */
export type InstantFormat = 'millis' | 'seconds-floor' | 'seconds-ceil';

function formatInstant(at: number, format: InstantFormat): string {
  switch (format) {
    case 'millis':
      return new Date(at).toISOString();
    case 'seconds-floor':
      return new Date(Math.floor(at / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    case 'seconds-ceil':
      return new Date(Math.ceil(at / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  }
}

/**
 * How a service reports its limit: with the headers of the API document, `X-RateLimit-Reset` as a
 * number, or the IETF's fields in the versions of their drafts.
 */
export const RATE_DIALECTS = [
  'documented',
  'epoch-seconds',
  'epoch-millis',
  'seconds-left',
  'ietf',
  'ietf-07',
  'ietf-06',
] as const;
export type RateDialect = (typeof RATE_DIALECTS)[number];

/** Rounds as a service with this format does. */
function whole(value: number, format: InstantFormat): number {
  switch (format) {
    case 'millis':
      return Math.round(value);
    case 'seconds-floor':
      return Math.floor(value);
    case 'seconds-ceil':
      return Math.ceil(value);
  }
}

function limitHeaders(
  remaining: number,
  resetAt: number,
  at: number,
  format: InstantFormat,
  dialect: RateDialect,
): Record<string, string> {
  const seconds = String(Math.max(0, whole((resetAt - at) / 1000, format)));
  const x = (reset: string): Record<string, string> => ({
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': reset,
  });
  switch (dialect) {
    case 'documented':
      return x(formatInstant(resetAt, format));
    case 'epoch-seconds':
      return x(String(whole(resetAt / 1000, format)));
    case 'epoch-millis':
      return x(String(Math.round(resetAt)));
    case 'seconds-left':
      return x(seconds);
    case 'ietf':
      return { ratelimit: `"default";r=${remaining};t=${seconds}` };
    case 'ietf-07':
      return { ratelimit: `remaining=${remaining}, reset=${seconds}` };
    case 'ietf-06':
      return { 'ratelimit-remaining': String(remaining), 'ratelimit-reset': seconds };
  }
}

/** A verdict as an HTTP response. */
export interface RateResponse {
  status: 200 | 429;
  /** Names in lower case. */
  headers: Record<string, string>;
  header: (name: string) => string | undefined;
  body: unknown;
}

/** @param at when the response is written, by the service's clock */
export function rateResponse(
  verdict: Verdict,
  at: number,
  format: InstantFormat,
  dialect: RateDialect = 'documented',
): RateResponse {
  const remaining = verdict.accepted ? verdict.remaining : 0;
  const headers: Record<string, string> = {
    date: new Date(at).toUTCString(),
    ...limitHeaders(remaining, verdict.resetAt, at, format, dialect),
  };
  const details =
    dialect === 'documented'
      ? { details: { resetAt: formatInstant(verdict.resetAt, format) } }
      : {};
  if (!verdict.accepted) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(verdict.retryAfterMs / 1000)));
  }
  return {
    status: verdict.accepted ? 200 : 429,
    headers,
    header: (name) => headers[name],
    body: verdict.accepted
      ? {}
      : { success: false, message: 'Try later.', code: 'RATE_LIMITED', ...details },
  };
}
