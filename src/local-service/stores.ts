import type { Accounts } from './accounts/accounts.ts';
import type { ApiKeys } from './accounts/api-keys.ts';
import type { ImageRecords } from './accounts/image-records.ts';
import type { KnownBrowsers } from './accounts/known-browsers.ts';
import type { PasswordRecords } from './accounts/password-records.ts';
import type { RequestCounters } from './accounts/request-counters.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { RenderJobs } from './videos/render-jobs.ts';
import type { VideoRepository } from './videos/video-repository.ts';

/** The stores that the account commands use. */
export interface AccountStores {
  readonly accounts: Accounts;
  readonly keys: ApiKeys;
  readonly passwords: PasswordRecords;
  readonly videos: VideoRepository;
}

/** Everything that a service stores besides files. Its users do not know which database is used. */
export interface Stores extends AccountStores {
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly images: ImageRecords;
  readonly counters: RequestCounters;
  readonly jobs: RenderJobs;
  /** The key that links are signed with: generated once, and the same for all processes. */
  readonly linkSecret: Uint8Array;
}
