import { ORPCError } from '@orpc/client';
import type { Client } from '../contract/contract.ts';
import { userMessage, joinMessages, type UserMessage } from '../contract/user-message.ts';
import type { Clock } from '../engine/clock.ts';
import { EngineError } from '../engine/engine-error.ts';
import { failureOf } from './failures.ts';
import { joinPrimary, joinPrimaryFor, type PrimaryConnection } from './join-primary.ts';
import { ObservableValue } from './observable-value.ts';
import type { Host } from './open-host.ts';
import type { Difference, PrimaryProcess, WantedService } from './primary-contract.ts';

/** The queue of a data folder, as long as the same process runs it. */
export interface Queue {
  readonly client: Client;
  /**
   * The other process that runs the queue and outlives this one; `null` when this process runs it.
   */
  readonly primary: PrimaryProcess | null;
  /** Resolves if the queue ends without being closed by its user: its primary process has ended. */
  readonly lost: Promise<void>;
  /** Whether the primary process has ended. Changes synchronously, before `lost` resolves. */
  readonly hasEnded: boolean;
  /**
   * Whether the primary process answers. One that does not still holds the queue, and may continue
   * at any time.
   */
  readonly answering: ObservableValue<boolean>;
  /**
   * Aborted when this process runs the queue and has lost its data folder. Unlike after `lost`, the
   * queue must not be opened again by itself: two processes would take it from each other for ever.
   */
  readonly folderLost: AbortSignal;
  close(): Promise<void>;
}

/** The process that runs the queue ended or crashed during a call. */
export class PrimaryEndedError extends EngineError {
  constructor(cause: unknown) {
    super({ code: 'not-possible-now', ...userMessage('primary-ended') }, { cause });
  }
}

/** The process that runs the queue is of a version without the call. */
class PrimaryOutdatedError extends EngineError {
  constructor({ pid }: PrimaryProcess, cause: unknown) {
    super({ code: 'not-possible-now', ...userMessage('primary-outdated', { pid }) }, { cause });
  }
}

/** The error of a call, for the user where its cause is the process that runs the queue. */
export function callError(error: unknown, { hasEnded, primary }: Queue): unknown {
  if (hasEnded && failureOf(error) === null) return new PrimaryEndedError(error);
  const isUnknownCall = error instanceof ORPCError && error.code === 'NOT_FOUND';
  return isUnknownCall && primary !== null ? new PrimaryOutdatedError(primary, error) : error;
}

/** The queue runs with settings that differ from this process's. */
export class OtherSettingsError extends EngineError {
  /** @param remedy for a caller who can resolve the difference */
  constructor({ pid, service }: PrimaryProcess, differs: Difference, remedy?: UserMessage) {
    const message =
      differs === 'service'
        ? userMessage('primary-of-other-service', { pid, service })
        : userMessage('primary-of-other-profile', { pid });
    const fullMessage = remedy === undefined ? message : joinMessages(message, remedy);
    super({ code: 'in-use', ...fullMessage });
  }
}

export interface QueueParts {
  /** Absolute path. */
  readonly dataDir: string;
  /** Throws an error for the user if this process must not use that primary process. */
  readonly checkPrimary: (primary: PrimaryProcess) => void;
  readonly openOwn: () => Promise<Host>;
  /**
   * Reads the service that is requested from a primary process; when left out, the one that is
   * shown.
   */
  readonly wanted?: () => Promise<WantedService>;
  readonly clock: Clock;
}

/**
 * Uses the process that runs the queue, or runs the queue in this process.
 *
 * @throws {EngineError} with the code `in-use` when another process holds the queue and cannot be
 * used: it is starting, ending or read-only
 */
export async function joinOrOpen(parts: QueueParts): Promise<Queue> {
  const { dataDir, checkPrimary, openOwn, wanted, clock } = parts;
  const joined = wanted
    ? await joinPrimaryFor(await wanted(), checkPrimary, dataDir, clock)
    : await joinPrimary(dataDir, clock);
  if (joined === null) return ownQueue(await openOwn());
  try {
    checkPrimary(joined.primary);
    return sharedQueue(joined);
  } catch (error) {
    joined.close();
    throw error;
  }
}

/** A read-only queue ends once its disk has space, so that it can be reopened for sending. */
function ownQueue(host: Host): Queue {
  let hasSpace = false;
  const spaceFreed = host.hasSpace?.then(() => {
    hasSpace = true;
  });
  return {
    client: host.client,
    primary: null,
    lost: spaceFreed ?? new Promise(() => undefined),
    get hasEnded() {
      return hasSpace;
    },
    answering: new ObservableValue(true),
    folderLost: host.folderLost,
    close: () => host.close(),
  };
}

function sharedQueue(joined: PrimaryConnection): Queue {
  const { primary, client, ended, answering } = joined;
  return {
    client,
    primary,
    answering,
    lost: ended,
    folderLost: new AbortController().signal,
    get hasEnded() {
      return joined.hasEnded;
    },
    close() {
      joined.close();
      return Promise.resolve();
    },
  };
}
