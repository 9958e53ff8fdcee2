import type { Account } from '../accounts/account.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { FinishedVideo, TitledVideo, Video } from './video.ts';

/** What an account has used of its quota in the present cycle. */
export interface QuotaStatus {
  /** Videos made, or being made, in this cycle. */
  readonly used: number;
  readonly limit: number;
  /** When the cycle ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** The quota of an account, with the videos that are still being rendered (service-api.md §8.3). */
export interface QuotaUse extends QuotaStatus {
  /** Waiting or rendering: part of `used`, and given back if rendering fails. */
  readonly held: number;
}

export type Acceptance =
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'quota-exceeded'; readonly rateLimitStatus: QuotaStatus }
  /** An uploaded image was deleted after the storyboard was checked. */
  | { readonly kind: 'image-missing' }
  | { readonly kind: 'disk-full' };

/** One page of what an account has made. Pages count from 1. */
export interface VideoPage {
  readonly videos: readonly TitledVideo[];
  readonly page: number;
  readonly pages: number;
}

/**
 * The stored videos: at once the durable queue of renders and the record of quota use. A video
 * counts against the cycle in which it was accepted unless its rendering failed, so that the count
 * of rows is the quota used, with nothing to keep in step (service-api.md §4.1, §8.3).
 */
export interface VideoRepository {
  /**
   * Queues a video if the account's quota has room. The check, the video and its render job are one
   * transaction, so that concurrent requests cannot exceed the quota.
   */
  accept(account: Account, storyboard: Storyboard, durationSeconds: number): Awaitable<Acceptance>;
  quotaUse(account: Account): Awaitable<QuotaUse>;
  /** The account's video; `undefined` alike for unknown identifiers and for other people's. */
  find(account: Account, id: string): Awaitable<Video | undefined>;
  /** A finished video of any account: for links that carry their own permission. */
  findFinished(id: string): Awaitable<FinishedVideo | undefined>;
  /** The account's video with its title; like {@link find}. */
  findTitled(account: Account, id: string): Awaitable<TitledVideo | undefined>;
  /** The account's videos, the newest first. A page beyond the last one is the last one. */
  list(account: Account, page: number, videosOnAPage: number): Awaitable<VideoPage>;
  /** How many videos are in line up to this one, itself included: 1 is next. */
  positionInLine(id: string): Awaitable<number>;
  /** Whether a video is kept no longer. Once its files are deleted, no clock brings it back. */
  hasExpired(video: FinishedVideo): boolean;
  /** Expired and failed videos that files may still exist of. */
  expired(): Awaitable<readonly string[]>;
  /** Call this only after the files were deleted durably: no sweep looks for them afterwards. */
  markFilesRemoved(ids: readonly string[]): Awaitable<void>;
}
