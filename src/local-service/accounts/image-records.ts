import type { Awaitable } from '../awaitable.ts';
import type { Account } from './account.ts';

export interface NewImage {
  readonly id: string;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
  /** Width times height, as the header of the image says. */
  readonly pixels: number;
}

/** Which uploaded images an account has. */
export interface ImageRecords {
  /** @returns the identifier of the image: an earlier one when the account has it already */
  add(account: Account, image: NewImage): Awaitable<string>;
  /**
   * Pixels of the account's image; `undefined` when it has none of this identifier, `null` for an
   * image of before pixels were counted.
   */
  pixelsOf(account: Account, id: string): Awaitable<number | null | undefined>;
  /**
   * Removes the account's oldest images beyond `keep`, but none that a video under way still needs.
   *
   * @returns the identifiers of what it removed
   */
  removeOldest(account: Account, keep: number): Awaitable<readonly string[]>;
}
