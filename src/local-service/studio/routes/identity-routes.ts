import { randomBytes } from 'node:crypto';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Account, emailSchema } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { BROWSER_LIFE_MS, type KnownBrowsers } from '../../accounts/known-browsers.ts';
import { SESSION_LIFE_MS, type Sessions } from '../../accounts/sessions.ts';
import { networkOf } from '../../api/guard.ts';
import type { Clock } from '../../clock.ts';
import { DomainError } from '../../domain-error.ts';
import type { Html } from '../html.ts';
import { type Attempts, tooManyAttempts } from '../identity/attempts.ts';
import { cookiesFrom, setCookie } from '../identity/cookies.ts';
import { formTokenFor } from '../identity/form-token.ts';
import type { PasswordService } from '../identity/password-service.ts';
import { issueOfPassword } from '../identity/passwords.ts';
import type { Issues } from '../pages/fields.ts';
import { type IdentityForm, signInPage, signUpPage } from '../pages/identity-pages.ts';
import { ownFields, sendPage, sessionOf } from './session.ts';

export interface IdentityParts {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly passwords: PasswordService;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly attempts: Attempts;
}

/** How long a sign-in form may stay open, in milliseconds. */
const VISITOR_LIFE_MS = 24 * 60 * 60 * 1000;

const NO_EMAIL = 'Enter an email address such as you@example.com.';
/** Paths that a sign-in may redirect to, never to another site. */
const nextSchema = z.string().regex(/^\/(?:studio|settings)(?:\/[\w-]+)*$/);

/** The routes to sign up, sign in and sign out. */
export const identityRoutes: FastifyPluginCallback<IdentityParts> = (app, parts, done) => {
  const { clock, accounts, passwords, sessions, browsers, attempts } = parts;

  app.get('/sign-in', async (request, reply) => {
    if (await isSignedIn(request)) return reply.redirect('/studio', 303);
    const { next } = request.query as { next?: unknown };
    return sendForm(request, reply, signInPage, { next: nextSchema.safeParse(next).data });
  });

  app.get('/sign-up', async (request, reply) =>
    (await isSignedIn(request))
      ? reply.redirect('/studio', 303)
      : sendForm(request, reply, signUpPage, {}),
  );

  app.post('/sign-in', async (request, reply) => {
    const fields = visitorFields(request);
    const email = (fields.get('email') ?? '').trim();
    const next = nextSchema.safeParse(fields.get('next')).data;
    const again = (issue: string, statusCode: number): FastifyReply =>
      sendForm(
        request,
        reply,
        signInPage,
        { email, next, issues: issueAt('email', issue) },
        statusCode,
      );

    if (!emailSchema.safeParse(email).success) return again(NO_EMAIL, 422);
    const knownBrowser = await knownBrowserOf(request, email);
    const attempt = attempts.signIn({ email, network: networkOf(request.ip), knownBrowser });
    if (attempt.kind === 'refused') {
      request.rateLimitStatus = { remaining: 0, resetAt: attempt.until };
      return again(tooManyAttempts(attempt.until, clock.now()), 429);
    }
    if (!(await passwords.check(email, fields.get('password') ?? ''))) {
      return again('The email address or the password is not right.', 401);
    }
    attempt.succeeded();
    await signIn(request, reply, await accounts.withEmail(email), knownBrowser);
    return reply.redirect(next ?? '/studio', 303);
  });

  app.post('/sign-up', async (request, reply) => {
    const fields = visitorFields(request);
    const email = (fields.get('email') ?? '').trim();
    const password = fields.get('password') ?? '';
    const again = (issues: Issues, statusCode: number): FastifyReply =>
      sendForm(request, reply, signUpPage, { email, issues }, statusCode);

    const issues = new Map<string, string>();
    if (!emailSchema.safeParse(email).success) issues.set('email', NO_EMAIL);
    const passwordIssue = issueOfPassword(password);
    if (passwordIssue !== undefined) issues.set('password', passwordIssue);
    if (issues.size > 0) return again(issues, 422);

    const refusedUntil = attempts.signUpRefusedUntil(networkOf(request.ip));
    if (refusedUntil !== undefined) {
      request.rateLimitStatus = { remaining: 0, resetAt: refusedUntil };
      return again(issueAt('email', tooManyAttempts(refusedUntil, clock.now())), 429);
    }
    try {
      const account = await passwords.signUp({ email, plan: 'free' }, password);
      await signIn(request, reply, account, undefined);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return again(
        issueAt('email', 'There is an account with this address. Sign in instead.'),
        409,
      );
    }
    return reply.redirect('/studio', 303);
  });

  app.post('/sign-out', async (request, reply) => {
    const session = await sessionOf(request, sessions);
    if (!session) return reply.redirect('/sign-in', 303);
    ownFields(request, session.secret);
    await endSessions(request);
    reply.header('set-cookie', setCookie('__Host-spool-session', '', 0));
    return reply.redirect('/sign-in', 303);
  });
  done();

  /** Replaces the sessions of the request: without their cookie, no user could end them. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    knownBrowser: string | undefined,
  ): Promise<void> {
    await endSessions(request);
    const secret = await sessions.start(account);
    const browser = await browsers.remember(account, knownBrowser);
    reply.header('set-cookie', [
      setCookie('__Host-spool-session', secret, SESSION_LIFE_MS),
      setCookie('__Host-spool-browser', browser, BROWSER_LIFE_MS),
    ]);
  }

  async function endSessions({ headers }: FastifyRequest): Promise<void> {
    const secrets = cookiesFrom(headers.cookie, '__Host-spool-session');
    for (const secret of secrets) await sessions.end(secret);
  }

  async function knownBrowserOf(
    request: FastifyRequest,
    email: string,
  ): Promise<string | undefined> {
    return browsers.find(email, cookiesFrom(request.headers.cookie, '__Host-spool-browser'));
  }

  async function isSignedIn(request: FastifyRequest): Promise<boolean> {
    return (await sessionOf(request, sessions)) !== undefined;
  }
};

function visitorFields(request: FastifyRequest): ReadonlyMap<string, string> {
  return ownFields(request, ...cookiesFrom(request.headers.cookie, '__Host-spool-visitor'));
}

/** Sends a form to a visitor, with a new cookie for the form's token if there is none. */
function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  page: (form: IdentityForm) => Html,
  contents: Partial<Omit<IdentityForm, 'token'>>,
  statusCode = 200,
): FastifyReply {
  let [cookie] = cookiesFrom(request.headers.cookie, '__Host-spool-visitor');
  if (cookie === undefined) {
    cookie = randomBytes(32).toString('base64url');
    reply.header('set-cookie', setCookie('__Host-spool-visitor', cookie, VISITOR_LIFE_MS));
  }
  const form = { email: '', issues: new Map<string, string>(), ...contents };
  return sendPage(reply, page({ ...form, token: formTokenFor(cookie) }), statusCode);
}

function issueAt(field: string, issue: string): Issues {
  return new Map([[field, issue]]);
}
