import { Client } from 'undici';
import { z } from 'zod';
import { frameSchema, type Frame } from '../contract/frame.ts';
import type { jsonSchema } from '../contract/json.ts';
import { safeParse } from '../contract/safe-parse.ts';
import type { Clock } from '../engine/clock.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { sanitizeRemoteText } from '../engine/sanitize-remote-text.ts';
import { exchange } from '../engine/service/exchange.ts';
import type { HttpResponse } from '../engine/service/outcomes.ts';

/**
 * Draws a frame for a request, at the service on this computer. Uses no quota and never rejects.
 */
export type DrawFrame = (request: Json, signal?: AbortSignal) => Promise<Frame>;

type Json = z.infer<typeof jsonSchema>;

export interface LocalFramesOptions {
  readonly url: string;
  /** PEM of the certificate that the service is pinned to. */
  readonly ca: string;
  readonly keys: Pick<KeyStore, 'get'>;
  readonly clock: Clock;
}

const CONNECTS_WITHIN_MS = 5000;
/** The service stops drawing after 20 s, and may draw up to three other frames before. */
const DRAWS_WITHIN_MS = 30_000;
const READS_WITHIN_MS = 5000;
/** The service's own limit; it closes the connection in the middle of a longer request. */
const MAX_REQUEST_BYTES = 1024 * 1024;
const MAX_REASON_LENGTH = 300;

const UNAVAILABLE: Frame = { kind: 'unavailable' };

const drawnSchema = z
  .object({ width: z.unknown(), height: z.unknown(), seconds: z.unknown(), jpeg: z.unknown() })
  .transform((response) => ({ ...response, kind: 'drawn' }))
  .pipe(frameSchema.options[0])
  .refine(({ jpeg }) => isJpeg(jpeg));

const refusedSchema = z.object({
  message: z.string(),
  details: z
    .object({ faults: z.array(z.object({ path: z.string(), reason: z.string() })) })
    .optional()
    .catch(undefined),
});

/** Requests frames from the local service at `url`. The key stays in this process. */
export function localFrames({ url, ca, keys, clock }: LocalFramesOptions): DrawFrame {
  const { origin } = new URL(url);
  return async (request, signal) => {
    const body = JSON.stringify(request);
    if (Buffer.byteLength(body) > MAX_REQUEST_BYTES) return UNAVAILABLE;
    const key = await keys.get(origin).catch(() => null);
    if (key === null) return UNAVAILABLE;
    const connect = { ca, rejectUnauthorized: true, timeout: CONNECTS_WITHIN_MS };
    const connection = new Client(origin, { allowH2: false, pipelining: 1, connect });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'Spool',
      'x-api-key': key,
    };
    const times = { headersMs: DRAWS_WITHIN_MS, bodyMs: READS_WITHIN_MS };
    const post = {
      method: 'POST',
      path: '/local/frame',
      headers,
      body,
      ...times,
      lastOnItsConnection: true,
    } as const;
    try {
      const result = await exchange(connection, post, clock, signal);
      return result.kind === 'answered' ? frameIn(result.response, key) : UNAVAILABLE;
    } finally {
      // Not awaited: a peer that keeps its side open must not delay the answer.
      void connection.destroy();
    }
  };
}

function frameIn({ status, body }: Pick<HttpResponse, 'status' | 'body'>, key: string): Frame {
  const json = parsed(body);
  if (status === 200) {
    const drawn = safeParse(drawnSchema, json);
    return drawn.success ? drawn.data : UNAVAILABLE;
  }
  const refused = safeParse(refusedSchema, json);
  if (status !== 400 || !refused.success) return UNAVAILABLE;
  const { message, details } = refused.data;
  const [fault] = details?.faults ?? [];
  const reason = fault === undefined ? message : `${fault.path} ${fault.reason}`;
  const keyless = reason.replaceAll(key, '…');
  return { kind: 'refused', detail: sanitizeRemoteText(keyless, MAX_REASON_LENGTH) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** JPEG files begin with a start marker and the first byte of another marker. */
function isJpeg(base64: string): boolean {
  return Buffer.from(base64.slice(0, 4), 'base64').equals(Buffer.from([0xff, 0xd8, 0xff]));
}
