import type { FastifyPluginCallback } from 'fastify';
import type { Account, Endpoint } from '../../accounts/account.ts';
import type { KeyStore } from '../../accounts/key-store.ts';
import type { RateLimits } from '../../accounts/rate-limits.ts';
import { Refusal } from '../../refusal.ts';
import type { Gallery } from '../gallery.ts';
import {
  createdKeyPage,
  keyPage,
  type LimitShown,
  newKeyPage,
  planPage,
  revokeKeyPage,
} from '../pages/settings-pages.ts';
import { ownFields, sendPage, signedOf, visitOf } from './visit.ts';

export interface SettingsParts {
  readonly keys: KeyStore;
  readonly limits: RateLimits;
  readonly gallery: Gallery;
}

const KEY_PATH = '/settings/developer-api';

const endpoints: readonly { endpoint: Endpoint; label: string; request: string }[] = [
  { endpoint: 'generate', label: 'Generate', request: 'POST /video/generate' },
  { endpoint: 'status', label: 'Status', request: 'GET /video/status/{id}' },
  { endpoint: 'download', label: 'Download', request: 'GET /video/download/{id}' },
];

/** Settings: the API key (service-api.md §2.1, §3, §5 rule 3), plan and usage (§8). */
export const settingsRoutes: FastifyPluginCallback<SettingsParts> = (app, parts, done) => {
  const { keys, limits, gallery } = parts;
  const limitsOf = (account: Account): LimitShown[] =>
    endpoints.map(({ endpoint, label, request }) => ({
      label,
      request,
      ...limits.limitOf(account, endpoint),
      standing: limits.standingOfAccount(account, endpoint),
    }));

  app.get('/settings', (_request, reply) => reply.redirect('/settings/plan', 303));

  app.get('/settings/plan', (request, reply) => {
    const { account } = visitOf(request);
    const page = planPage(signedOf(request), account, gallery.quota(account), limitsOf(account));
    return sendPage(reply, page);
  });

  app.get(KEY_PATH, (request, reply) =>
    sendPage(reply, keyPage(signedOf(request), keys.activeKey(visitOf(request).account))),
  );

  app.get(`${KEY_PATH}/new`, (request, reply) =>
    keys.activeKey(visitOf(request).account)
      ? reply.redirect(KEY_PATH, 303)
      : sendPage(reply, newKeyPage(signedOf(request), '', new Map())),
  );

  app.post(`${KEY_PATH}/new`, (request, reply) => {
    const { account, secret } = visitOf(request);
    const name = ownFields(request, secret).get('name') ?? '';
    try {
      const key = keys.create(account, name);
      return sendPage(reply, createdKeyPage(signedOf(request), key.name, key.value));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const faults = new Map([['name', sentenceFor(error)]]);
      const statusCode = error.code === 'KEY_ACTIVE' ? 409 : 422;
      return sendPage(reply, newKeyPage(signedOf(request), name, faults), statusCode);
    }
  });

  app.get(`${KEY_PATH}/revoke`, (request, reply) => {
    const key = keys.activeKey(visitOf(request).account);
    return key
      ? sendPage(reply, revokeKeyPage(signedOf(request), key))
      : reply.redirect(KEY_PATH, 303);
  });

  app.post(`${KEY_PATH}/revoke`, (request, reply) => {
    const { account, secret } = visitOf(request);
    ownFields(request, secret);
    if (keys.activeKey(account)) keys.revoke(account);
    return reply.redirect(KEY_PATH, 303);
  });
  done();
};

function sentenceFor(refusal: Refusal): string {
  return refusal.code === 'KEY_ACTIVE'
    ? 'This account has a key already. Revoke it before you generate another.'
    : 'Give the key a name of 1 to 64 characters.';
}
