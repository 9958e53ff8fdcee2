import type { Awaitable } from '../awaitable.ts';
import type { Endpoint, RateLimit } from './account.ts';
import type { Consumption, RateLimitStatus } from './rate-window.ts';

/** Endpoints are limited by account, failed authentication by address. */
export type LimitName = Endpoint | 'authentication';

/** Whether a request was within its limit, and the limit's status afterwards. */
export type Charge = Pick<Consumption, 'kind' | 'status'>;

/**
 * Counts requests in windows (`rate-window.ts`). Each subject, such as an account, has one window
 * per limit. All processes with the same database share the counts; neither a restart nor a new key
 * resets them.
 */
export interface RequestCounters {
  /** Counts one request, if the limit allows it. */
  consume(subject: string, name: LimitName, limit: RateLimit): Awaitable<Charge>;
  /** Counts nothing. */
  status(subject: string, name: LimitName, limit: RateLimit): Awaitable<RateLimitStatus>;
}
