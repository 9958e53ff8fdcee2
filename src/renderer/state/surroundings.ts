import type { FeedSurroundings } from '../connection/live-feed.svelte.ts';
import type { KeyTarget } from './key-queue.ts';
import type { NotificationPlace } from './notifier.svelte.ts';

/** What the page needs of the browser it runs in. */
export interface Surroundings extends FeedSurroundings {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly languages: readonly string[];
  /** Whether ⌘ is the key that commands are given with. */
  readonly onMac: boolean;
  /** Where a keychain is a package that can be missing. */
  readonly onLinux: boolean;
  readonly notifications: NotificationPlace;
  readonly keys: KeyTarget;
  /** How long good news is shown, in milliseconds. */
  readonly goodNewsMs: number;
  now(): number;
  /** Where a saved video can be played from, for the page alone. */
  fileAddress(jobId: string): string;
  /** Where its picture is; there may be none. */
  posterAddress(jobId: string): string;
  /** Offers a text file as a download. */
  saveFile(name: string, type: string, pieces: readonly string[]): void;
}
