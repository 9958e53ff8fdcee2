import type { DatabaseSync } from 'node:sqlite';
import { AccountStore } from '../accounts/account-store.ts';
import type { KeyStore } from '../accounts/key-store.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { Clock } from '../clock.ts';
import type { SignedUrls } from '../videos/signed-urls.ts';
import type { RenderQueue } from '../videos/render-queue.ts';
import type { VideoFiles } from '../videos/video-files.ts';
import type { VideoStore } from '../videos/video-store.ts';
import { Gallery } from './gallery.ts';
import { Attempts } from './identity/attempts.ts';
import { KnownBrowsers } from './identity/known-browsers.ts';
import { PasswordStore } from './identity/password-store.ts';
import type { HashParameters } from './identity/passwords.ts';
import { SessionStore } from './identity/session-store.ts';
import type { ImageStore } from './images/image-store.ts';
import type { StudioParts } from './studio.ts';

/** What the studio shares with the API. */
export interface SharedParts {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly keys: KeyStore;
  readonly limits: RateLimits;
  readonly videos: VideoStore;
  readonly files: VideoFiles;
  readonly queue: RenderQueue;
  readonly links: SignedUrls;
  readonly images: ImageStore;
  readonly passwordHashing: HashParameters | undefined;
}

/** Adds to what is shared what the studio has for itself. */
export function studioPartsOf({ passwordHashing, ...shared }: SharedParts): StudioParts {
  const { database, clock, videos } = shared;
  return {
    ...shared,
    accounts: new AccountStore(database, clock),
    passwords: new PasswordStore(database, passwordHashing),
    sessions: new SessionStore(database, clock),
    browsers: new KnownBrowsers(database, clock),
    attempts: new Attempts(clock),
    gallery: new Gallery(database, clock, videos),
  };
}
