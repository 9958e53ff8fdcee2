/** The HTTP app of the service: routes, errors, limits of connections and the log. */
import { STATUS_CODES } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import swagger from '@fastify/swagger';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { ApiKeys } from '../accounts/api-keys.ts';
import type { RateLimits } from '../accounts/rate-limits.ts';
import type { Clock } from '../clock.ts';
import { removeContentHeaders } from '../content-headers.ts';
import type { DiskSpace } from '../disk-space.ts';
import { studio, type StudioParts } from '../studio/studio.ts';
import { ApiError, asApiError, bodyOf, notFound } from './errors.ts';
import { fileRoutes, type FileRouteParts } from './file-routes.ts';
import { frameRoutes, type FrameRouteParts } from './frame-routes.ts';
import {
  addressStatusOf,
  limitHeaders,
  rateLimitStatusOf,
  requireHttps,
  requireKey,
} from './guard.ts';
import { acceptOnlyJson, bodyLimiter } from './json-body.ts';
import { openApiDocument } from './openapi.ts';
import { isOwnHost, OriginReader } from './origin.ts';
import { compileValidator } from './request-validator.ts';
import { pictureRoutes, type PictureRouteParts } from './picture-routes.ts';
import { savedRoutes } from './saved-routes.ts';
import { videoRoutes, type VideoRouteParts } from './video-routes.ts';
import { WireDates } from './wire-dates.ts';

export interface AppParts
  extends
    Omit<VideoRouteParts, 'dates' | 'images'>,
    FileRouteParts,
    Omit<FrameRouteParts, 'images'> {
  readonly images: FrameRouteParts['images'] & PictureRouteParts['images'];
  readonly clock: Clock;
  readonly keys: ApiKeys;
  readonly limits: RateLimits;
  readonly disk: Pick<DiskSpace, 'makeRoom'>;
  readonly studio: StudioParts;
  /** Successful GET requests are logged at `debug`, everything else at `info` or above. */
  readonly log: Logger;
  /** Creates the HTTP server whose requests the app answers. */
  readonly createServer: (handler: RequestListener) => Server;
  /** Addresses of the proxies whose `X-Forwarded-*` headers are trusted. None by default. */
  readonly trustedProxies: string | undefined;
  /** The service's origin, for requests without a valid `Host`. Known once the service listens. */
  readonly ownOrigin: () => string;
  /** The host that the service listens on; `undefined` behind a proxy. */
  readonly ownHost: string | undefined;
  /** The studio's name on this computer; `undefined` behind a proxy and for other hosts. */
  readonly studioHost: string | undefined;
}

/** Maximum length of a path parameter; a longer one gets a 404. */
const MAX_PARAMETER = 1024;

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The HTTP interface of service-api.md, without a socket. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const dates = new WireDates();
  const app = createInstance(parts, dates);
  app.setValidatorCompiler(compileValidator);
  // The compiler and the tests check the responses, so they need no validation at run time.
  app.setSerializerCompiler(() => (response) => JSON.stringify(response));
  acceptOnlyJson(app);
  decorateRequests(app, parts);
  addHooks(app, parts, dates);
  handleErrors(app, parts.log);
  await addRoutes(app, parts, dates);
  return app;
}

/** With answers to requests that none of Fastify's routes and hooks see. */
function createInstance(parts: AppParts, dates: WireDates): FastifyInstance {
  const { log } = parts;
  /** Catches errors outside of Fastify's routes, where an error would end the process. */
  const logAndDestroy =
    (socket: Socket) =>
    (err: unknown): void => {
      log.error({ err }, 'a refusal could not be written');
      socket.destroy();
    };

  const fastifyLog: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance: fastifyLog,
    // One line per response is enough, and is written below.
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name the request themselves, so requests need no separate logger.
    childLoggerFactory: (logger) => logger,
    serverFactory: parts.createServer,
    trustProxy: parts.trustedProxies ?? false,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      errorResponse(asApiError(error), request.ip, parts, dates)
        .then(({ statusCode, headers, body }) => reply.raw.writeHead(statusCode, headers).end(body))
        .catch(logAndDestroy(request.raw.socket));
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else
        sendRawError(parseErrorOf(error.code), socket, parts, dates).catch(logAndDestroy(socket));
    },
  });
  // By default, Node closes the connection of a CONNECT request without a response.
  app.server.on('connect', (_request, socket: Socket) => {
    sendRawError(notFound(), socket, parts, dates).catch(logAndDestroy(socket));
  });
  return app;
}

