import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { FileKind } from './video-files.ts';

/** service-api.md §2.3, §8.5. */
const LINK_LIFE_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const MAX_POSTERS_KEPT = 1000;

/** What a link must say for itself; everything else about the request is ignored. */
export interface LinkClaim {
  readonly kind: FileKind;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly signature: string;
}

/** A link as it follows the service's origin. */
export interface Link {
  readonly pathAndQuery: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export type UrlCheck = 'valid' | 'expired' | 'forged';

/** Makes and checks links that carry their own permission, so that fetching one needs no key. */
export class SignedUrls {
  readonly #secret: KeyObject;
  readonly #clock: Clock;
  readonly #posters = new Map<string, Link>();
  #minute = 0;

  /** @param secret kept with the data, so that links outlive a restart */
  constructor(secret: Uint8Array, clock: Clock) {
    this.#secret = createSecretKey(secret);
    this.#clock = clock;
  }

  /** A link to a video from now on for one hour. */
  toVideo(id: string): Link {
    return this.#make('video', id, this.#clock.now() + LINK_LIFE_MS);
  }

  /**
   * A link to a poster for at least one hour. It is the same all through a minute, so that a page
   * that shows it need not fetch it with every poll.
   */
  toPoster(id: string): Link {
    const minute = Math.ceil(this.#clock.now() / MINUTE_MS) * MINUTE_MS;
    if (minute !== this.#minute || this.#posters.size >= MAX_POSTERS_KEPT) {
      this.#minute = minute;
      this.#posters.clear();
    }
    const kept = this.#posters.get(id);
    if (kept) return kept;
    const link = this.#make('poster', id, minute + LINK_LIFE_MS);
    this.#posters.set(id, link);
    return link;
  }

  #make(kind: FileKind, id: string, expiresAt: number): Link {
    const signature = this.#sign(kind, id, expiresAt);
    const pathAndQuery = `/files/${kind}/${id}?expires=${expiresAt}&signature=${signature}`;
    return { pathAndQuery, expiresAt };
  }

  /** Judges by the signature first, so that a forged link learns nothing. */
  check(claim: LinkClaim): UrlCheck {
    // As text: several texts decode to the same bytes, and only one of them was made here.
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
