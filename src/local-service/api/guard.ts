import { isIPv6 } from 'node:net';
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
    /** Who is calling; only routes behind {@link requireKey} may ask. */
    account: Account | undefined;
    /** The caller's status with the limit that applies to the request. */
    rateLimitStatus: RateLimitStatus | undefined;
  }
  interface FastifyContextConfig {
    /** The limit that a route's requests are counted on (service-api.md §8.1). */
    endpoint?: Endpoint;
  }
}

const LOOPBACK = 'loopback';

/** Lets requests through that came over TLS, to this server or to the proxy it trusts (§5 rule 8). */
export function requireHttps(request: FastifyRequest): void {
  if (request.protocol !== 'https') throw httpsRequired();
}

/**
 * Lets requests through that bring an active key and are within their endpoint's limit. Both are
 * settled before a body is read. Failures alone are counted against an address and turned away when
 * there were too many: programs share addresses, and one that is set up wrongly must not shut out the
 * others. Keys have 256 random bits, so that limit is there to spare the service, not the keys.
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

/** The account behind a request that {@link requireKey} let through. */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw new Error('The route is not behind the key guard.');
  return request.account;
}

/**
 * The caller's status with the request's limit, or with the one on failed authentication. The latter
 * as if it was not used when the counters cannot be read.
 */
export function rateLimitStatusOf(
  request: FastifyRequest,
  limits: RateLimits,
  clock: Clock,
): Awaitable<RateLimitStatus> {
  return request.rateLimitStatus ?? addressStatusOf(request.ip, limits, clock);
}

/** The same for an address that sent something which never became a request. */
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
 * The headers of service-api.md §8.2 and the server's own time. `Retry-After` is sent with a 429
 * only, and means the same time as `X-RateLimit-Reset`.
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
 * The key for counting failed authentications: the address, or for IPv6 the /64 network, since its
 * hosts choose the rest themselves. All loopback addresses count as one: every program of this
 * computer can send from any of them.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (address.startsWith('127.') || address === '::1') return LOOPBACK;
  // Most addresses are IPv4, and parsing IPv6 addresses is slow.
  if (!address.includes(':') || !isIPv6(address)) return address;
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
