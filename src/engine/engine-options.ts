/** What an engine, its services and their sessions are created with. */
import type { z } from 'zod';
import type { AnswerRules } from '../contract/answer-rules.ts';
import type { Summary } from '../contract/summary.ts';
import type { DiskRoom } from './downloads/disk.ts';
import type { PartLocks } from './downloads/part-locks.ts';
import type { ApiKey } from './flow/api-key.ts';
import type { QueueDatabase } from './jobs/queue-database.ts';
import type { Serial } from './serial.ts';
import type { Failure } from '../contract/failure.ts';
import type { Frame } from '../contract/frame.ts';
import type { jsonSchema } from '../contract/json.ts';
import type { Clock, Random } from './clock.ts';
import type { BatchDefaults } from './commands/command-context.ts';
import type { PosterMaker } from './downloads/poster-cache.ts';
import type { BatchReadings } from './intake/batch-readings.ts';
import type { StartUp } from './flow/flow-control.ts';
import type { PlanOptions } from './flow/quota-tracker.ts';
import type { DeleteSaved, FlowOptions } from './flow/flow-context.ts';
import type { FitPicture } from './pictures/picture-fit.ts';
import type { StoreFile, Upload } from './service/upload.ts';
import type { TransferLimits, TransferThrottle } from './downloads/bandwidth.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { KeyStore } from './keys/key-store.ts';
import type { AccountLimits } from './pacing/service-limits.ts';
import type { Logger } from './logger.ts';
import type { FindProxy } from './proxy.ts';
import type { Profile } from './profiles/profile.ts';
import type { CheckLayouts } from './check-layouts.ts';
import type { FindUndrawable } from './find-undrawable.ts';

export interface ServiceOptions {
  /** Whether it is the one that runs on this computer. */
  readonly isLocal?: boolean;
  /**
   * Makes a new key, which replaces the present one, for a service whose account Spool manages: the
   * one on this computer. The user cannot enter its key.
   */
  readonly newKey?: () => Promise<string>;
  /** The name that people use: “this computer”, “api.example.com”. */
  readonly name: string;
  /**
   * The service's base address, without `/api/v1`. Jobs belong to the origin they were added for:
   * the session of another origin does not see them.
   */
  readonly baseUrl: string;
  /** PEM of the one certificate authority to trust instead of the system's (the local service's). */
  readonly ca?: string;
  /** How its requests are made and its responses read; the storyboard profile when left out. */
  readonly profile?: Profile;
  /** The account's own limits (§8.5); the profile's when left out. */
  readonly accountLimits?: AccountLimits | undefined;
  /** Half of its renders take no longer than this, in milliseconds; two minutes when left out. */
  readonly usualRenderMs?: number;
  /**
   * Makes the service delete its copy of a video whose file is saved, for one on the same disk. Never
   * rejects; left out for a service that keeps its videos.
   */
  readonly deleteSaved?: DeleteSaved | undefined;
  /** For a service that draws texts with the fonts of this computer. */
  readonly findUndrawable?: FindUndrawable | undefined;
  /** Finds texts that would be hard to read, of a service that draws on this computer. */
  readonly checkLayouts?: CheckLayouts | undefined;
  /** How a service on this computer takes files; the profile's way when left out. */
  readonly storeFile?: StoreFile | undefined;
  /** Told whether everything is paused: at the start of its session, and on each change. */
  readonly setPaused?: ((isPaused: boolean) => void) | undefined;
  /** A `host:port` that downloads may come from although it is a private address. */
  readonly allowedDownloadOrigin?: string;
  /** Why it cannot be used: its session shows its rows, and makes no request. */
  readonly unavailable?: Failure;
}

/** A service with the user's plan for it. */
export interface ServiceSetup {
  readonly service: ServiceOptions;
  readonly plan: PlanOptions;
}

/** A service that the queue is to run. */
export interface Service {
  /** See `serviceIdOf`. */
  readonly id: string;
  /** How it is connected, as text: where it differs, `connect` is called again. */
  readonly connection: string;
  /**
   * Connects to it; starts its process if it has one. Called again after a failure and when the
   * connection has ended.
   */
  readonly connect: (signal: AbortSignal) => Promise<ServiceLink>;
  /** The storyboard profile when `undefined`. */
  readonly profile: Profile | undefined;
  /** That of the connection's account when `undefined`. */
  readonly plan: PlanOptions | undefined;
  /** Whether its first session starts paused; as the last one when left out. */
  readonly startUp?: StartUp | undefined;
  /**
   * How its session shows its rows as long as it cannot be connected; `null` if it cannot. When left
   * out, there is no session until it is connected.
   */
  readonly offline?: ((reason: unknown) => ServiceSetup | null) | undefined;
}

