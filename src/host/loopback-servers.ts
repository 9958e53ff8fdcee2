/** Servers of one port on both loopback addresses. */
import type { Server } from 'node:http';
import { userMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { codeOf } from '../engine/error-codes.ts';

/** The port is taken, or this user may not listen on it. */
export class CannotListenError extends EngineError {
  constructor(port: number, cause: Error) {
    const message = userMessage('port-unusable', { port });
    super({ code: 'not-possible-now', ...message, detail: cause.message }, { cause });
  }
}

interface Listening {
  readonly servers: readonly Server[];
  readonly port: number;
}

/** How often a port is tried that is free on 127.0.0.1 and taken on ::1. */
const MAX_ATTEMPTS = 20;

/**
 * @param create makes a server for each address
 * @param port 1 to 65535; without it, the preferred port or, if that is taken, any free one
 */
export async function listenOnLoopback(
  create: () => Server,
  port: number | undefined,
  preferredPort: number | undefined,
): Promise<Listening> {
  if (port !== undefined) {
    return listenOnBoth(create, port).catch((cause: unknown) => {
      throw new CannotListenError(port, cause as Error);
    });
  }
  let attempt = listenOnBoth(create, preferredPort ?? 0);
  for (let count = 1; count < MAX_ATTEMPTS; count += 1) {
    attempt = attempt.catch(() => listenOnBoth(create, 0));
  }
  return attempt;
}

/**
 * Listens on 127.0.0.1 and ::1: browsers try both for a name below `localhost`, so another user
 * must have neither.
 */
async function listenOnBoth(create: () => Server, port: number): Promise<Listening> {
  const first = create();
  const given = await listen(first, '127.0.0.1', port);
  const second = create();
  try {
    await listen(second, '::1', given);
    return { servers: [first, second], port: given };
  } catch (error) {
    // A computer without IPv6: browsers cannot connect to it either.
    if (NO_IPV6.has(codeOf(error) ?? '')) return { servers: [first], port: given };
    await closeServer(first);
    throw error;
  }
}

const NO_IPV6 = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']);

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // The system could not accept a connection. Without a listener, this would end the process.
      server.on('error', () => undefined);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
