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
