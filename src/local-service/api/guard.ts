import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Account, Endpoint } from '../accounts/account.ts';
import type { KeyStore } from '../accounts/key-store.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { RateLimitStatus } from '../accounts/rate-window.ts';
import { httpsRequired, rateLimited, unauthorized } from './errors.ts';
import type { WireDates } from './wire-dates.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; only routes behind {@link requireKey} may ask. */
    account: Account | undefined;
    /** Where the caller stands with the limit that the request fell under. */
    standing: RateLimitStatus | undefined;
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
export function requireKey(request: FastifyRequest, keys: KeyStore, limits: RateLimits): void {
  const presented = request.headers['x-api-key'];
  const account = keys.authenticate(Array.isArray(presented) ? presented[0] : presented);
  if (!account) {
    const failure = limits.chargeAddress(addressOf(request));
    request.standing = failure.status;
    throw failure.kind === 'refused' ? rateLimited(failure.status) : unauthorized();
  }
  request.account = account;

  const { endpoint } = request.routeOptions.config;
  if (!endpoint) return;
  const charge = limits.chargeAccount(account, endpoint);
  request.standing = charge.status;
  if (charge.kind === 'refused') throw rateLimited(charge.status);
}

/** The account behind a request that {@link requireKey} let through. */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw new Error('The route is not behind the key guard.');
  return request.account;
}

/** Where the caller stands with the limit of the request, or with that on failed authentication. */
export function standingOf(request: FastifyRequest, limits: RateLimits): RateLimitStatus {
  return request.standing ?? limits.standingOfAddress(addressOf(request));
}

/**
 * The headers of service-api.md §8.2 and the server's own time. `Retry-After` goes with a 429 alone,
 * and means the same moment as `X-RateLimit-Reset`.
 */
export function limitHeaders(
  standing: RateLimitStatus,
  statusCode: number,
  now: number,
  dates: WireDates,
): Record<string, string> {
  const headers: Record<string, string> = {
    date: dates.http(now),
    'x-ratelimit-remaining': String(standing.remaining),
    'x-ratelimit-reset': dates.iso(standing.resetAt),
  };
  if (statusCode === 429) {
    const seconds = Math.ceil((standing.resetAt - now) / 1000);
    headers['retry-after'] = String(Math.max(1, seconds));
  }
  return headers;
}

/**
 * What failed authentications are counted for: the address, or for IPv6 the /64 network, since its
 * hosts choose the rest themselves. All of loopback counts as one: every program of this computer
 * can send from any of its addresses.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (address.startsWith('127.') || address === '::1') return LOOPBACK;
  // Most are IPv4, and taking apart what an IPv6 address is made of is slow.
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
