import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Account, Endpoint } from '../accounts/account.ts';
import type { ApiKeys } from '../accounts/api-keys.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { RateLimitStatus } from '../accounts/rate-window.ts';
import type { Awaitable } from '../awaitable.ts';
import type { Clock } from '../clock.ts';
import { DatabaseUnavailableError } from '../database-unavailable.ts';
import { httpsRequired, rateLimited, unauthorized } from './errors.ts';
import type { WireDates } from './wire-dates.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's account; set by {@link requireKey}. */
    account: Account | undefined;
    /** The caller's status of the limit that applies to the request. */
    rateLimitStatus: RateLimitStatus | undefined;
  }
  interface FastifyContextConfig {
    /** The endpoint whose rate limit counts the route's requests (service-api.md §8.1). */
    endpoint?: Endpoint;
  }
}

/** All loopback addresses, as a network. */
export const LOOPBACK = 'loopback';

/** Refuses requests that did not use TLS to this server or its trusted proxy (§5 rule 8). */
export function requireHttps(request: FastifyRequest): void {
  if (request.protocol !== 'https') throw httpsRequired();
}

/**
 * Refuses requests without an active key or above their endpoint's limit, before their body is
 * read. An address's limit counts and refuses failed authentications only: programs share
 * addresses, and a wrongly configured one must not block the others. That limit protects the
 * service from load; keys have 256 random bits and need no protection from guessing.
 */
export async function requireKey(
  request: FastifyRequest,
  keys: ApiKeys,
  limits: RateLimits,
): Promise<void> {
  const presented = request.headers['x-api-key'];
  const account = await keys.authenticate(Array.isArray(presented) ? presented[0] : presented);
  if (!account) {
    const failure = await limits.chargeAddress(addressOf(request));
    request.rateLimitStatus = failure.status;
    throw failure.kind === 'refused' ? rateLimited(failure.status) : unauthorized();
  }
  request.account = account;

  const { endpoint } = request.routeOptions.config;
  if (!endpoint) return;
  const charge = await limits.chargeAccount(account, endpoint);
  request.rateLimitStatus = charge.status;
  if (charge.kind === 'refused') throw rateLimited(charge.status);
}

/** The account of a request that {@link requireKey} has accepted. */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw new Error('The route is not behind the key guard.');
  return request.account;
}

/**
 * The caller's status of the request's limit, otherwise of the limit of failed authentications. If
 * the counters cannot be read, the latter is reported as unused.
 */
export function rateLimitStatusOf(
  request: FastifyRequest,
  limits: RateLimits,
  clock: Clock,
): Awaitable<RateLimitStatus> {
  return request.rateLimitStatus ?? addressStatusOf(request.ip, limits, clock);
}

/** An address's status of the limit of failed authentications, or an unused one in an outage. */
export async function addressStatusOf(
  ip: string,
  limits: RateLimits,
  clock: Clock,
): Promise<RateLimitStatus> {
  try {
    return await limits.addressStatus(networkOf(ip));
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    return limits.unusedAddressStatus(clock.now());
  }
}

/**
 * The headers of service-api.md §8.2, and the server's time. Only a 429 has `Retry-After`, which is
 * the time of `X-RateLimit-Reset`.
 */
export function limitHeaders(
  rateLimitStatus: RateLimitStatus,
  statusCode: number,
  now: number,
  dates: WireDates,
): Record<string, string> {
  const headers: Record<string, string> = {
    date: dates.http(now),
    'x-ratelimit-remaining': String(rateLimitStatus.remaining),
    'x-ratelimit-reset': dates.iso(rateLimitStatus.resetAt),
  };
  if (statusCode === 429) {
    const seconds = Math.ceil((rateLimitStatus.resetAt - now) / 1000);
    headers['retry-after'] = String(Math.max(1, seconds));
  }
  return headers;
}

/**
 * The key for counting failed authentications: the address, or for IPv6 the /64 network, since a
 * host can choose any address in it. All loopback addresses count as one, since every program of
 * this computer can use any of them.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(address)) return address.startsWith('127.') ? LOOPBACK : address;
  if (address === '::1') return LOOPBACK;
  // A client behind a proxy of this computer may state any text as its address.
  if (!isIPv6(address)) return 'unknown';
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

function addressOf(request: FastifyRequest): string {
  return networkOf(request.ip);
}
