import { Socket } from 'node:net';

/** The sockets of some connections. `pg` closes a connection only together with its server. */
export class OpenSockets {
  readonly #open = new Set<Socket>();
  #isRefusing = false;

  /** For `stream` of a connection's options. */
  readonly create = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // `pg` connects it first, which would open a destroyed one again.
    if (this.#isRefusing) setImmediate(() => socket.destroy());
    return socket;
  };

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Destroys all, and from now on each new one. */
  refuse(): void {
    this.#isRefusing = true;
    this.destroyAll();
  }

  /** Resolves when those of now are closed. What is open after `ms` milliseconds is destroyed. */
  async closed(ms: number): Promise<void> {
    const deadline = setTimeout(() => this.destroyAll(), ms);
    const closings = [...this.#open].map(
      (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
    );
    await Promise.all(closings);
    clearTimeout(deadline);
  }
}
