import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

export interface NewImage {
  readonly id: string;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
  /** Width times height, from the image's header. */
  readonly pixels: number;
}

/** Records which uploaded images belong to an account. */
export interface ImageRecords {
  /** @returns the image's identifier: the existing one if the account has the same image already */
  add(account: Account, image: NewImage): Awaitable<string>;
  /** The pixels of the account's image; `undefined` if the account has no such image. */
  pixelsOf(account: Account, id: string): Awaitable<number | undefined>;
  /** The identifiers of the account's latest images, the latest first. */
  latest(account: Account, count: number): Awaitable<readonly string[]>;
  /**
   * Removes the account's oldest images beyond `keep`, except those of queued or rendering videos.
   *
   * @returns the identifiers of the removed images
   */
  removeOldest(account: Account, keep: number): Awaitable<readonly string[]>;
}
