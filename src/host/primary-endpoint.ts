import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { implement } from '@orpc/server';
import { WebSocketServer } from 'ws';
import { choosePrimaryAddress } from './primary-address.ts';
import { sendsFailures } from './implement-contract.ts';
import {
  FOLDER_HEADER,
  PRIMARY_HOST,
  SERVICE_HEADER,
  primaryContract,
  type PrimaryProcess,
  type UsedService,
  type WantedService,
} from './primary-contract.ts';
import type { Router } from './router.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { MAX_MESSAGE_BYTES, serveWebSocket, type OnDefect } from './serve-contract.ts';

export interface PrimaryEndpoint {
  /** Ends running calls. */
  close(): Promise<void>;
}

export interface PrimaryEndpointOptions {
  /** Absolute path. The caller holds its lock. */
  readonly dataDir: string;
  readonly router: Router;
  /** Answers calls about one service, whichever is shown. */
  readonly routerAt: (origin: string) => Router;
  /**
   * Called for each request: the settings may switch to another service.
   * @param origin of the service that the connection is about; `null` for the one that is shown
   */
  readonly primary: (origin: string | null) => PrimaryProcess;
  readonly use: (wanted: WantedService) => Promise<UsedService>;
  readonly onDefect: OnDefect;
}

/**
 * Answers the contract to other processes of this user, so that a second Spool works with this one.
 * No page can reach it: browsers open neither Unix sockets nor pipes. If a program forwards a port
 * to it, a browser still sends the page (`Origin`) or the port (`Host`), and is refused. So is a
 * process that means another data folder, such as a copy of this one.
 *
 * @throws the system's error where no endpoint is possible, as on some network drives
 */
export async function openPrimaryEndpoint(
  options: PrimaryEndpointOptions,
): Promise<PrimaryEndpoint> {
  const { dataDir, primary, use, onDefect } = options;
  const endpointAddress = await choosePrimaryAddress(dataDir);
  const os = implement(primaryContract).use(sendsFailures);
  const routerOf = (origin: string | null) => ({
    ...(origin === null ? options.router : options.routerAt(origin)),
    owner: os.owner.handler(() => primary(origin)),
    use: os.use.handler(({ input }) => use(input)),
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A broken connection needs no handling, but without a listener the error would end this
    // process.
    socket.on('error', () => undefined);
    const { host, origin } = request.headers;
    if (host !== PRIMARY_HOST || origin !== undefined) {
      refuseUpgrade(socket, 403);
      return;
    }
    // Misdirected: the caller means another folder, or this one since it was taken by another process.
    if (request.headers[FOLDER_HEADER] !== endpointAddress.folder) {
      refuseUpgrade(socket, 421);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // A broken connection is closed; nothing else needs to be done.
      webSocket.on('error', () => undefined);
      const of = request.headers[SERVICE_HEADER];
      serveWebSocket(routerOf(typeof of === 'string' ? of : null), webSocket, onDefect);
    });
  });
  async function close(): Promise<void> {
    try {
      // Before the end: from now on, no other process finds it.
      await endpointAddress.unpublish();
    } finally {
      for (const webSocket of sockets.clients) webSocket.terminate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    }
  }
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(endpointAddress.address, () => {
        server.off('error', reject);
        // The system could not accept a connection. Without a listener, this would end the process.
        server.on('error', () => undefined);
        resolve();
      });
    });
    if (process.platform !== 'win32') await chmod(endpointAddress.address, 0o600);
    await endpointAddress.publish();
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