function decorateRequests(app: FastifyInstance, parts: AppParts): void {
  const origins = new OriginReader();
  app.decorateRequest('account', undefined);
  app.decorateRequest('rateLimitStatus', undefined);
  app.decorateRequest('serviceOrigin', {
    getter() {
      const origin = origins.originOf(this.host);
      if (origin === undefined) return parts.ownOrigin();
      // A proxy decides which hosts it passes on.
      if (parts.ownHost === undefined) return origin;
      const { hostname } = new URL(origin);
      const isOwn =
        hostname === parts.studioHost ||
        isOwnHost(hostname, parts.ownHost, this.socket.localAddress);
      return isOwn ? origin : parts.ownOrigin();
    },
  });
}

function addHooks(app: FastifyInstance, parts: AppParts, dates: WireDates): void {
  const { clock, limits, log } = parts;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders);
    requireHttps(request);
    parts.disk.makeRoom();
    done();
  });
  app.addHook('onSend', async (request, reply) => {
    const rateLimitStatus = await rateLimitStatusOf(request, limits, clock);
    reply.headers(limitHeaders(rateLimitStatus, reply.statusCode, clock.now(), dates));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const level = request.method === 'GET' && reply.statusCode < 400 ? 'debug' : 'info';
    if (log.isLevelEnabled(level)) {
      const { method, url, account } = request;
      const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
      const status = reply.statusCode;
      const path = loggablePath(url);
      log[level]({ method, path, status, milliseconds, account: account?.id }, 'answered');
    }
    done();
  });
}

function handleErrors(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const apiError = asApiError(error);
    if (apiError.statusCode >= 500) {
      log.error({ err: error, path: loggablePath(request.url) }, 'failed');
    }
    if (!(error instanceof ApiError)) removeContentHeaders(reply);
    if (apiError.retryAfter !== undefined) reply.header('retry-after', apiError.retryAfter);
    return reply.code(apiError.statusCode).send(bodyOf(apiError));
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}

async function addRoutes(app: FastifyInstance, parts: AppParts, dates: WireDates): Promise<void> {
  const { keys, limits } = parts;
  const limitBodies = bodyLimiter();
  await app.register(swagger, {
    openapi: openApiDocument,
    transform: jsonSchemaTransform,
    // Pages and files are not part of the API.
    hideUntagged: true,
  });
  await app.register(
    async (api) => {
      api.get('/openapi.json', (request) => ({
        ...app.swagger(),
        servers: [{ url: request.serviceOrigin }],
      }));
      await api.register(async (guarded) => {
        guarded.addHook('onRequest', (request) => requireKey(request, keys, limits));
        guarded.addHook('preParsing', limitBodies);
        await guarded.register(videoRoutes, { ...parts, dates });
      });
    },
    { prefix: '/api/v1' },
  );
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', (request) => requireKey(request, keys, limits));
    guarded.addHook('preParsing', limitBodies);
    await guarded.register(frameRoutes, parts);
    await guarded.register(savedRoutes, parts);
  });
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', (request) => requireKey(request, keys, limits));
    await guarded.register(pictureRoutes, parts);
  });
  await app.register(fileRoutes, parts);
  await app.register(studio, { ...parts.studio, hasOwnHost: parts.studioHost !== undefined });
}

/** A request's path for the log, without its query and without anything that looks like a key. */
export function loggablePath(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/svc_live_[\w-]*/g, 'svc_live_…');
}

/** Answers an unparsable request with the API's error body, and closes the connection. */
async function sendRawError(
  error: ApiError,
  socket: Socket,
  parts: AppParts,
  dates: WireDates,
): Promise<void> {
  const address = socket.remoteAddress ?? '';
  const { statusCode, headers, body } = await errorResponse(error, address, parts, dates);
  const lines = Object.entries({ ...headers, connection: 'close' });
  socket.end(
    [
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
}

/** An error response for a request that Fastify's hooks do not see. */
async function errorResponse(
  error: ApiError,
  ip: string,
  { limits, clock }: AppParts,
  dates: WireDates,
): Promise<{ statusCode: number; headers: Record<string, string>; body: string }> {
  const { statusCode } = error;
  const body = JSON.stringify(bodyOf(error));
  const rateLimitStatus = await addressStatusOf(ip, limits, clock);
  const headers = {
    ...securityHeaders,
    ...limitHeaders(rateLimitStatus, statusCode, clock.now(), dates),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  };
  return { statusCode, headers, body };
}

function parseErrorOf(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(431, 'HEADERS_TOO_LARGE', 'The headers are longer than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.');
    default:
      return new ApiError(400, 'INVALID_REQUEST', 'The request could not be read.');
  }
}
