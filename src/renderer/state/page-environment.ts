import type { FeedEnvironment } from '../connection/live-feed.svelte.ts';
import type { KeyTarget } from './key-queue.ts';
import type { BrowserNotifications } from './notifier.svelte.ts';

/** What the page needs from the browser it runs in. */
export interface PageEnvironment extends FeedEnvironment {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly languages: readonly string[];
  /** Whether shortcuts are shown with ⌘. */
  readonly onMac: boolean;
  /** On Linux, the keychain is a package that can be missing. */
  readonly onLinux: boolean;
  readonly notifications: BrowserNotifications;
  readonly keys: KeyTarget;
  /** How long a toast of success is shown, in milliseconds. */
  readonly successToastMs: number;
  now(): number;
  /** What the page of an ended run passed on, by `continueWith`. */
  readonly parameters: Pick<URLSearchParams, 'get'>;
  /** Opens the page of the current run, after the loss `moved`. */
  continueWith(parameters: Readonly<Record<string, string>>): void;
  /** URL of a saved video, for the page only. */
  fileAddress(jobId: string): string;
  /** URL of a saved video's picture; there may be none. */
  posterAddress(jobId: string): string;
  /** Offers a text file as a download. */
  saveFile(name: string, type: string, pieces: readonly (string | Uint8Array<ArrayBuffer>)[]): void;
}
