import type { Failure } from '../../contract/failure.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { QuotaTracker } from './quota-tracker.ts';

/** Why no video is sent, in words that fit what the service's quota is counted by. */
export function quotaUsedUp(quota: QuotaTracker, retryAt: number): Failure {
  const view = quota.view();
  if (view === null) return { code: 'nothing-left', ...userMessage('nothing-left'), retryAt };
  const { per, limit, refused } = view;
  if (per === 'day') {
    const message = refused
      ? userMessage('daily-quota-refused')
      : userMessage('daily-quota-all-used', { limit });
    return { code: 'daily-quota-used-up', ...message, retryAt };
  }
  const message = refused ? userMessage('quota-refused') : userMessage('quota-all-used', { limit });
  return { code: 'quota-used-up', ...message, retryAt };
}

/** What a job's history says of a refusal that the classifier took for a used-up monthly quota. */
export function refusalNote(quota: QuotaTracker, failure: Failure): UserMessage {
  switch (quota.per) {
    case 'month':
      return failure;
    case 'day':
      return userMessage('daily-quota-refused');
    case null:
      return userMessage('nothing-left');
  }
}
