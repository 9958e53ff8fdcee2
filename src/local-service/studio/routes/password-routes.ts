import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { SESSION_LIFE_MS, type Sessions } from '../../accounts/sessions.ts';
import { setCookie } from '../identity/cookies.ts';
import { formTokenFor } from '../identity/form-token.ts';
import { issueOfPassword } from '../identity/passwords.ts';
import { passwordPage } from '../pages/password-page.ts';
import {
  type ConfirmationParts,
  CURRENT_PASSWORD,
  refusalOfPassword,
} from './password-confirmation.ts';
import { ownFields, sendPage, pageSession, requestSession } from './session.ts';

export interface PasswordParts extends ConfirmationParts {
  readonly sessions: Sessions;
}

/** Changes the password of a user who knows the current one, and ends all sessions. */
export const passwordRoutes: FastifyPluginCallback<PasswordParts> = (app, parts, done) => {
  const { passwords, sessions } = parts;

  app.get('/settings/password', (request, reply) =>
    sendPage(reply, passwordPage(pageSession(request), new Map(), false)),
  );

  app.post('/settings/password', async (request, reply) => {
    const { account, secret } = requestSession(request);
    const fields = ownFields(request, secret);
    const password = fields.get('password') ?? '';
    const again = (field: string, issue: string, statusCode: number): FastifyReply =>
      sendPage(
        reply,
        passwordPage(pageSession(request), new Map([[field, issue]]), false),
        statusCode,
      );

    const issue = issueOfPassword(password);
    if (issue !== undefined) return again('password', issue, 422);
    const refusal = await refusalOfPassword(request, parts, account, fields);
    if (refusal !== null) return again(CURRENT_PASSWORD, refusal.issue, refusal.statusCode);
    await passwords.set(account, password);
    const next = await sessions.start(account);
    reply.header('set-cookie', setCookie('__Host-spool-session', next, SESSION_LIFE_MS));
    const signed = { email: account.email, token: formTokenFor(next) };
    return sendPage(reply, passwordPage(signed, new Map(), true));
  });

  app.post('/settings/password/sign-out', async (request, reply) => {
    const { account, secret } = requestSession(request);
    ownFields(request, secret);
    await sessions.endAll(account);
    reply.header('set-cookie', setCookie('__Host-spool-session', '', 0));
    return reply.redirect('/sign-in', 303);
  });
  done();
};
