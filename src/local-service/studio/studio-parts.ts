import { BodyMemory, type BodyMemoryLimits } from '../body-memory.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { Clock } from '../clock.ts';
import type { HashParameters } from '../accounts/password-records.ts';
import type { Stores } from '../stores.ts';
import type { RenderMonitor } from '../videos/render-monitor.ts';
import type { SignedUrls } from '../videos/signed-urls.ts';
import type { VideoFiles } from '../videos/video-files.ts';
import { Gallery } from './gallery.ts';
import { Attempts } from './identity/attempts.ts';
import { PasswordService } from './identity/password-service.ts';
import type { ImageStore } from '../videos/image-store.ts';
import type { StudioParts } from './studio.ts';

const MIB = 1024 * 1024;
/** An account may send two of the largest forms at once. */
const UPLOAD_MEMORY: BodyMemoryLimits = { total: 256 * MIB, perAccount: 64 * MIB };

/** The objects that the studio shares with the API. */
export interface SharedParts {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly files: VideoFiles;
  readonly queue: RenderMonitor;
  readonly links: SignedUrls;
  readonly images: ImageStore;
  readonly passwordHashing: HashParameters | undefined;
}

/** Adds the objects that only the studio uses. */
export function studioPartsOf({ stores, passwordHashing, ...shared }: SharedParts): StudioParts {
  const { accounts, keys, sessions, browsers, videos, passwords } = stores;
  return {
    ...shared,
    accounts,
    keys,
    sessions,
    browsers,
    videos,
    passwords: new PasswordService(passwords, passwordHashing),
    attempts: new Attempts(shared.clock),
    gallery: new Gallery(videos),
    uploads: new BodyMemory(UPLOAD_MEMORY),
  };
}
