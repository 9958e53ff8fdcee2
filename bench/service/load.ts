import { readFileSync } from 'node:fs';
import tls from 'node:tls';

export interface Target {
  readonly port: number;
  readonly caFile: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** The 99th percentile of the response time, in milliseconds. */
  readonly p99: number;
}

/**
 * Sends the same request over `connections` sockets for `seconds`; each socket sends the next one
 * when it has its response. It writes prepared bytes and reads only a response's status and length,
 * so that the client's own work hardly counts.
 */
export async function load(
  target: Target,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const lines = Object.entries({ host: `127.0.0.1:${target.port}`, ...target.headers });
  const request = Buffer.from(
    [
      `GET ${target.path} HTTP/1.1`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  );
  const ca = readFileSync(target.caFile);
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];

  const runConnection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0;
      let received = '';
      const send = (): void => {
        sentAt = performance.now();
        socket.write(request);
      };
      const socket = tls.connect({ host: '127.0.0.1', port: target.port, ca }, send);
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        const headEnd = received.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
        if (received.length < headEnd + 4 + length) return;
        if (!received.startsWith('HTTP/1.1 200 ')) {
          reject(new Error(received.slice(0, 400)));
          return;
        }
        received = '';
        const now = performance.now();
        times.push(now - sentAt);
        if (now < until) send();
        else socket.end(() => resolve());
      });
    });
  await Promise.all(Array.from({ length: connections }, runConnection));

  times.sort((a, b) => a - b);
  return {
    requestsPerSecond: times.length / seconds,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}
