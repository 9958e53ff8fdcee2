import multipart from '@fastify/multipart';
import type { FastifyPluginAsync } from 'fastify';
import { ApiError } from '../api/errors.ts';
import { parseUrlEncoded } from './form-body.ts';
import { errorPage } from './pages/error-page.ts';
import { PageError } from './page-error.ts';
import { assetRoutes } from './routes/asset-routes.ts';
import { identityRoutes, type IdentityParts } from './routes/identity-routes.ts';
import { makingRoutes, type MakingParts } from './routes/making-routes.ts';
import { settingsRoutes, type SettingsParts } from './routes/settings-routes.ts';
import { passwordRoutes, type PasswordParts } from './routes/password-routes.ts';
import {
  refuseForeignOrigin,
  refuseSharedHost,
  requireSession,
  sendPage,
} from './routes/session.ts';
import { removeContentHeaders } from '../content-headers.ts';
import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

export type StudioParts = IdentityParts & PasswordParts & SettingsParts & MakingParts;

export type StudioOptions = StudioParts & {
  /** Whether the pages have a host name for themselves on this computer. */
  readonly hasOwnHost: boolean;
};

const MAX_FIELD_BYTES = 64 * 1024;

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Not `no-referrer`, with which browsers would hide the origin of a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Dashboard and studio (service-api.md §1, §2.1, §3): pages for the user of an account. Everything
 * works without scripts; with them, progress is live and a button copies keys.
 */
export const studio: FastifyPluginAsync<StudioOptions> = async (app, parts) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FIELD_BYTES },
    (_request, body, done) => done(null, parseUrlEncoded(body.toString())),
  );
  await app.register(multipart);

  app.decorateRequest('session', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(pageHeaders);
    if (parts.hasOwnHost) refuseSharedHost(request);
    refuseForeignOrigin(request);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const pageError = asPageError(error);
    removeContentHeaders(reply);
    if (pageError.statusCode >= 500) request.log.error({ err: error }, 'page failed');
    return sendPage(reply, errorPage(pageError), pageError.statusCode);
  });

  app.get('/', (_request, reply) => reply.redirect('/studio', 303));
  await app.register(assetRoutes);
  await app.register(identityRoutes, parts);
  await app.register(async (signed) => {
    signed.addHook('onRequest', (request, reply) => requireSession(request, reply, parts.sessions));
    await signed.register(passwordRoutes, parts);
    await signed.register(settingsRoutes, parts);
    await signed.register(makingRoutes, parts);
  });
};

function asPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof CommitUncertainError) return PageError.outcomeUnknown();
  if (error instanceof DatabaseUnavailableError) return PageError.databaseUnavailable();
  if (error instanceof StorageOutageError) return PageError.filesUnavailable();
  if (error instanceof BlobDamagedError) return PageError.fileDamaged();
  if (error instanceof ApiError) {
    return new PageError(error.statusCode, 'That did not work', error.message);
  }
  const statusCode = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (statusCode === 413) return PageError.tooLarge();
  return typeof statusCode === 'number' && statusCode < 500
    ? PageError.foreignForm()
    : PageError.broken();
}
