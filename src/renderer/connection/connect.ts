import { createORPCClient, DynamicLink, type ClientContext } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { Client } from '../../contract/contract.ts';

/**
 * Opens the page's only connection to the engine: in Electron, the port of the preload script; else
 * the WebSocket of the web host that served this page.
 */
export function connect(page: Window): Client {
  // The web host serves only loopback, without TLS; Electron's window has a separate scheme.
  return page.location.protocol === 'http:'
    ? overWebSocket(new URL('/rpc', page.location.href))
    : overPort(page);
}

/**
 * A client whose calls share one socket. A call without an open socket opens one: the live feed
 * decides when to try again, and no other part needs to reconnect.
 */
function overWebSocket(address: URL): Client {
  address.protocol = 'ws:';
  let open: { socket: WebSocket; link: SocketLink<ClientContext> } | undefined;
  return createORPCClient(
    new DynamicLink(() => {
      if (open === undefined || open.socket.readyState > WebSocket.OPEN) {
        const socket = new WebSocket(address);
        open = { socket, link: new SocketLink({ websocket: socket }) };
      }
      return open.link;
    }),
  );
}

/** In Electron, the preload script answers the page's request with a port, and only once. */
function overPort(page: Window): Client {
  const portLink = new Promise<PortLink<ClientContext>>((resolve) => {
    const receive = (event: MessageEvent<unknown>): void => {
      const [port] = event.ports;
      if (event.source !== page || event.data !== 'spool:port' || port === undefined) return;
      page.removeEventListener('message', receive);
      port.start();
      resolve(new PortLink({ port }));
    };
    page.addEventListener('message', receive);
  });
  page.postMessage('spool:port-please', page.location.origin);
  return createORPCClient(new DynamicLink(() => portLink));
}
