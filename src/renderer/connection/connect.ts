import { createORPCClient, DynamicLink, type ClientContext } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { Client } from '../../contract/contract.ts';

/**
 * Opens the page's one way to the engine: the port that the preload script hands over in Electron,
 * else the WebSocket of the web host that served this page.
 */
export function connect(page: Window): Client {
  // The web host serves loopback alone, where nothing encrypts; the window has a separate scheme.
  return page.location.protocol === 'http:'
    ? overWebSocket(new URL('/rpc', page.location.href))
    : overPort(page);
}

/**
 * A client whose calls share one socket. A call made while there is none opens one, so that
 * the code that watches the engine decides when to try again, and no other part needs to know.
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

/** Electron's side: the preload script answers a page's request with one port, and only once. */
function overPort(page: Window): Client {
  const handedOver = new Promise<PortLink<ClientContext>>((resolve) => {
    const take = (event: MessageEvent<unknown>): void => {
      const [port] = event.ports;
      if (event.source !== page || event.data !== 'spool:port' || port === undefined) return;
      page.removeEventListener('message', take);
      port.start();
      resolve(new PortLink({ port }));
    };
    page.addEventListener('message', take);
  });
  page.postMessage('spool:port-please', page.location.origin);
  return createORPCClient(new DynamicLink(() => handedOver));
}
