import http from 'node:http';
import https from 'node:https';
import { obtainCertificate, renewalDue, type ServerCertificate } from './certificate.ts';
import type { Clock } from './clock.ts';

/** How long a client may hold a connection that it does not use; milliseconds. */
export interface ServerTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headers: number;
  /** From the first byte of a request to its last. */
  readonly request: number;
  /** While nothing moves in either direction, as when a download is not read. */
  readonly silence: number;
}

const DEFAULT_TIMEOUTS: ServerTimeouts = { headers: 10_000, request: 30_000, silence: 60_000 };

const KEEP_ALIVE_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;
const MAX_HEADERS_BYTES = 16 * 1024;
const CERTIFICATE_CHECK_MS = 12 * 60 * 60 * 1000;

/** The server that reads requests off the connections it is handed; HTTPS if it has a certificate. */
export function createHttpServer(
  handler: http.RequestListener,
  certificate: ServerCertificate | undefined,
  timeouts: ServerTimeouts = DEFAULT_TIMEOUTS,
): http.Server {
  const limits = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: Math.min(2_000, timeouts.headers / 2),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    // The service answers such requests itself, with its own error body.
    requireHostHeader: false,
  };
  const server = certificate
    ? https.createServer(
        {
          ...limits,
          handshakeTimeout: TLS_HANDSHAKE_MS,
          minVersion: 'TLSv1.2',
          key: certificate.key,
          cert: certificate.cert,
        },
        handler,
      )
    : http.createServer(limits, handler);
  server.setTimeout(timeouts.silence);
  // A request with an `Expect` that Node does not know is answered like any other.
  server.on('checkExpectation', handler);
  return server;
}

export interface CertificateKeeper {
  readonly dataDir: string;
  readonly host: string;
  readonly clock: Clock;
  /** Called when there is no new certificate; it is tried again half a day later. */
  readonly onFailure: (error: unknown) => void;
}

/** Exchanges the server's certificate in time, while it runs. Disposing of the result ends that. */
export function keepCertificateFresh(
  server: http.Server,
  first: ServerCertificate,
  { dataDir, host, clock, onFailure }: CertificateKeeper,
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
