import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { hostOf, type FindProxy } from '../proxy.ts';
import { openTunnel } from '../tunnel.ts';
import { breakOf, type Break } from './exchange.ts';

export type OpenedSocket =
  | { readonly kind: 'connected'; readonly socket: Socket }
  | { readonly kind: 'failed'; readonly cause: Break };

export interface ConnectorOptions {
  readonly findProxy: FindProxy;
  /** Milliseconds to a verified TLS connection, and as many for each step of a proxy before it. */
  readonly timeoutMs: number;
  /** PEM of the one certificate authority to trust instead of the system's. */
  readonly ca?: string | undefined;
}

/**
 * An undici connector: TLS to an https origin, through its proxy if it has one, with its
 * certificate verified.
 */
export function secureConnector({
  findProxy,
  timeoutMs,
  ca,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    // Explicit, because an environment variable may have disabled it for the process.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return (to, callback) => {
    openTunnel(new URL(`${to.protocol}//${to.host}`), findProxy, { timeoutMs }).then(
      (tunnel) => connect(tunnel === null ? to : { ...to, httpSocket: tunnel }, callback),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

/** Opens a TLS connection to an https origin and verifies its certificate. Sends no HTTP. */
export function openSocket(
  origin: URL,
  connect: buildConnector.connector,
  signal?: AbortSignal,
): Promise<OpenedSocket> {
  return new Promise((resolve) => {
    const stopped = (): void => resolve({ kind: 'failed', cause: { why: 'stopped' } });
    if (signal?.aborted) {
      stopped();
      return;
    }
    signal?.addEventListener('abort', stopped, { once: true });
    connect(
      {
        host: origin.host,
        hostname: hostOf(origin),
        protocol: origin.protocol,
        port: origin.port,
      },
      (error, socket) => {
        signal?.removeEventListener('abort', stopped);
        if (error) {
          resolve({ kind: 'failed', cause: breakOf(error) });
        } else if (signal?.aborted) {
          socket.destroy();
        } else {
          resolve({ kind: 'connected', socket });
        }
      },
    );
  });
}

/** An undici connector that returns one open socket, once: a second request has no connection. */
export function useOnce(socket: Socket): buildConnector.connector {
  let isFree = true;
  return (_options, callback) => {
    // undici ignores a callback that comes before its own call has returned.
    queueMicrotask(() => {
      if (isFree && !socket.destroyed) {
        isFree = false;
        callback(null, socket);
      } else {
        callback(new SocketGoneError(), null);
      }
    });
  };
}

class SocketGoneError extends Error {
  override readonly name = 'SocketGoneError';
  readonly code = 'ECONNRESET';
}
