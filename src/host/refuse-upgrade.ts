import type { Duplex } from 'node:stream';

/**
 * Answers a request for an upgrade with an error, and closes the connection. HTTP servers have no
 * timeouts for such a connection, and a client that keeps its side open would delay their end.
 */
export function refuseUpgrade(socket: Duplex, status: number): void {
  const response = `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(response, () => socket.destroy());
}