/** A connected service. */
export interface ServiceLink extends ServiceSetup {
  /** Draws one frame of the video that a request would make; `null` where that is not possible. */
  readonly drawFrame: DrawFrame | null;
  /** Resolves when the service's process has ended; never for a remote service. */
  readonly ended: Promise<void>;
  /** Ends the service's process. */
  close(): Promise<void>;
}

/** Uses no quota and never rejects. */
export type DrawFrame = (
  request: z.infer<typeof jsonSchema>,
  signal?: AbortSignal,
) => Promise<Frame>;

/** Settings for all services, which may change while the engine is open. */
export interface SharedSettings extends BatchDefaults {
  readonly transferLimits?: TransferLimits;
  /**
   * Whether names in download links may resolve to addresses of VPNs and NAT64; not when left out.
   */
  readonly allowVpnAddresses?: boolean;
  /** Whether a table of each batch's results is kept beside its source; not when left out. */
  readonly resultsFiles?: boolean;
  /** Finished batches are archived after so many days; never when `null` or left out. */
  readonly archiveAfterDays?: number | null;
}

/** Options of an engine that do not depend on a service. */
export interface CommonOptions extends SharedSettings {
  /** Absolute path of the folder for the database, its backups and the lock. Made if missing. */
  readonly dataDir: string;
  /**
   * Absolute path of a folder outside of that for the witness of requests; made if missing. Without
   * it, a data folder that is restored in place is not recognised.
   */
  readonly stateDir?: string | undefined;
  /**
   * The folder's lock, if the host holds it for longer than the engine; otherwise the engine takes
   * it.
   */
  readonly lock?: InstanceLock;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Which proxy leads to a service or a file; none when left out. */
  readonly findProxy?: FindProxy;
  readonly logger?: Logger;
  /** Makes posters of saved videos; there are none when left out. */
  readonly makePoster?: PosterMaker;
  /** Converts pictures to what a service takes; those that need it hold their rows when left out. */
  readonly fitPicture?: FitPicture;
  /** What the host has read of batches already. */
  readonly readings?: BatchReadings;
  /** The disk is too full for any write: the queue is read as it is, and nothing is sent. */
  readonly onlyRead?: boolean;
  /** Opened without keys to list and change jobs, which wait until a Spool runs. */
  readonly isStopped?: boolean;
}

/**
 * What the sessions of all services share: the host's options, and what exists once per computer.
 */
export interface SharedContext extends Omit<CommonOptions, keyof SharedSettings> {
  readonly lock: InstanceLock;
  /** The current settings: the engine replaces them when they change. */
  settings: SharedSettings;
  readonly connectTo: CreateExternalServices;
  readonly database: QueueDatabase;
  /** Applies the user's limits to all downloads together. */
  readonly throttle: TransferThrottle;
  /** Tracks the space that downloads of all services will still take. */
  readonly room: DiskRoom;
  readonly locks: PartLocks;
  readonly readings: BatchReadings;
  /** Serialises all commands that name files, because jobs may share folders. */
  readonly naming: Serial;
  /** Aborted when the engine is closed: no session is opened any more. */
  readonly closed: AbortSignal;
}

/** The parts of a session that connect to other computers. */
export interface ExternalServices extends Pick<
  FlowOptions,
  'service' | 'download' | 'disks' | 'connections'
> {
  /** To the profile's `upload`. */
  readonly upload?: Upload | undefined;
  /** Aborts running requests. */
  close(): Promise<void>;
}

/** Connects a session to its service. Tests pass a fake. */
export type CreateExternalServices = (
  service: ServiceOptions,
  key: ApiKey,
  rules: AnswerRules,
  shared: SharedContext,
) => ExternalServices;

/** What a session is opened with, besides the shared context. */
export interface SessionOptions extends ServiceSetup {
  readonly key: ApiKey;
  readonly others: OtherSessions;
}

/** What a session knows of the others that process the same queue. */
export interface OtherSessions {
  /** Status of the others, for display. */
  list(): Summary['others'];
  /** Notifies them of a change that they show of this session. */
  changed(): void;
}
