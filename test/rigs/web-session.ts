/** What a browser does with a link of the web host: names below `localhost` need no DNS. */
import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';

export interface WebSession {
  /** The web host's name and port. */
  readonly host: string;
  readonly origin: string;
  readonly port: number;
  readonly cookie: string;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends a request to 127.0.0.1 with its path and headers exactly as given. */
export async function askWeb(
  port: number,
  target: string,
  headers: OutgoingHttpHeaders,
  method = 'GET',
): Promise<WebAnswer> {
  const address = { host: '127.0.0.1', port, path: target };
  // A connection for each: the host may close an idle one just when it is used again.
  const asked = request({ ...address, headers, method, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

/** Opens a link, which works once. */
export async function openLink(link: string): Promise<WebSession> {
  const { host, origin, port, pathname, search } = new URL(link);
  const { headers } = await askWeb(Number(port), pathname + search, { host });
  const [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
  return { host, origin, port: Number(port), cookie };
}

/** A WebSocket to the contract, as the page of this session has it. */
export function openRpc(
  { host, origin, port, cookie }: WebSession,
  target = '/rpc',
  changes: OutgoingHttpHeaders = {},
): WebSocket {
  const headers = Object.entries({ host, origin, cookie, ...changes });
  return new WebSocket(`ws://127.0.0.1:${port}${target}`, {
    headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
  });
}
