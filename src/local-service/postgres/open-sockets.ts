import { Socket } from 'node:net';

/** Tracks the sockets of connections: `pg` does not close one while its server does not respond. */
export class OpenSockets {
  readonly #open = new Set<Socket>();
  #isRefusing = false;

  /** Pass it as `stream` in a connection's options. */
  readonly create = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // `pg` connects the socket next, which would reopen a destroyed one.
    if (this.#isRefusing) setImmediate(() => socket.destroy());
    return socket;
  };

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Destroys all sockets, and each one that is created later. */
  refuse(): void {
    this.#isRefusing = true;
    this.destroyAll();
  }

  /**
   * Resolves when the current sockets are closed; destroys what is open after `ms` milliseconds.
   */
  async closed(ms: number): Promise<void> {
    const deadline = setTimeout(() => this.destroyAll(), ms);
    const closings = [...this.#open].map(
      (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
    );
    await Promise.all(closings);
    clearTimeout(deadline);
  }
}
