import http from 'node:http';
import https from 'node:https';
import { obtainCertificate, renewalDue, type ServerCertificate } from './certificate.ts';
import { limitBodyTime } from './body-time.ts';
import { type After, type Clock, systemAfter } from './clock.ts';

/** How long a client may take, in milliseconds, before its connection is closed. */
export interface ServerTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headers: number;
  /** From the end of its headers to its last byte; of an upload, a period with progress (`body-time.ts`). */
  readonly body: number;
  /** Without a byte in either direction, as when a download is not read. */
  readonly silence: number;
}

export interface HttpServerOptions {
  readonly timeouts?: ServerTimeouts;
  /** For the time of bodies. Default: the system's timers. */
  readonly after?: After;
}

const DEFAULT_TIMEOUTS: ServerTimeouts = { headers: 10_000, body: 30_000, silence: 60_000 };

/** Node's own code for a request that takes too long. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

const KEEP_ALIVE_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;
const MAX_HEADERS_BYTES = 16 * 1024;
const CERTIFICATE_CHECK_MS = 12 * 60 * 60 * 1000;

/**
 * Creates a server that does not listen; connections are passed to it. HTTPS with a certificate.
 */
export function createHttpServer(
  handler: http.RequestListener,
  certificate: ServerCertificate | undefined,
  { timeouts = DEFAULT_TIMEOUTS, after = systemAfter }: HttpServerOptions = {},
): http.Server {
  const limits = {
    headersTimeout: timeouts.headers,
    // It would end uploads that make progress.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(2_000, timeouts.headers / 2),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    // Otherwise Node refuses requests without `Host` itself, without an error body.
    requireHostHeader: false,
  };
  const handleInTime: http.RequestListener = (request, response) => {
    const refuse = (): void => {
      const error = Object.assign(new Error('The body is late.'), { code: LATE });
      if (!server.emit('clientError', error, request.socket)) request.socket.destroy();
    };
    limitBodyTime(request, { periodMs: timeouts.body, after, refuse });
    handler(request, response);
  };
  const server: http.Server = certificate
    ? https.createServer(
        {
          ...limits,
          handshakeTimeout: TLS_HANDSHAKE_MS,
          minVersion: 'TLSv1.2',
          key: certificate.key,
          cert: certificate.cert,
        },
        handleInTime,
      )
    : http.createServer(limits, handleInTime);
  server.setTimeout(timeouts.silence);
  // Without this, Node answers 417 to an unknown `Expect` header.
  server.on('checkExpectation', handleInTime);
  return server;
}

export interface CertificateRenewalOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly clock: Clock;
  /** Called when a renewal fails; the next attempt is twelve hours later. */
  readonly onFailure: (error: unknown) => void;
}

/** Renews a running server's certificate before it expires, until the result is disposed. */
export function keepCertificateFresh(
  server: http.Server,
  first: ServerCertificate,
  { dataDir, host, clock, onFailure }: CertificateRenewalOptions,
): Disposable {
  if (!(server instanceof https.Server)) throw new TypeError('not an HTTPS server');
  let due = renewalDue(first);
  const renew = async (): Promise<void> => {
    if (clock.now() < due) return;
    const next = await obtainCertificate(dataDir, host, clock.now());
    server.setSecureContext({ key: next.key, cert: next.cert, minVersion: 'TLSv1.2' });
    due = renewalDue(next);
  };
  const timer = setInterval(() => void renew().catch(onFailure), CERTIFICATE_CHECK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
