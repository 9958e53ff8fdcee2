import type { Socket } from 'node:net';

/**
 * Connections that have not sent a request with a session. A browser sends one at once; another user
 * of this computer can only open connections.
 */
const MAX_STRANGERS = 48;

/** All connections: far more than the pages of a few browsers need, and few enough for the queue. */
const MAX_CONNECTIONS = 128;

/** Limits the file descriptors that connections to the web host can take from the queue's process (`abuse.md` 63). */
export class BoundedConnections {
  readonly #strangers = new Set<Socket>();
  #count = 0;

  add(socket: Socket): void {
    this.#count += 1;
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#count -= 1;
      this.#strangers.delete(socket);
    });
    // The oldest one first: a set iterates in the order of insertion.
    const [oldest] = this.#strangers;
    if (this.#strangers.size > MAX_STRANGERS) oldest?.destroy();
    else if (this.#count > MAX_CONNECTIONS) socket.destroy();
  }

  /** Call it for every request with a session. */
  authenticate(socket: Socket): void {
    this.#strangers.delete(socket);
  }
}
