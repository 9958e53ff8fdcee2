/** Why a queue may list requests as unsent that were sent, so that it asks before it sends. */
import path from 'node:path';
import type { Failure } from '../../contract/failure.ts';
import { joinMessages, userMessage, type UserMessage } from '../../contract/user-message.ts';

/** Name of the stored reason of a service. It is removed when the user resumes. */
export const DISTRUST_NOTE = 'distrust';

/** What was found when the queue was opened. */
export interface QueueCondition {
  /**
   * - `restored`: the database was damaged, and the last backup replaced it.
   * - `lost`: it was damaged, and there was no backup.
   * - `incomplete`: its latest changes are missing.
   * - `copied`: it is a copy, or an earlier state, of the one that was used last.
   */
  readonly condition: 'sound' | 'restored' | 'lost' | 'incomplete' | 'copied';
  /** Path of the damaged database, if it was kept. */
  readonly keptAt: string | null;
  /** How many requests left without its knowledge, as far as that is known. */
  readonly lacked: number;
}

/** `null` when nothing speaks against sending. */
export function distrustOf({ condition, keptAt, lacked }: QueueCondition): Failure | null {
  if (condition === 'sound') return null;
  return {
    code: condition === 'copied' ? 'store-copied' : 'store-damaged',
    ...joinMessages(
      whatHappened(condition),
      ...(lacked > 0 ? [userMessage('queue-lacked-requests', { count: lacked })] : []),
      ...(keptAt === null ? [] : [userMessage('queue-kept-as', { name: path.basename(keptAt) })]),
    ),
  };
}

function whatHappened(condition: Exclude<QueueCondition['condition'], 'sound'>): UserMessage {
  switch (condition) {
    case 'restored':
      return userMessage('queue-restored');
    case 'lost':
      return userMessage('queue-lost');
    case 'incomplete':
      return userMessage('queue-incomplete');
    case 'copied':
      return userMessage('queue-copied');
  }
}
