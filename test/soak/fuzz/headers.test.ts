import { expect } from 'vitest';
import { ChunkedDecoder } from '../../../src/engine/downloads/http-parser.ts';
import {
  classifyRangeResponse,
  NO_VALIDATOR,
  serverDate,
} from '../../../src/engine/downloads/range-response.ts';
import {
  BrokenResponseError,
  MAX_HEAD_BYTES,
  parseHead,
} from '../../../src/engine/downloads/http-parser.ts';
import { parseIetfRateLimit } from '../../../src/engine/pacing/ietf-rate-limit.ts';
import { MAX_RETRY_MS } from '../../../src/engine/pacing/header-values.ts';
import { parseRateHeaders } from '../../../src/engine/pacing/rate-headers.ts';
import { guardRequest, sessionCookieName } from '../../../src/host/request-guard.ts';
import { cookiesFrom } from '../../../src/local-service/studio/identity/cookies.ts';
import { responseFor } from '../../../src/local-service/videos/byte-range.ts';
import { byteRange } from '../../../src/main/byte-range.ts';
import { fuzz, textOf } from './fuzz.ts';

const NOW = Date.UTC(2026, 10, 22);
const DATES = [
  'Sun, 22 Nov 2026 10:00:00 GMT',
  'Sunday, 22-Nov-26 10:00:00 GMT',
  'Sun Nov 22 10:00:00 2026',
  '2026-11-22T10:00:00Z',
];

/** Lines of `name: value` as a lookup of headers, as an HTTP parser would return them. */
function headersOf(bytes: Buffer): Map<string, string> {
  return new Map(
    textOf(bytes)
      .split('\n')
      .map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
      }),
  );
}

