import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { SESSION_LIFE_MS, type Sessions } from '../../accounts/sessions.ts';
import type { Clock } from '../../clock.ts';
import { type Attempts, tooManyAttempts } from '../identity/attempts.ts';
import { setCookie } from '../identity/cookies.ts';
import { formTokenFor } from '../identity/form-token.ts';
import type { PasswordService } from '../identity/password-service.ts';
import { faultOfPassword } from '../identity/passwords.ts';
import { passwordPage } from '../pages/password-page.ts';
import { ownFields, sendPage, pageSession, requestSession } from './session.ts';

export interface PasswordParts {
  readonly clock: Clock;
  readonly passwords: PasswordService;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
}

/** Changes the password of a user who knows the current one. */
export const passwordRoutes: FastifyPluginCallback<PasswordParts> = (app, parts, done) => {
  const { clock, passwords, sessions, attempts } = parts;

  app.get('/settings/password', (request, reply) =>
    sendPage(reply, passwordPage(pageSession(request), new Map(), false)),
  );

  app.post('/settings/password', async (request, reply) => {
    const { account, secret } = requestSession(request);
    const fields = ownFields(request, secret);
    const password = fields.get('password') ?? '';
    const again = (field: string, fault: string, statusCode: number): FastifyReply =>
      sendPage(
        reply,
        passwordPage(pageSession(request), new Map([[field, fault]]), false),
        statusCode,
      );

    const fault = faultOfPassword(password);
    if (fault !== undefined) return again('password', fault, 422);
    // Guesses in a session that was left open are slowed down too.
    const attempt = attempts.confirm(account.email);
    if (attempt.kind === 'refused') {
      request.rateLimitStatus = { remaining: 0, resetAt: attempt.until };
      return again('current', tooManyAttempts(attempt.until, clock.now()), 429);
    }
    if (!(await passwords.check(account.email, fields.get('current') ?? ''))) {
      return again('current', 'This is not your current password.', 422);
    }
    attempt.succeeded();
    await passwords.set(account, password);
    const next = await sessions.start(account);
    reply.header('set-cookie', setCookie('__Host-spool-session', next, SESSION_LIFE_MS));
    const signed = { email: account.email, token: formTokenFor(next) };
    return sendPage(reply, passwordPage(signed, new Map(), true));
  });
  done();
};
