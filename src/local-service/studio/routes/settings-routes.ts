import type { FastifyPluginCallback } from 'fastify';
import type { Account, Endpoint } from '../../accounts/account.ts';
import type { ApiKeys } from '../../accounts/api-keys.ts';
import type { RateLimits } from '../../accounts/rate-limits.ts';
import { DomainError } from '../../domain-error.ts';
import type { Gallery } from '../gallery.ts';
import {
  createdKeyPage,
  keyPage,
  type LimitShown,
  newKeyPage,
  planPage,
  revokeKeyPage,
} from '../pages/settings-pages.ts';
import {
  type ConfirmationParts,
  CURRENT_PASSWORD,
  refusalOfPassword,
} from './password-confirmation.ts';
import { ownFields, sendPage, pageSession, requestSession } from './session.ts';

export interface SettingsParts extends ConfirmationParts {
  readonly keys: ApiKeys;
  readonly limits: RateLimits;
  readonly gallery: Gallery;
}

const KEY_PATH = '/settings/developer-api';

const endpoints: readonly { endpoint: Endpoint; label: string; request: string }[] = [
  { endpoint: 'generate', label: 'Generate', request: 'POST /video/generate' },
  { endpoint: 'status', label: 'Status', request: 'GET /video/status/{id}' },
  { endpoint: 'download', label: 'Download', request: 'GET /video/download/{id}' },
];

/** The settings: API key (service-api.md §2.1, §3, §5 rule 3), plan and usage (§8). */
export const settingsRoutes: FastifyPluginCallback<SettingsParts> = (app, parts, done) => {
  const { keys, limits, gallery } = parts;
  const limitsOf = (account: Account): Promise<LimitShown[]> =>
    Promise.all(
      endpoints.map(async ({ endpoint, label, request }) => ({
        label,
        request,
        ...limits.limitOf(account, endpoint),
        rateLimitStatus: await limits.accountStatus(account, endpoint),
      })),
    );

  app.get('/settings', (_request, reply) => reply.redirect('/settings/plan', 303));

  app.get('/settings/plan', async (request, reply) => {
    const { account } = requestSession(request);
    const [quota, shown] = await Promise.all([gallery.quota(account), limitsOf(account)]);
    return sendPage(reply, planPage(pageSession(request), account, quota, shown));
  });

  app.get(KEY_PATH, async (request, reply) => {
    const key = await keys.activeKey(requestSession(request).account);
    return sendPage(reply, keyPage(pageSession(request), key));
  });

  app.get(`${KEY_PATH}/new`, async (request, reply) =>
    (await keys.activeKey(requestSession(request).account))
      ? reply.redirect(KEY_PATH, 303)
      : sendPage(reply, newKeyPage(pageSession(request), '', new Map())),
  );

  app.post(`${KEY_PATH}/new`, async (request, reply) => {
    const { account, secret } = requestSession(request);
    const fields = ownFields(request, secret);
    const name = fields.get('name') ?? '';
    const refusal = await refusalOfPassword(request, parts, account, fields);
    if (refusal !== null) {
      const issues = new Map([[CURRENT_PASSWORD, refusal.issue]]);
      return sendPage(reply, newKeyPage(pageSession(request), name, issues), refusal.statusCode);
    }
    try {
      const key = await keys.create(account, name);
      return await sendPage(reply, createdKeyPage(pageSession(request), key.name, key.value));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const issues = new Map([['name', sentenceFor(error)]]);
      const statusCode = error.code === 'KEY_ACTIVE' ? 409 : 422;
      return sendPage(reply, newKeyPage(pageSession(request), name, issues), statusCode);
    }
  });

  app.get(`${KEY_PATH}/revoke`, async (request, reply) => {
    const key = await keys.activeKey(requestSession(request).account);
    return key
      ? sendPage(reply, revokeKeyPage(pageSession(request), key, new Map()))
      : reply.redirect(KEY_PATH, 303);
  });

  app.post(`${KEY_PATH}/revoke`, async (request, reply) => {
    const { account, secret } = requestSession(request);
    const fields = ownFields(request, secret);
    const key = await keys.activeKey(account);
    // The form was sent twice, or the key was revoked in another window.
    if (!key) return reply.redirect(KEY_PATH, 303);
    const refusal = await refusalOfPassword(request, parts, account, fields);
    if (refusal !== null) {
      const issues = new Map([[CURRENT_PASSWORD, refusal.issue]]);
      return sendPage(reply, revokeKeyPage(pageSession(request), key, issues), refusal.statusCode);
    }
    try {
      await keys.revoke(account);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'KEY_MISSING') throw error;
    }
    return reply.redirect(KEY_PATH, 303);
  });
  done();
};

function sentenceFor(error: DomainError): string {
  return error.code === 'KEY_ACTIVE'
    ? 'This account has a key already. Revoke it before you generate another.'
    : 'Give the key a name of 1 to 64 characters.';
}
