import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { FileKind } from './video-files.ts';

/** service-api.md §2.3, §8.5. */
const LINK_LIFE_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const MAX_CACHED_POSTERS = 1000;

/** The parts of a link that are checked. */
export interface LinkClaim {
  readonly kind: FileKind;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly signature: string;
}

/** A link without the service's origin. */
export interface Link {
  readonly pathAndQuery: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type UrlCheck = 'valid' | 'expired' | 'forged';

/** Creates and checks signed links, which work without an API key. */
export class SignedUrls {
  readonly #secret: KeyObject;
  readonly #clock: Clock;
  readonly #posters = new Map<string, Link>();
  #minute = 0;

  /** @param secret stored in the database, so that links stay valid after a restart */
  constructor(secret: Uint8Array, clock: Clock) {
    this.#secret = createSecretKey(secret);
    this.#clock = clock;
  }

  /** A link to a video, valid for one hour. */
  toVideo(id: string): Link {
    return this.#create('video', id, this.#clock.now() + LINK_LIFE_MS);
  }

  /**
   * A link to a poster, valid for at least one hour. It stays the same for a minute, so that a page
   * does not fetch the poster with every poll.
   */
  toPoster(id: string): Link {
    const minute = Math.ceil(this.#clock.now() / MINUTE_MS) * MINUTE_MS;
    if (minute !== this.#minute || this.#posters.size >= MAX_CACHED_POSTERS) {
      this.#minute = minute;
      this.#posters.clear();
    }
    const cached = this.#posters.get(id);
    if (cached) return cached;
    const link = this.#create('poster', id, minute + LINK_LIFE_MS);
    this.#posters.set(id, link);
    return link;
  }

  #create(kind: FileKind, id: string, expiresAt: number): Link {
    const signature = this.#sign(kind, id, expiresAt);
    const pathAndQuery = `/files/${kind}/${id}?expires=${expiresAt}&signature=${signature}`;
    return { pathAndQuery, expiresAt };
  }

  /** Checks the signature first, so that a forged link reveals nothing. */
  check(claim: LinkClaim): UrlCheck {
    // Compared as text: several texts decode to the same bytes, but only one is canonical.
    const expected = Buffer.from(this.#sign(claim.kind, claim.id, claim.expiresAt));
    const presented = Buffer.from(claim.signature);
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) {
      return 'forged';
    }
    return this.#clock.now() < claim.expiresAt ? 'valid' : 'expired';
  }

  #sign(kind: FileKind, id: string, expiresAt: number): string {
    const claim = `${kind}/${id}/${expiresAt}`;
    return createHmac('sha256', this.#secret).update(claim).digest('base64url');
  }
}
