import type { Awaitable } from '../awaitable.ts';
import { ownLimitsOf, type Account, type Endpoint, type RateLimit } from './account.ts';
import { type RateLimitStatus, rateLimitStatusAt, type WindowType } from './rate-window.ts';
import type { Charge, LimitName, RequestCounters } from './request-counters.ts';

/** service-api.md §8.1; the limit of failed authentications per address is our own choice. */
export const defaultLimits: Readonly<Record<LimitName, RateLimit>> = {
  generate: { requests: 10, windowSeconds: 3600 },
  status: { requests: 60, windowSeconds: 60 },
  download: { requests: 30, windowSeconds: 3600 },
  authentication: { requests: 30, windowSeconds: 60 },
};

export interface RateLimitOptions {
  readonly window: WindowType;
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
}

/** Applies rate limits to accounts and addresses (service-api.md §8.1). */
export class RateLimits {
  readonly #counters: RequestCounters;
  readonly #limits: RateLimitOptions['limits'];

  constructor(counters: RequestCounters, limits: RateLimitOptions['limits']) {
    this.#counters = counters;
    this.#limits = limits;
  }

  /** Counts one request of an account on an endpoint, if its limit allows it. */
  chargeAccount(account: Account, endpoint: Endpoint): Awaitable<Charge> {
    const limit = this.limitOf(account, endpoint);
    return this.#counters.consume(accountSubject(account), endpoint, limit);
  }

  /** Counts one failed authentication from an address, if its limit allows it. */
  chargeAddress(address: string): Awaitable<Charge> {
    const limit = this.#limits.authentication;
    return this.#counters.consume(addressSubject(address), 'authentication', limit);
  }

  /** The limit of an account on an endpoint: its own, or the service's. */
  limitOf(account: Account, endpoint: Endpoint): RateLimit {
    return ownLimitsOf(account)[endpoint] ?? this.#limits[endpoint];
  }

  /** An account's limit status on an endpoint; counts nothing. */
  accountStatus(account: Account, endpoint: Endpoint): Awaitable<RateLimitStatus> {
    const limit = this.limitOf(account, endpoint);
    return this.#counters.status(accountSubject(account), endpoint, limit);
  }

  /** An address's limit status of failed authentications; counts nothing. */
  addressStatus(address: string): Awaitable<RateLimitStatus> {
    const limit = this.#limits.authentication;
    return this.#counters.status(addressSubject(address), 'authentication', limit);
  }

  /** The status at `now` of an address without failed authentications. */
  unusedAddressStatus(now: number): RateLimitStatus {
    return rateLimitStatusAt('fixed', undefined, this.#limits.authentication, now);
  }
}

function accountSubject({ id }: Account): string {
  return `account:${id}`;
}

function addressSubject(address: string): string {
  return `address:${address}`;
}
