import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';

/** The channel on which Node announces each server that begins to listen. */
const LISTENING = 'tracing:net.server.listen:asyncEnd';

/** Runs `open`, and returns what it opened with the servers that it made listen. */
export async function listeningServers<T>(
  open: () => Promise<T>,
): Promise<{ readonly opened: T; readonly servers: readonly Server[] }> {
  const servers: Server[] = [];
  const onListening = (message: unknown): void => {
    servers.push((message as { readonly server: Server }).server);
  };
  subscribe(LISTENING, onListening);
  try {
    return { opened: await open(), servers };
  } finally {
    unsubscribe(LISTENING, onListening);
  }
}

/** The same for one server. */
export async function listeningServer<T>(
  open: () => Promise<T>,
): Promise<{ readonly opened: T; readonly server: Server }> {
  const { opened, servers } = await listeningServers(open);
  const [server] = servers;
  if (server === undefined || servers.length > 1) throw new Error('There is not one server.');
  return { opened, server };
}

/** A connection that the system could not accept, as some systems report it to a server. */
export function failToAccept(server: Server): void {
  server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }));
}
