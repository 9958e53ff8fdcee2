import type { Socket } from 'node:net';
import { Client } from 'undici';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import { innermostCode } from './error-codes.ts';
import { isLoopback, type FindProxy, type Proxy } from './proxy.ts';

/** A proxy that did not connect. Nothing was sent to the destination. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'EPROXY';
  /** {@link Proxy.name} */
  readonly proxy: string;
  readonly userMessage: UserMessage;

  constructor(proxy: Proxy, message: UserMessage, cause?: unknown) {
    super(message.message, { cause });
    this.proxy = proxy.name;
    this.userMessage = message;
  }
}

export interface TunnelOptions {
  /** Milliseconds to a connection to the proxy, and again to its answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A connection through the proxy that leads to `url`, for TLS to its host: the proxy learns its host
 * and port, and sees neither requests nor keys (abuse.md 59). It resolves the name.
 * @returns `null` where no proxy is to be used, as for every address of this computer
 * @throws {ProxyError}
 */
export async function openTunnel(
  url: URL,
  findProxy: FindProxy,
  { timeoutMs, signal }: TunnelOptions,
): Promise<Socket | null> {
  if (isLoopback(url)) return null;
  const proxy = await findProxy(url.origin);
  if (proxy === null) return null;
  if (proxy.origin === null) {
    throw new ProxyError(proxy, userMessage('proxy-unusable', { proxy: proxy.name }));
  }
  const client = new Client(proxy.origin, {
    allowH2: false,
    headersTimeout: timeoutMs,
    // Explicit, because an environment variable may have disabled it for the process.
    connect: { timeout: timeoutMs, rejectUnauthorized: true },
  });
  const host = `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: host,
      headers: { host, ...authorization(proxy) },
      ...(signal === undefined ? {} : { signal }),
    });
    const tunnel = socket as Socket;
    // Until the caller listens, and after it no longer does.
    tunnel.on('error', () => tunnel.destroy());
    if (statusCode >= 200 && statusCode < 300) return tunnel;
    tunnel.destroy();
    throw refusal(proxy, url.host, statusCode);
  } catch (error) {
    if (error instanceof ProxyError) throw error;
    const code = innermostCode(error);
    const message = userMessage('proxy-unreachable', { proxy: proxy.name, code });
    throw new ProxyError(proxy, message, error);
  } finally {
    void client.destroy();
  }
}

function authorization({ login }: Proxy): Record<string, string> {
  if (login === null) return {};
  const encoded = Buffer.from(`${login.user}:${login.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${encoded}` };
}

function refusal(proxy: Proxy, host: string, status: number): ProxyError {
  const { name } = proxy;
  return new ProxyError(
    proxy,
    status === 407
      ? userMessage('proxy-login', { proxy: name })
      : userMessage('proxy-refused', { proxy: name, host, status }),
  );
}
