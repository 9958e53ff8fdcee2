import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';

/** The channel on which Node announces each server that begins to listen. */
const LISTENING = 'tracing:net.server.listen:asyncEnd';

/** Runs `open`, and returns what it opened with the server that it made listen. */
export async function listeningServer<T>(
  open: () => Promise<T>,
): Promise<{ readonly opened: T; readonly server: Server }> {
  const servers: Server[] = [];
  const onListening = (message: unknown): void => {
    servers.push((message as { readonly server: Server }).server);
  };
  subscribe(LISTENING, onListening);
  try {
    const opened = await open();
    const [server] = servers;
    if (server === undefined || servers.length > 1) throw new Error('There is not one server.');
    return { opened, server };
  } finally {
    unsubscribe(LISTENING, onListening);
  }
}

/** A connection that the system could not accept, as some systems report it to a server. */
export function failToAccept(server: Server): void {
  server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }));
}
