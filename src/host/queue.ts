import type { Client } from '../contract/contract.ts';
import { inEnglish, userMessage, joinMessages } from '../contract/user-message.ts';
import type { Clock } from '../engine/clock.ts';
import { EngineError } from '../engine/engine-error.ts';
import { failureOf } from './failures.ts';
import { joinPrimary, type PrimaryConnection } from './join-primary.ts';
import { ObservableValue } from './observable-value.ts';
import type { Host } from './open-host.ts';
import type { Difference, PrimaryProcess } from './primary-contract.ts';

/** Why a queue is not there any more although nobody closed it. */
export type QueueLoss = 'service-ended' | 'owner-ended';

/** The queue of a data folder, as long as one process works it. */
export interface Queue {
  readonly client: Client;
  /** The other process that works it, and goes on when this one ends; `null` when this one does. */
  readonly primary: PrimaryProcess | null;
  readonly lost: Promise<QueueLoss>;
  /** Whether the primary process has ended, from that very moment on. */
  readonly hasEnded: boolean;
  /**
   * Whether the primary process answers. One that does not may go on at any moment, and has the
   * queue.
   */
  readonly answering: ObservableValue<boolean>;
  close(): Promise<void>;
}

/** The process that works the queue ended, or fell over, in the middle of a call. */
export class PrimaryEndedError extends EngineError {
  constructor(cause: unknown) {
    super({ code: 'not-possible-now', ...userMessage('owner-ended') }, { cause });
  }
}

/** What a call rejects with: a break of the connection is told for what it is. */
export function whyFailed(error: unknown, { hasEnded }: Queue): unknown {
  return hasEnded && failureOf(error) === null ? new PrimaryEndedError(error) : error;
}

/** The queue is worked with other settings than this process goes by. */
export class OtherSettingsError extends EngineError {
  /** @param remedy a sentence in English, for a caller who can do something about it */
  constructor({ pid, service }: PrimaryProcess, differs: Difference, remedy?: string) {
    const told =
      differs === 'service'
        ? userMessage('owner-of-other-service', { pid, service })
        : userMessage('owner-of-other-profile', { pid });
    const all = remedy === undefined ? told : joinMessages(told, inEnglish(remedy));
    super({ code: 'in-use', ...all });
  }
}

export interface QueueParts {
  /** Absolute path. */
  readonly dataDir: string;
  /** Throws what is to be told when the one that works the queue is not to be worked with. */
  readonly admit: (primary: PrimaryProcess) => void;
  readonly openOwn: () => Promise<Host>;
  readonly clock: Clock;
}

/**
 * Works with the process that works the queue, or else works it.
 *
 * @throws {EngineError} with the code `in-use` when another process has the queue and cannot be
 *   worked with, as long as it starts, ends or only looks
 */
export async function joinOrOpen(parts: QueueParts): Promise<Queue> {
  const { dataDir, admit, openOwn, clock } = parts;
  const joined = await joinPrimary(dataDir, clock);
  if (joined === null) return ownQueue(await openOwn());
  try {
    admit(joined.primary);
    return sharedQueue(joined);
  } catch (error) {
    joined.close();
    throw error;
  }
}

/** A read-only queue ends once its disk has space, so that it can be opened again and worked. */
function ownQueue(host: Host): Queue {
  let isOver = false;
  const lost: Promise<QueueLoss>[] = [host.serviceLost.then(() => 'service-ended')];
  const madeWay = host.hasSpace?.then((): QueueLoss => {
    isOver = true;
    return 'owner-ended';
  });
  if (madeWay) lost.push(madeWay);
  return {
    client: host.client,
    primary: null,
    lost: Promise.race(lost),
    get hasEnded() {
      return isOver;
    },
    answering: new ObservableValue(true),
    close: () => host.close(),
  };
}

function sharedQueue(joined: PrimaryConnection): Queue {
  const { primary, client, ended, answering } = joined;
  return {
    client,
    primary,
    answering,
    lost: ended.then(() => 'owner-ended' as const),
    get hasEnded() {
      return joined.hasEnded;
    },
    close() {
      joined.close();
      return Promise.resolve();
    },
  };
}
