/**
 * Requests to the service on this computer that are not part of its documented API. The key stays in
 * this process.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Client } from 'undici';
import { parseForeignJson } from '../contract/json-text.ts';
import type { Clock } from '../engine/clock.ts';
import type { FileOnDisk } from '../engine/file-on-disk.ts';
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
  /** JSON, or a file. */
  readonly body: string | Buffer | FileOnDisk;
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
const CHUNK_BYTES = 256 * 1024;

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
    ...(isOnDisk(body) && {
      'content-length': String(body.size),
      // RFC 9530: the service refuses other bytes, such as those of a file that has just changed.
      'content-digest': `sha-256=:${Buffer.from(body.sha256, 'hex').toString('base64')}:`,
    }),
  };
  const times = { headersMs, bodyMs: READS_WITHIN_MS };
  const content = isOnDisk(body) ? await contentOf(body) : body;
  if (content === null) return null;
  const post = {
    method: 'POST',
    path,
    headers,
    body: content,
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
    if (content instanceof Readable) content.destroy();
  }
}

function isOnDisk(body: LocalRequest['body']): body is FileOnDisk {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

/** As many bytes as were checked, if the file has them; `null` if it cannot be opened. */
async function contentOf({ path, size }: FileOnDisk): Promise<Readable | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => null);
  return handle?.createReadStream({ end: size - 1, highWaterMark: CHUNK_BYTES }) ?? null;
}
