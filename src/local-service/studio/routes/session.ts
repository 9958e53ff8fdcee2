import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import { type Form, TOKEN_FIELD } from '../form-body.ts';
import type { Html } from '../html.ts';
import { cookiesFrom } from '../identity/cookies.ts';
import { formTokenFor, isFormToken } from '../identity/form-token.ts';
import type { PageSession } from '../pages/layout.ts';
import { PageError } from '../page-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; only routes behind {@link requireSession} may ask. */
    visit: Session | undefined;
  }
}

export interface Session {
  readonly account: Account;
  /** The value of the session's cookie. */
  readonly secret: string;
}

/** Lets requests of signed-in users through, and redirects others to the sign-in page. */
export async function requireSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessions: Sessions,
): Promise<FastifyReply | undefined> {
  request.visit = await sessionOf(request, sessions);
  if (request.visit) return undefined;
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

/** Who is behind a request that {@link requireSession} let through. */
export function requestSession(request: FastifyRequest): Session {
  if (!request.visit) throw new Error('The route is not behind the session guard.');
  return request.visit;
}

/** The same, as pages show it. */
export function pageSession(request: FastifyRequest): PageSession {
  const { account, secret } = requestSession(request);
  return { email: account.email, token: formTokenFor(secret) };
}

/**
 * Refuses a form that another site sent: browsers say where a form comes from. The token is what
 * holds; this only turns foreigners away before anything is read.
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
 * The fields of a form that was made for the owner of one of these cookies.
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
