import { timingSafeEqual } from 'node:crypto';
import { userMessage, type UserMessage } from '../contract/user-message.ts';

/** The parts of a request that the guard reads. All of them are untrusted. */
export interface GuardedRequest {
  readonly method: string;
  /** The raw request target, including the query. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
  /** The header by which a browser marks a request for a service worker's script. */
  readonly serviceWorker: string | undefined;
  /** Whether the request is a WebSocket upgrade. */
  readonly upgrade: boolean;
}

export interface GuardSettings {
  /** The host name of this run, in lower case and without a port. */
  readonly name: string;
  /** The port that the web host listens on. */
  readonly port: number;
  /** The secret of this run's session cookie: 64 hex digits. */
  readonly session: string;
  /** The secrets of the links that are valid now. */
  readonly tickets: readonly string[];
  /** Whether a host name is this or an earlier run's. */
  readonly isOurs: (name: string) => boolean;
}

export type GuardDecision =
  /** The request carries the cookie: serve it. */
  | { readonly kind: 'allowed' }
  /** The request is a first link: set the cookie and redirect to the page without the secret. */
  | { readonly kind: 'admitted'; readonly ticket: string }
  /** A page of this or an earlier run asks whether the host is genuine: answer that, nothing else. */
  | { readonly kind: 'challenged'; readonly name: string; readonly challenge: string }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly reason: UserMessage };

/** What a user might enter instead of the link. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The name contains the port because cookies are shared by all ports of a host. */
export function sessionCookieName(port: number): string {
  return `spool-${port}`;
}

/** The page's random value in the address of its WebSocket: 32 hex digits. */
export function challengeIn(target: string): string | undefined {
  return /^\/rpc\?challenge=([0-9a-f]{32})$/.exec(target)?.[1];
}

/**
 * Decides what a request may access, before routing.
 *
 * - A page elsewhere whose name was rebound to 127.0.0.1 still sends its own name as `Host`.
 * - A page elsewhere that fetches or opens a WebSocket here sends its own `Origin`; browsers apply
 *   no same-origin rule to WebSockets, so an upgrade must name this origin.
 * - Another program or user of this computer can reach the port, but does not know the cookie.
 * - Between two runs, another user can hold the port and serve pages under the name of the ended
 *   run: that name admits no browser.
 */
export function guardRequest(request: GuardedRequest, settings: GuardSettings): GuardDecision {
  const { port, session, tickets } = settings;
  const host = request.host?.toLowerCase() ?? '';
  const name = host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : '';
  const isOwn = name === settings.name;
  const isOurs = isOwn || settings.isOurs(name);
  if (!isOurs && !LOOPBACK.has(name)) {
    return { kind: 'refused', status: 403, reason: userMessage('page-here-only') };
  }
  if (request.origin !== undefined && request.origin !== `http://${host}`) {
    return { kind: 'refused', status: 403, reason: userMessage('page-no-other-site') };
  }
  if (request.upgrade && request.origin === undefined) {
    return { kind: 'refused', status: 401, reason: userMessage('page-origin-needed') };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { kind: 'refused', status: 403, reason: userMessage('page-only-read') };
  }
  // Spool has none. One would outlast the page that registered it.
  if (request.serviceWorker !== undefined) {
    return { kind: 'refused', status: 403, reason: userMessage('page-nothing-here') };
  }
  const cookies = cookieValues(request.cookie, sessionCookieName(port));
  if (isOwn && cookies.some((value) => sameSecret(value, session))) return { kind: 'allowed' };
  const challenge = challengeIn(request.target);
  if (request.upgrade && isOurs && challenge !== undefined) {
    return { kind: 'challenged', name, challenge };
  }
  if (isOwn && !request.upgrade) {
    const given = ticketIn(request.target);
    const ticket = tickets.find((each) => sameSecret(given, each));
    if (ticket !== undefined) return { kind: 'admitted', ticket };
  }
  return { kind: 'refused', status: 401, reason: userMessage('page-link-needed') };
}

function ticketIn(target: string): string | undefined {
  const query = /^\/\?(.*)$/.exec(target)?.[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get('ticket') ?? undefined);
}

/**
 * All values of a name. Pages of other ports and paths of this host can add cookies of the same
 * name, and browsers send the one with the longest path first.
 */
function cookieValues(header: string | undefined, name: string): readonly string[] {
  return (header?.split(';') ?? []).flatMap((pair) => {
    const equals = pair.indexOf('=');
    return pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
}

/**
 * Compares in constant time, so that the duration does not reveal how much of a guess was right.
 */
function sameSecret(given: string | undefined, secret: string): boolean {
  if (given === undefined) return false;
  const a = Buffer.from(given);
  const b = Buffer.from(secret);
  return a.length === b.length && timingSafeEqual(a, b);
}
