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
  /** Whether the request is a WebSocket upgrade. */
  readonly upgrade: boolean;
}

export interface GuardSettings {
  /** The port that the web host listens on. */
  readonly port: number;
  /** The secret of this run: 64 hex digits. */
  readonly token: string;
  /** A second secret, which opens the page once; `null` when there is none, or it was used. */
  readonly ticket: string | null;
}

export type GuardDecision =
  /** The request carries the cookie: serve it. */
  | { readonly kind: 'allowed' }
  /** The request is a first link: set the cookie and redirect to the page without the secret. */
  | { readonly kind: 'admitted'; readonly by: 'token' | 'ticket' }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly reason: UserMessage };

/** The name contains the port because cookies are shared by all ports of a host. */
export function sessionCookieName(port: number): string {
  return `spool-${port}`;
}

/**
 * Decides what a request may access, before routing.
 *
 * - A page elsewhere whose name was rebound to 127.0.0.1 still sends its own name as `Host`.
 * - A page elsewhere that fetches or opens a WebSocket here sends its own `Origin`; browsers apply
 *   no same-origin rule to WebSockets, so an upgrade must name this origin.
 * - Another program or user of this computer can reach the port, but does not know the token.
 */
export function guardRequest(request: GuardedRequest, settings: GuardSettings): GuardDecision {
  const hosts = [`127.0.0.1:${settings.port}`, `localhost:${settings.port}`];
  if (request.host === undefined || !hosts.includes(request.host.toLowerCase())) {
    return { kind: 'refused', status: 403, reason: userMessage('page-here-only') };
  }
  const ownOrigin = `http://${request.host.toLowerCase()}`;
  if (request.origin !== undefined && request.origin !== ownOrigin) {
    return { kind: 'refused', status: 403, reason: userMessage('page-no-other-site') };
  }
  if (request.upgrade && request.origin === undefined) {
    return { kind: 'refused', status: 401, reason: userMessage('page-origin-needed') };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { kind: 'refused', status: 403, reason: userMessage('page-only-read') };
  }
  const { token, ticket } = settings;
  const cookies = cookieValues(request.cookie, sessionCookieName(settings.port));
  if (cookies.some((value) => sameSecret(value, token))) return { kind: 'allowed' };
  if (!request.upgrade) {
    if (sameSecret(secretInLink(request.target, 'token'), token)) {
      return { kind: 'admitted', by: 'token' };
    }
    if (ticket !== null && sameSecret(secretInLink(request.target, 'ticket'), ticket)) {
      return { kind: 'admitted', by: 'ticket' };
    }
  }
  return {
    kind: 'refused',
    status: 401,
    reason: userMessage('page-link-needed'),
  };
}

function secretInLink(target: string, name: 'token' | 'ticket'): string | undefined {
  const query = /^\/\?(.*)$/.exec(target)?.[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined);
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