fuzz('parseHead', {
  seeds: [
    'HTTP/1.1 200 OK\r\ncontent-length: 12\r\netag: "a"\r\n\r\nbody',
    'HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-1/2\r\ntransfer-encoding: chunked\r\n\r\n',
    'HTTP/1.0 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
  ],
  found: {
    'a repeated header without a value left a space at the end (seed near 372120200)':
      'HTTP/1.1 200 OK\r\netag: "a"\r\netag:\r\n\r\n',
  },
  tokens: ['HTTP/1.1 ', 'content-length: ', 'transfer-encoding: chunked', '\r\n\r\n', ' \t'],
  throws: [BrokenResponseError],
  largest: MAX_HEAD_BYTES / 2,
  parse: parseHead,
  check(parsed, bytes) {
    if (parsed === undefined) return;
    const { head, length } = parsed;
    expect(length).toBeLessThanOrEqual(bytes.length);
    expect(bytes.subarray(length - 4, length).toString()).toBe('\r\n\r\n');
    expect(head.status).toBeGreaterThanOrEqual(100);
    if (head.framing.kind === 'length') expect(head.framing.bytes).toBeLessThan(1e15);
    for (const [name, value] of head.headers) {
      expect(name).toMatch(/^[!#$%&'*+.^_`|~0-9a-z-]+$/);
      expect(value).not.toMatch(/^[ \t]|[ \t]$|\r\n/);
    }
  },
});

/** The payload of a body that is cut into pieces of this size; `null` when it is invalid. */
function chunksOf(bytes: Buffer, size: number): { payload: Buffer; isDone: boolean } | null {
  const decoder = new ChunkedDecoder();
  const payload: Buffer[] = [];
  try {
    for (let at = 0; at < bytes.length; at += size) {
      payload.push(...decoder.decode(bytes.subarray(at, at + size)));
    }
  } catch (error) {
    if (error instanceof BrokenResponseError) return null;
    throw error;
  }
  return { payload: Buffer.concat(payload), isDone: decoder.isDone };
}

fuzz('ChunkedDecoder', {
  seeds: ['5\r\nhello\r\n0\r\n\r\n', '5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nx: y\r\n\r\n'],
  tokens: ['0\r\n\r\n', '1\r\na\r\n', 'ffffffffffff\r\n', ';', '1', '\r', 'a'.repeat(4096)],
  parse: (bytes) => chunksOf(bytes, bytes.length || 1),
  check(whole, bytes) {
    for (const size of [1, 7]) expect(chunksOf(bytes, size)).toEqual(whole);
    expect(whole?.payload.length ?? 0).toBeLessThanOrEqual(bytes.length);
  },
});

fuzz('classifyRangeResponse', {
  seeds: [
    ...DATES.map((date) => `0503\nretry-after: ${date}\ndate: ${DATES[0]}`),
    '1206\ncontent-range: bytes 100-199/200\netag: "a"\ncontent-length: 100',
    '1416\ncontent-range: bytes */200\nlast-modified: Sun, 22 Nov 2026 08:00:00 GMT',
    '0200\ncontent-length: 200\ncontent-encoding: gzip',
    '0429\nretry-after: 120',
  ],
  tokens: [
    'content-range: bytes ',
    'retry-after: ',
    'date: ',
    'etag: W/"a"',
    '/*',
    '1206\n',
    ...DATES,
  ],
  parse(bytes) {
    const text = textOf(bytes);
    const isResumed = text.startsWith('1');
    const requested = {
      offset: isResumed ? 150 : 0,
      conditional: isResumed,
      total: isResumed ? 200 : null,
      validator: NO_VALIDATOR,
    };
    const headers = headersOf(bytes);
    const status = Number.parseInt(text.slice(1, 4), 10) || 200;
    return {
      requested,
      outcome: classifyRangeResponse(requested, status, headers, NOW),
      date: serverDate(headers),
    };
  },
  check({ requested, outcome, date }) {
    if (date !== null) expect(Number.isSafeInteger(date)).toBe(true);
    if (outcome.kind === 'part') {
      // There is never a gap between the existing and the new bytes.
      expect(outcome.at).toBeLessThanOrEqual(requested.offset);
      expect(outcome.at).toBeGreaterThanOrEqual(0);
      expect(outcome.total ?? 200).toBeGreaterThan(outcome.at);
    }
    if (outcome.kind === 'complete') expect(outcome.total).toBe(requested.offset);
    if (outcome.kind === 'whole') expect(outcome.total).not.toBe(0);
    if (outcome.kind === 'busy') {
      expect(outcome.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
      expect(outcome.retryAfterMs ?? 0).toBeLessThan(Infinity);
    }
  },
});

const RATES = [
  'x-ratelimit-remaining: 4\nx-ratelimit-reset: 2026-11-22T10:00:00.000Z\nretry-after: 30',
  'x-ratelimit-reset: 1795341600\ndate: Sun, 22 Nov 2026 10:00:00 GMT',
  'ratelimit: "burst";r=9;t=3600\nratelimit-policy: "burst";q=10;w=3600',
  'ratelimit: limit=10, remaining=9, reset=3600\nratelimit-policy: 10;w=3600',
  'ratelimit-limit: 10\nratelimit-remaining: 9\nratelimit-reset: 3600',
];
const RATE_TOKENS = [
  'x-ratelimit-remaining: ',
  'x-ratelimit-reset: ',
  'ratelimit: ',
  'ratelimit-policy: ',
  '"burst"',
  ';r=',
  ';t=',
  ';q=',
  ';w=',
  'retry-after: ',
  'date: ',
  '\n',
  ...DATES,
];

fuzz('parseRateHeaders', {
  seeds: RATES,
  tokens: RATE_TOKENS,
  parse(bytes) {
    const headers = headersOf(bytes);
    const body = { details: { resetAt: headers.get('retry-after') } };
    return parseRateHeaders((name) => headers.get(name), body);
  },
  check(rate) {
    for (const value of [rate.resetAt, rate.detailsResetAt, rate.date]) {
      if (value !== null) expect(Number.isSafeInteger(value)).toBe(true);
    }
    for (const value of [rate.retryAfterMs, rate.resetAfterMs]) {
      if (value === null) continue;
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(MAX_RETRY_MS);
    }
    if (rate.remaining !== null) {
      expect(Number.isSafeInteger(rate.remaining) && rate.remaining >= 0).toBe(true);
    }
    if (rate.policy !== null) {
      expect(rate.policy.limit * rate.policy.windowMs).toBeGreaterThan(0);
      expect(rate.policy.limit * rate.policy.windowMs).toBeLessThan(Infinity);
    }
  },
});

fuzz('parseIetfRateLimit', {
  seeds: RATES,
  tokens: RATE_TOKENS,
  parse(bytes) {
    const headers = headersOf(bytes);
    return parseIetfRateLimit((name) => headers.get(name));
  },
});

const SIZE = 1000;
const RANGES = ['bytes=0-499', 'bytes=500-', 'bytes=-200', 'bytes=0-0,5-6', 'bytes=999-1000'];
const RANGE_TOKENS = ['bytes=', '-', '999', '1000', '1001', ',', '*', '"tag"', 'W/"tag"'];

fuzz('responseFor', {
  seeds: RANGES,
  tokens: RANGE_TOKENS,
  parse(bytes) {
    const [range = '', ifRange, ifMatch, ifNoneMatch] = textOf(bytes).split('\n');
    const headers = { range, ifRange, ifMatch, ifNoneMatch };
    return responseFor({ size: SIZE, etag: '"tag"' }, headers);
  },
  check(answer) {
    if (answer.status !== 206) return;
    expect(answer.first).toBeGreaterThanOrEqual(0);
    expect(answer.last).toBeGreaterThanOrEqual(answer.first);
    expect(answer.last).toBeLessThan(SIZE);
  },
});

fuzz('byteRange', {
  seeds: RANGES,
  tokens: RANGE_TOKENS,
  parse: (bytes) => byteRange(textOf(bytes), SIZE),
  check(range) {
    if (range === null) return;
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeGreaterThanOrEqual(range.start);
    expect(range.end).toBeLessThan(SIZE);
  },
});

const VALUE = 'k'.repeat(43);

fuzz('cookiesFrom', {
  seeds: [`__Host-spool-session=${VALUE}; other=1`, `a=b;__Host-spool-session=x`],
  tokens: ['__Host-spool-session', '=', ';', VALUE],
  parse: (bytes) => cookiesFrom(textOf(bytes), '__Host-spool-session'),
  check(values, bytes) {
    for (const value of values) expect(textOf(bytes)).toContain(value);
    for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
  },
});

const PORT = 40_123;
const TOKEN = 'a'.repeat(64);
const NAME = 'now.localhost';

fuzz('guardRequest', {
  seeds: [
    `GET\n/?ticket=${TOKEN}\n${NAME}:${PORT}\n\n`,
    `GET\n/\n${NAME}:${PORT}\nhttp://${NAME}:${PORT}\n${sessionCookieName(PORT)}=${TOKEN}`,
  ],
  tokens: [
    TOKEN,
    sessionCookieName(PORT),
    `${NAME}:${PORT}`,
    '/?ticket=',
    '/rpc?challenge=',
    'GET',
    'POST',
    '%61',
  ],
  parse(bytes) {
    const [method = '', target = '', host, origin, cookie] = textOf(bytes).split('\n');
    const request = { method, target, host, cookie, upgrade: origin === 'up' };
    return guardRequest(
      {
        ...request,
        origin: origin === '' || origin === 'up' ? undefined : origin,
        serviceWorker: undefined,
      },
      { name: NAME, port: PORT, session: TOKEN, tickets: [TOKEN], isOurs: (name) => name === NAME },
    );
  },
  check(verdict, bytes) {
    // No request is allowed without the whole token, plain or percent-encoded, and the right host.
    const text = decodeURIComponentSafely(textOf(bytes).replaceAll('+', ' '));
    if (verdict.kind === 'allowed' || verdict.kind === 'admitted') {
      expect(text).toContain(TOKEN);
      expect(text).toMatch(/now\.localhost/i);
    }
  },
});

function decodeURIComponentSafely(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
