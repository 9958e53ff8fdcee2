import type { Account } from '../accounts/account.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { FinishedVideo, TitledVideo, Video } from './video.ts';

/** An account's use of its quota in the current cycle. */
export interface QuotaStatus {
  /** Videos of this cycle that are queued, rendering or done. */
  readonly used: number;
  readonly limit: number;
  /** When the cycle ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** The quota status with unfinished videos counted separately (service-api.md §8.3). */
export interface QuotaUse extends QuotaStatus {
  /** Queued or rendering: part of `used`, and released if rendering fails. */
  readonly held: number;
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'quota-exceeded'; readonly quota: QuotaStatus }
  /** The next video is accepted from `until` on; milliseconds since the epoch. */
  | { readonly kind: 'too-many-failures'; readonly until: number }
  /** An uploaded image was deleted after the storyboard was checked. */
  | { readonly kind: 'image-missing' }
  | { readonly kind: 'disk-full' };

/** One page of an account's videos. Pages count from 1. */
export interface VideoPage {
  readonly videos: readonly TitledVideo[];
  readonly page: number;
  readonly pages: number;
}

/**
 * The stored videos, which are both the durable render queue and the record of quota use. A video
 * counts in the cycle in which it was accepted, unless its rendering failed: the number of rows is
 * the used quota, and no counter can disagree with it (service-api.md §4.1, §8.3).
 */
export interface VideoRepository {
  /**
   * Queues a video if the account has quota left, and has not reached the limit of failed videos
   * (`failureLimitOf`). The check, the video and its render job are one transaction, so concurrent
   * requests cannot exceed the quota.
   */
  accept(account: Account, storyboard: Storyboard, durationSeconds: number): Awaitable<Acceptance>;
  quotaUse(account: Account): Awaitable<QuotaUse>;
  /** The account's video; `undefined` for unknown identifiers and other accounts' videos alike. */
  find(account: Account, id: string): Awaitable<Video | undefined>;
  /** A finished video of any account, for signed links. */
  findFinished(id: string): Awaitable<FinishedVideo | undefined>;
  /** The account's video with its title; like {@link find}. */
  findTitled(account: Account, id: string): Awaitable<TitledVideo | undefined>;
  /**
   * The account's videos, newest first. A page number beyond the last page returns the last one.
   */
  list(account: Account, page: number, videosPerPage: number): Awaitable<VideoPage>;
  /** The video's position in the queue; 1 is next. */
  queuePosition(id: string): Awaitable<number>;
  /**
   * Whether a video has expired. Stays true once its files are deleted, even if the clock goes
   * back.
   */
  hasExpired(video: FinishedVideo): boolean;
  /** Identifiers of expired and failed videos whose files may still exist. */
  expired(): Awaitable<readonly string[]>;
  /**
   * Call it only after the files were deleted durably: later sweeps skip these videos. One that had
   * not expired yet expires now.
   */
  markFilesRemoved(ids: readonly string[]): Awaitable<void>;
}
