import type { Clock } from '../clock.ts';

/** How long a job whose server is blocked holds up the jobs whose server is not known. */
const HOLD_MS = 600_000;

interface Hold {
  readonly host: string;
  /** On the monotonic clock, as `until`. */
  readonly since: number;
  readonly until: number;
}

/**
 * Holds up jobs whose server is not known while a server's address is not allowed. Where a link
 * leads is not known before it is requested, so one job every ten minutes requests a link, to see
 * whether it leads to another server. If it does, the hold ends. In memory only.
 */
export class BlockedServer {
  readonly #clock: Clock;
  #hold: Hold | null = null;
  /** Whether links also lead to servers that are not blocked. */
  #leadsElsewhere = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Its name; `null` when there is no hold. */
  get host(): string | null {
    return this.left() > 0 ? (this.#hold?.host ?? null) : null;
  }

  /** Milliseconds until a job whose server is not known may request a link; 0 is now. */
  left(): number {
    return Math.max(0, (this.#hold?.until ?? 0) - this.#clock.monotonic());
  }

  /**
   * A link led to a server whose address is not allowed.
   * @param isFirst no other job waits for such a server
   */
  found(host: string, isFirst: boolean): void {
    if (isFirst) this.#leadsElsewhere = false;
    if (!this.#leadsElsewhere) this.#holdOthers(host);
  }

  /**
   * A job that was held up requests a link; the others wait for its result.
   * @returns false when there is no hold
   */
  beginProbe(): boolean {
    if (this.#hold) this.#holdOthers(this.#hold.host);
    return this.#hold !== null;
  }

  /**
   * Bytes came from a server that a link led to.
   * @param since when the transfer began: one from before the hold may use a connection to the
   *   blocked server that is older than the block
   * @returns true when this ends the hold
   */
  reached(host: string, since: number): boolean {
    if (this.#hold === null) return false;
    if (host === this.#hold.host && since < this.#hold.since) return false;
    this.#leadsElsewhere = host !== this.#hold.host;
    this.#hold = null;
    return true;
  }

  allow(): void {
    this.#hold = null;
  }

  #holdOthers(host: string): void {
    const since = this.#clock.monotonic();
    this.#hold = { host, since, until: since + HOLD_MS };
  }
}
