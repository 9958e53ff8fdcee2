import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import { isLoopbackHost } from '../../loopback.ts';
import { type Form, TOKEN_FIELD } from '../form-body.ts';
import type { Html } from '../html.ts';
import { cookiesFrom } from '../identity/cookies.ts';
import { formTokenFor, isFormToken } from '../identity/form-token.ts';
import type { PageSession } from '../pages/layout.ts';
import { PageError } from '../page-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user's session; set by {@link requireSession}. */
    session: Session | undefined;
  }
}

export interface Session {
  readonly account: Account;
  /** The value of the session's cookie. */
  readonly secret: string;
}

/** Redirects requests without a session to the sign-in page. */
export async function requireSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessions: Sessions,
): Promise<FastifyReply | undefined> {
  request.session = await sessionOf(request, sessions);
  if (request.session) return undefined;
  const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
  return reply.redirect(`/sign-in${next}`, 303);
}

/** The session that one of the request's cookies belongs to. */
export async function sessionOf(
  request: FastifyRequest,
  sessions: Sessions,
): Promise<Session | undefined> {
  for (const secret of cookiesFrom(request.headers.cookie, '__Host-spool-session')) {
    const account = await sessions.find(secret);
    if (account) return { account, secret };
  }
  return undefined;
}

/** The session of a request that {@link requireSession} has accepted. */
export function requestSession(request: FastifyRequest): Session {
  if (!request.session) throw new Error('The route is not behind the session guard.');
  return request.session;
}

/** The part of the request's session that pages use. */
export function pageSession(request: FastifyRequest): PageSession {
  const { account, secret } = requestSession(request);
  return { email: account.email, token: formTokenFor(secret) };
}

/**
 * Refuses pages at 127.0.0.1, ::1 and localhost: browsers would send their cookies to every port there
 * and accept others from there. The studio's own name is not in the answer, which any program can
 * request.
 *
 * @throws {PageError}
 */
export function refuseSharedHost(request: FastifyRequest): void {
  if (isLoopbackHost(new URL(request.serviceOrigin).hostname)) throw PageError.otherAddress();
}

/**
 * Refuses a form of another site by the `Origin` header. Forms are secured by their token; this
 * only refuses foreign ones before they are read.
 *
 * @throws {PageError}
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (request.method === 'POST' && origin !== undefined && origin !== request.serviceOrigin) {
    throw PageError.foreignForm();
  }
}

/**
 * The fields of a form whose token belongs to one of these cookies.
 *
 * @throws {PageError}
 */
export function ownFields(request: FastifyRequest, ...cookies: readonly string[]): Form['fields'] {
  const form = request.body as Form | null | undefined;
  const token = form?.fields.get(TOKEN_FIELD);
  if (!form || !cookies.some((cookie) => isFormToken(token, cookie))) {
    throw PageError.foreignForm();
  }
  return form.fields;
}

export function sendPage(reply: FastifyReply, page: Html, statusCode = 200): FastifyReply {
  return reply.code(statusCode).type('text/html; charset=utf-8').send(page.toString());
}
