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
  /** The time that 99 of 100 answers took at most, in milliseconds. */
  readonly p99: number;
}

/**
 * Asks the same thing over `connections` sockets, each as soon as it has its answer, for
 * `seconds`. It writes ready-made bytes and looks no further into an answer than its status and
 * length, so that the server and not the asking is what is measured.
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

  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAt = 0;
      let heard = '';
      const send = (): void => {
        sentAt = performance.now();
        socket.write(request);
      };
      const socket = tls.connect({ host: '127.0.0.1', port: target.port, ca }, send);
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        heard += chunk.toString('latin1');
        const headEnd = heard.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(heard)?.[1]);
        if (heard.length < headEnd + 4 + length) return;
        if (!heard.startsWith('HTTP/1.1 200 ')) {
          reject(new Error(heard.slice(0, 400)));
          return;
        }
        heard = '';
        const now = performance.now();
        times.push(now - sentAt);
        if (now < until) send();
        else socket.end(() => resolve());
      });
    });
  await Promise.all(Array.from({ length: connections }, ask));

  times.sort((a, b) => a - b);
  return {
    requestsPerSecond: times.length / seconds,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}
