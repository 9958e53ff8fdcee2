import { backoff } from '../backoff.ts';
import type { Random } from '../clock.ts';
import type { Cause } from './range-response.ts';

/** Attempts in a row without a new byte after which a download waits for longer. */
const MAX_ATTEMPTS = 8;
/** Useless responses in a row after which the server is not asked again. */
const MAX_REJECTS = 4;
/** Responses to a Range in a row that make no sense, after which the whole file is requested. */
const MAX_BAD_RANGES = 2;

/**
 * Counts what went wrong with a transfer in a row, and decides what is still worth trying. Counters
 * are reset only when the file grows beyond its longest length so far, so that a server that cuts
 * every response at the same byte cannot occupy a transfer for ever.
 */
export class Retries {
  #farthest: number;
  #attempts = 0;
  #rejects = 0;
  #hasRenewed = false;
  #isForWhole = false;

  /** @param offset bytes that the part has at first */
  constructor(offset: number) {
    this.#farthest = offset;
  }

  /** Whether a link was renewed, and no new byte came since. */
  get hasRenewed(): boolean {
    return this.#hasRenewed;
  }

  /** Whether to request the whole file, because its parts were of no use. */
  get isForWhole(): boolean {
    return this.#isForWhole;
  }

  get areUsedUp(): boolean {
    return this.#attempts >= MAX_ATTEMPTS;
  }

  /** The part grew to this offset. */
  grew(offset: number): void {
    if (offset <= this.#farthest) return;
    this.#farthest = offset;
    this.#attempts = 0;
    this.#rejects = 0;
    this.#hasRenewed = false;
    this.#isForWhole = false;
  }

  renewed(): void {
    this.#hasRenewed = true;
  }

  /** The part was useless, and begins again at 0. */
  restarted(): void {
    this.#attempts += 1;
  }

  /**
   * A response was useless.
   * @returns whether to ask the server again
   */
  rejected(cause: Cause): boolean {
    this.#rejects += 1;
    if (cause.startsWith('range-') && this.#rejects >= MAX_BAD_RANGES) this.#isForWhole = true;
    return this.#rejects < MAX_REJECTS;
  }

  /**
   * Counts one more attempt that brought nothing.
   * @param requestedMs the wait that the server asks for; `null` if it does not
   * @returns milliseconds until the next one
   */
  nextWait(requestedMs: number | null, random: Random): number {
    this.#attempts += 1;
    // A server that sends a wait of 0 is not asked eight times in a row at once.
    return requestedMs !== null && requestedMs > 0
      ? requestedMs
      : backoff('transfer', this.#attempts, random);
  }
}
