import { userMessage } from '../../contract/user-message.ts';
import { isCertificateCode, codeOf } from '../error-codes.ts';
import { checkLink, withoutQuery } from './address-policy.ts';
import { Body } from './body.ts';
import { DownloadRefusedError } from './download-failures.ts';
import type { KeyForFile, Link } from '../link.ts';
import type { DownloadDeps } from './request.ts';
import type { Headers } from './http-parser.ts';

const MAX_REDIRECTS = 5;

/** A response whose body is read on demand. Always close the body. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/**
 * Sends a GET and follows redirects itself: each hop is checked by the address policy. The key is
 * sent to the link's own address, if the service says that it belongs there, and never along a
 * redirect, not even to the same origin. Where the service echoes the key, as in the address of a
 * redirect, it is removed.
 * @throws {DownloadRefusedError} when a hop is not allowed or leads nowhere, or its certificate cannot
 *   be trusted; there is no way around that
 * @throws {BrokenResponseError} when there is no response, or none of HTTP
 * @throws the socket's own error when it cannot connect
 */
export async function open(
  link: Pick<Link, 'url' | 'needsKey'>,
  headers: Readonly<Record<string, string>>,
  deps: Pick<DownloadDeps, 'connections' | 'clock' | 'trace' | 'keyFor'>,
  signal: AbortSignal,
): Promise<OpenResponse> {
  let url = checkLink(link.url, deps.connections.policy);
  let key = link.needsKey === true ? (deps.keyFor?.(url) ?? null) : null;
  for (let hops = 0; ; hops += 1) {
    const body = new Body(deps.clock, signal);
    const { host } = url;
    const name = { method: 'GET', url: withoutQuery(url.href) };
    deps.trace?.({ ...name, headers }, 'download request');
    const sentKey = key;
    const sent = { ...headers, ...sentKey?.headers };
    key = null;
    const response = await body.request(deps.connections, url, sent).catch((error: unknown) => {
      const code = codeOf(error) ?? '';
      deps.trace?.({ ...name, result: 'broken', code }, 'download answer');
      if (!isCertificateCode(code)) throw error;
      const message = userMessage('file-server-untrusted', { host, code });
      throw new DownloadRefusedError('certificate', message, error);
    });
    const { status } = response;
    const received = withoutEcho(response.headers, sentKey);
    deps.trace?.({ ...name, status, headers: tracedHeaders(received) }, 'download answer');
    if (status < 300 || status > 399 || status === 304) return { status, headers: received, body };
    body.close();
    const location = received.get('location');
    if (hops === MAX_REDIRECTS || location === undefined) {
      const why = hops === MAX_REDIRECTS ? 'redirects-too-often' : 'redirects-nowhere';
      throw new DownloadRefusedError('redirects', userMessage(why));
    }
    url = checkLink(location, deps.connections.policy, url);
  }
}

/** Headers become requests, traces and records of downloads (abuse.md 17). */
function withoutEcho(headers: Headers, sent: KeyForFile | null): Headers {
  if (sent === null) return headers;
  return new Map([...headers].map(([name, value]) => [name, sent.removeFrom(value)]));
}

/**
 * The headers that identify the file and the part of it, and the target of a redirect without its
 * query.
 */
function tracedHeaders(headers: Headers): Readonly<Record<string, string>> {
  const names = ['content-length', 'content-range', 'content-type', 'etag', 'last-modified'];
  const location = headers.get('location');
  return Object.fromEntries([
    ...names.flatMap((name) => {
      const value = headers.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
    ...(location === undefined ? [] : [['location', location.replace(/[?#].*$/s, '?…')]]),
  ]) as Record<string, string>;
}
