import type { AnswerRules } from '../contract/answer-rules.ts';
import type { TransferThrottle } from './downloads/bandwidth.ts';
import type { DiskRoom } from './downloads/disk.ts';
import type { PartLocks } from './downloads/part-locks.ts';
import type { Summary } from '../contract/summary.ts';
import type {
  CommonOptions,
  ServiceOptions,
  ServiceSetup,
  SharedSettings,
} from './engine-options.ts';
import type { ApiKey } from './flow/api-key.ts';
import type { FlowOptions } from './flow/session-state.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { QueueDatabase } from './jobs/queue-database.ts';
import type { Serial } from './serial.ts';

/**
 * What the sessions of all services share: what the host gave the engine, and what exists once
 * because the computer has it once.
 */
export interface SharedContext extends Omit<CommonOptions, keyof SharedSettings> {
  readonly lock: InstanceLock;
  /** As they are now: the engine replaces them when they change. */
  settings: SharedSettings;
  readonly connectTo: CreateExternalServices;
  readonly database: QueueDatabase;
  /** The user's limits of all downloads together. */
  readonly throttle: TransferThrottle;
  /** Counts the space that downloads of all services will still take. */
  readonly room: DiskRoom;
  readonly locks: PartLocks;
  /** One after the other: all commands that give names to jobs, whose folders may be shared. */
  readonly naming: Serial;
  /** Aborted when the engine is closed: nothing is opened any more. */
  readonly closed: AbortSignal;
}

/** What of a session lies beyond this computer. */
export interface ExternalServices extends Pick<
  FlowOptions,
  'service' | 'download' | 'disks' | 'connections'
> {
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** Connects a session to the outside. Tests give an engine another world. */
export type CreateExternalServices = (
  service: ServiceOptions,
  key: ApiKey,
  rules: AnswerRules,
  shared: SharedContext,
) => ExternalServices;

/** What a session is opened with besides the context that all share. */
export interface SessionOptions extends ServiceSetup {
  readonly key: ApiKey;
  readonly others: OtherSessions;
}

/** What a session knows of the others that work the same queue. */
export interface OtherSessions {
  /** As the user sees them. */
  list(): Summary['others'];
  /** Tells them that something changed that they show of this session. */
  changed(): void;
}
