/**
 * Requests to the service on this computer that are not part of its documented API. The key stays in
 * this process.
 */
import { Client } from 'undici';
import { parseForeignJson } from '../contract/json-text.ts';
import type { Clock } from '../engine/clock.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { exchange } from '../engine/service/exchange.ts';
import type { HttpResponse } from '../engine/service/outcomes.ts';

export interface LocalServiceAddress {
  readonly url: string;
  /** PEM of the certificate that the service is pinned to. */
  readonly ca: string;
  readonly keys: Pick<KeyStore, 'get'>;
  readonly clock: Clock;
}

export interface LocalRequest {
  /** From the root of the service. */
  readonly path: string;
  /** JSON, or the bytes of a picture. */
  readonly body: string | Buffer;
  /** From the first byte of the request to the end of the response's headers, in milliseconds. */
  readonly headersMs: number;
}

export interface LocalResponse extends Pick<HttpResponse, 'status'> {
  /** The response's JSON; `undefined` for anything else. */
  readonly json: unknown;
  /** The key that was sent, which a message to people must not contain. */
  readonly key: string;
}

const CONNECTS_WITHIN_MS = 5000;
const READS_WITHIN_MS = 5000;

/** Sends one request, once. Never rejects; `null` without a key or a complete response. */
export async function postLocally(
  { url, ca, keys, clock }: LocalServiceAddress,
  { path, body, headersMs }: LocalRequest,
  signal?: AbortSignal,
): Promise<LocalResponse | null> {
  const { origin } = new URL(url);
  const key = await keys.get(origin).catch(() => null);
  if (key === null) return null;
  const connect = { ca, rejectUnauthorized: true, timeout: CONNECTS_WITHIN_MS };
  const connection = new Client(origin, { allowH2: false, pipelining: 1, connect });
  const headers = {
    'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Spool',
    'x-api-key': key,
  };
  const times = { headersMs, bodyMs: READS_WITHIN_MS };
  const post = {
    method: 'POST',
    path,
    headers,
    body,
    ...times,
    lastOnItsConnection: true,
  } as const;
  try {
    const result = await exchange(connection, post, clock, signal);
    if (result.kind !== 'answered') return null;
    const { status, body: text } = result.response;
    return { status, json: parseForeignJson(text), key };
  } finally {
    // Not awaited: a peer that keeps its side open must not delay the answer.
    void connection.destroy();
  }
}
