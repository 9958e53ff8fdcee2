import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { innermostCode, type Break } from './exchange.ts';

export type OpenedSocket =
  | { readonly kind: 'connected'; readonly socket: Socket }
  | { readonly kind: 'failed'; readonly cause: Break };

/** Opens a TLS connection to an https origin and verifies its certificate. Sends no HTTP. */
export function openSocket(
  origin: URL,
  options: buildConnector.BuildOptions,
  signal?: AbortSignal,
): Promise<OpenedSocket> {
  return new Promise((resolve) => {
    const stopped = (): void => resolve({ kind: 'failed', cause: { why: 'stopped' } });
    if (signal?.aborted) {
      stopped();
      return;
    }
    signal?.addEventListener('abort', stopped, { once: true });
    buildConnector(options)(
      {
        host: origin.host,
        hostname: origin.hostname.replace(/^\[(.*)\]$/, '$1'),
        protocol: origin.protocol,
        port: origin.port,
      },
      (error, socket) => {
        signal?.removeEventListener('abort', stopped);
        if (error) {
          const cause = { why: 'connection', code: innermostCode(error) } as const;
          resolve({ kind: 'failed', cause });
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
