import type { SendTimes } from './send-forecast.ts';

/**
 * The moments at which a rate window that is shared with other clients will admit requests. Their
 * use since the last response is unknown until the next one, so requests that need not wait by that
 * response are forecast without a wait: otherwise the forecast of a short batch would be wrong by a
 * multiple of its length. From the first request on that has to wait, use by others counts, also
 * their use before it.
 */
export class SharedForecast implements SendTimes {
  /** Ignores other clients; `null` once a request has to wait. */
  #unshared: SendTimes | null;
  readonly #shared: SendTimes;
  readonly #gapMs: number;
  /** When the next request could be made, if the window had room for it. */
  #readyAt: number;

  /** @param shared the same requests, with the use by others */
  constructor(unshared: SendTimes, shared: SendTimes, now: number, gapMs: number) {
    this.#unshared = unshared;
    this.#shared = shared;
    this.#readyAt = now;
    this.#gapMs = gapMs;
  }

  peek(from = -Infinity): number {
    const at = Math.max(from, this.#readyAt);
    return this.#goesAtOnce(at) ? at : this.#shared.peek(at);
  }

  next(from = -Infinity): number {
    const readyAt = Math.max(from, this.#readyAt);
    if (!this.#goesAtOnce(readyAt)) this.#unshared = null;
    const sharedAt = this.#shared.next(readyAt);
    const at = this.#unshared === null ? sharedAt : this.#unshared.next(readyAt);
    this.#readyAt = at + this.#gapMs;
    return at;
  }

  #goesAtOnce(at: number): boolean {
    return this.#unshared !== null && this.#unshared.peek(at) <= at;
  }
}
