import type { Link } from '../link.ts';

/** Links that are kept at a time; a dropped one comes again with the status. */
const MAX_LINKS = 1000;

/**
 * Links that came with the status of finished videos, by the video's identifier. In memory: after a
 * restart they are requested again.
 */
export class KnownLinks {
  /** The oldest first. */
  readonly #links = new Map<string, Link>();

  remember(remoteId: string, link: Link): void {
    this.#links.delete(remoteId);
    this.#links.set(remoteId, link);
    const [oldest] = this.#links.keys();
    if (this.#links.size > MAX_LINKS && oldest !== undefined) this.#links.delete(oldest);
  }

  /**
   * A link that is still valid; `null` if there is none.
   * @param now by the service's clock, milliseconds since the epoch
   */
  find(remoteId: string, now: number): Link | null {
    const link = this.#links.get(remoteId);
    if (link === undefined) return null;
    return link.expiresAt === null || now < link.expiresAt ? link : null;
  }

  forget(remoteId: string): void {
    this.#links.delete(remoteId);
  }
}
