import http from 'node:http';
import https from 'node:https';
import { obtainCertificate, renewalDue, type ServerCertificate } from './certificate.ts';
import type { Clock } from './clock.ts';

/** Limits on clients that hold a connection and send nothing, or send it drop by drop. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  // The service answers such requests itself, with its own error body.
  requireHostHeader: false,
};
/** A connection on which nothing moves for this long is closed, in either direction. */
const SILENT_CONNECTION_MS = 60_000;
const TLS_HANDSHAKE_MS = 10_000;
const CERTIFICATE_CHECK_MS = 12 * 60 * 60 * 1000;

/** The server that reads requests off the connections it is handed; HTTPS if it has a certificate. */
export function createHttpServer(
  handler: http.RequestListener,
  certificate: ServerCertificate | undefined,
): http.Server {
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
  server.setTimeout(SILENT_CONNECTION_MS);
  // A request with an `Expect` that Node does not know is answered like any other.
  server.on('checkExpectation', handler);
  return server;
}

/** Exchanges the server's certificate in time, while it runs. Disposing of the result ends that. */
export function keepCertificateFresh(
  server: http.Server,
  first: ServerCertificate,
  { dataDir, host, clock }: { dataDir: string; host: string; clock: Clock },
): Disposable {
  if (!(server instanceof https.Server)) throw new TypeError('not an HTTPS server');
  let due = renewalDue(first);
  const renew = async (): Promise<void> => {
    if (clock.now() < due) return;
    const next = await obtainCertificate(dataDir, host, clock.now());
    server.setSecureContext({ key: next.key, cert: next.cert, minVersion: 'TLSv1.2' });
    due = renewalDue(next);
  };
  const timer = setInterval(() => void renew(), CERTIFICATE_CHECK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
