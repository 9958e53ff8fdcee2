import { createServer } from 'node:http';

/**
 * A free port that no system assigns itself, for a test that listens on a port again later: in
 * between, a connection of another program could get one of the others. Processes that run at the
 * same time try different ports first.
 */
export async function unassignedPort(): Promise<number> {
  for (let port = 10_000 + (process.pid % 10_000); ; port += 1) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
