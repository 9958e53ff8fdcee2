import type { UserMessage } from '../../contract/user-message.ts';
import type { Clock, Random } from '../clock.ts';
import type { KeyForFile, Link } from '../link.ts';
import type { Trace } from '../logger.ts';
import type { BandwidthLimit } from './bandwidth.ts';
import type { Connections } from './connections.ts';
import type { DiskRoom } from './disk.ts';
import type { Failed } from './download-failures.ts';
import type { PartLocks } from './part-locks.ts';
import type { Collision } from '../../contract/batch.ts';
import type { Progress } from './progress.ts';

/** Why a new link is asked for. */
export type LinkCause = 'expired' | 'refused';

/** The result of requesting a new link, which counts against 30 an hour (`service-api.md §8.1`). */
export type LinkRenewal =
  | { readonly kind: 'link'; readonly link: Link }
  /** None before `until` (milliseconds since the epoch, this computer's clock); `null`: unknown. */
  | {
      readonly kind: 'wait';
      readonly reason: 'link-limit' | 'no-link';
      readonly until: number | null;
    };

export interface DownloadRequest {
  readonly link: Link;
  /**
   * The video's identifier at the service, whatever link leads to it. A part of another video at
   * the same target is not resumed. Without it, only validators and sizes distinguish files.
   */
  readonly video?: string;
  /** Absolute path of the finished file. Its folder is created. */
  readonly target: string;
  /** Decided before the first byte; it also applies if another file appears meanwhile. */
  readonly onCollision: Collision;
  /** Called at most once for each cause: again only after the new link has delivered bytes. */
  readonly renewLink?: (cause: LinkCause, signal: AbortSignal) => Promise<LinkRenewal>;
  /** Called at most four times a second, and once at the end. */
  readonly onProgress?: (progress: Progress) => void;
  readonly onEvent?: (event: DownloadEvent) => void;
  /**
   * Writes down that the file is saved. The record beside it is deleted only once this resolves:
   * without either, a later run could not distinguish the file from another program's.
   */
  readonly onSaved?: (saved: SavedOutcome) => Promise<void>;
  /** Aborting pauses: the part stays, and the same request resumes it. */
  readonly signal: AbortSignal;
  /** The transfer's own limit, and the one that all transfers share. All apply. */
  readonly limits?: readonly BandwidthLimit[];
}

export interface DownloadDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly connections: Connections;
  /** Shared by all transfers that may run at the same time. */
  readonly room: DiskRoom;
  /** Shared by all transfers of this process. */
  readonly locks: PartLocks;
  /** How large a file of unstated size may be; 16 GiB when left out. */
  readonly maxUnstatedBytes?: number;
  /** The key for an address; `null` for one to which it must not be sent. */
  readonly keyFor?: (url: URL) => KeyForFile | null;
  readonly trace?: Trace | undefined;
}

/** An event that a user who watches may want to see. */
export type DownloadEvent =
  | { readonly kind: 'resumed'; readonly atByte: number }
  | { readonly kind: 'retrying'; readonly cause: string; readonly waitMs: number }
  /** The bytes received so far are useless: {@link Progress.receivedBytes} begins at 0 again. */
  | { readonly kind: 'restarted'; readonly cause: string }
  | { readonly kind: 'renewing-link'; readonly cause: LinkCause }
  | { readonly kind: 'verifying' };

/** Why a download cannot continue now, though nothing is wrong with it. */
export type WaitReason =
  | 'no-space'
  | 'cannot-write'
  /** This process may open no more files. */
  | 'too-many-files'
  | 'link-limit'
  /** The service gave no usable response to a request for a new link. */
  | 'no-link'
  | 'server-busy'
  | 'unreachable';

/** The whole file has its name, also after a power cut. */
export interface SavedOutcome {
  readonly kind: 'saved';
  /** Absolute; differs from the request's target when it was numbered. */
  readonly path: string;
  readonly bytes: number;
  /** Hex, of the bytes as they were written. */
  readonly sha256: string;
  readonly durationSeconds: number | null;
  /** Bytes that were received more than once, or for nothing. */
  readonly refetchedBytes: number;
}

export type DownloadOutcome =
  | SavedOutcome
  /** A file of that name exists and stays. */
  | { readonly kind: 'skipped'; readonly path: string }
  /** The signal was aborted; the part stays. */
  | { readonly kind: 'paused'; readonly receivedBytes: number }
  /** The part stays; the same request resumes it. */
  | {
      readonly kind: 'waiting';
      readonly reason: WaitReason;
      /** Milliseconds since the epoch, this computer's clock; `null` when unknown. */
      readonly until: number | null;
      /** Bytes that the rest of the file needs, if known; only with `no-space`. */
      readonly neededBytes: number | null;
    }
  /** DNS gives its server an address of a VPN or of NAT64, which the user has not allowed. */
  | {
      readonly kind: 'waiting';
      readonly reason: 'address-blocked';
      /** The name that is blocked, which a redirect may have led to. */
      readonly host: string;
      readonly until: null;
      readonly neededBytes: null;
    }
  /** Its proxy did not connect, several times. */
  | {
      readonly kind: 'waiting';
      readonly reason: 'proxy-failed';
      /** The proxy, as users see it. */
      readonly proxy: string;
      readonly why: UserMessage;
      readonly until: number;
      readonly neededBytes: null;
    }
  | Failed;

export type WaitingOutcome = Extract<DownloadOutcome, { kind: 'waiting' }>;
