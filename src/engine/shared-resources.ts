import type { Clock } from './clock.ts';
import { Serial } from './serial.ts';
import {
  DEFAULT_TRANSFER_LIMITS,
  TransferThrottle,
  type TransferLimits,
} from './downloads/bandwidth.ts';
import { DiskRoom, KEEP_FREE_BYTES } from './downloads/disk.ts';
import { PartLocks } from './downloads/part-locks.ts';
import type { QueueDatabase } from './jobs/queue-database.ts';

/** What exists once for the sessions of all services, because the computer has it once. */
export interface SharedResources {
  readonly database: QueueDatabase;
  /** The user's limits of all downloads together. */
  readonly throttle: TransferThrottle;
  /** Counts the space that downloads of all services will still take. */
  readonly room: DiskRoom;
  readonly locks: PartLocks;
  /** One after the other: all commands that give names to jobs, whose folders may be shared. */
  readonly naming: Serial;
}

export function createSharedResources(
  database: QueueDatabase,
  clock: Clock,
  transferLimits: TransferLimits = DEFAULT_TRANSFER_LIMITS,
): SharedResources {
  return {
    database,
    throttle: new TransferThrottle(transferLimits, clock),
    room: new DiskRoom(KEEP_FREE_BYTES),
    locks: new PartLocks(),
    naming: new Serial(),
  };
}
