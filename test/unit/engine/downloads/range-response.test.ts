import { describe, expect, it } from 'vitest';
import {
  type Asked,
  classifyRangeResponse,
  type RangeResponse,
  NO_VALIDATOR,
  rangeRequest,
  serverDate,
  strongValidator,
  validatorOf,
} from '../../../../src/engine/downloads/range-response.ts';

const NOW = Date.UTC(2026, 10, 22, 10);
const DATE = 'Sun, 22 Nov 2026 10:00:00 GMT';

/** A resumed download of 5000 bytes: 1000 are on disk, of which the last hundred are compared. */
const ASKED: Asked = {
  offset: 1000,
  conditional: true,
  total: 5000,
  validator: { etag: '"a"', lastModified: null },
};

type HeaderFields = Readonly<Record<string, string>>;
function classify(
  status: number,
  headers: HeaderFields,
  asked: Partial<Asked> = {},
): RangeResponse {
  const fields = new Map(Object.entries(headers));
  return classifyRangeResponse({ ...ASKED, ...asked }, status, fields, NOW);
}
const part = (headers: HeaderFields, asked?: Partial<Asked>) =>
  classify(206, { 'content-range': 'bytes 900-4999/5000', ...headers }, asked);

describe('a request for the rest of a file', () => {
  const FROM = { offset: 1_000_000, total: 5_000_000, validator: ASKED.validator };
  const UNCOMPRESSED = { 'accept-encoding': 'identity' };

  it('begins 64 KiB before the end of the part, if the file is still the same', () => {
    expect(rangeRequest(FROM, false, false)).toEqual({
      asked: { ...FROM, conditional: true },
      headers: { ...UNCOMPRESSED, range: 'bytes=934464-', 'if-range': '"a"' },
    });
    expect(rangeRequest({ ...FROM, offset: 1 }, false, false).headers).toMatchObject({
      range: 'bytes=0-',
    });
  });

  it.each([
    ['without a part', { ...FROM, offset: 0 }, false, false],
    ['for all of it', FROM, true, false],
    ['for all of it, from a server that ignores If-Range', FROM, true, true],
  ])('has neither a range nor a condition %s', (_, from, isForWhole, ignoresIfRange) => {
    expect(rangeRequest(from, isForWhole, ignoresIfRange)).toEqual({
      asked: { ...from, conditional: false },
      headers: UNCOMPRESSED,
    });
  });

  it.each([
    ['to a server that ignores it', FROM, true],
    ['without a validator', { ...FROM, validator: NO_VALIDATOR }, false],
    ['with a weak one', { ...FROM, validator: { etag: 'W/"a"', lastModified: null } }, false],
  ])('has no condition %s', (_, from, ignoresIfRange) => {
    expect(rangeRequest(from, false, ignoresIfRange)).toEqual({
      asked: { ...from, conditional: false },
      headers: { ...UNCOMPRESSED, range: 'bytes=934464-' },
    });
  });
});

describe('a whole file (200)', () => {
  it('has the length and the version of its headers', () => {
    expect(classify(200, { 'content-length': '5000', etag: '"b"' })).toEqual({
      kind: 'whole',
      total: 5000,
      validator: { etag: '"b"', lastModified: null },
      ignoredCondition: false,
    });
  });

  it.each([{}, ...['-1', '5e3', '5000 bytes', 'x5000', '1'.repeat(16)].map(lengthOf)])(
    'has no length where that is missing or invalid: %j',
    (headers) => {
      expect(classify(200, headers)).toMatchObject({ kind: 'whole', total: null });
    },
  );

  it('is rejected when it is empty', () => {
    expect(classify(200, { 'content-length': '0' })).toEqual({ kind: 'reject', cause: 'empty' });
  });

  it('shows a server that ignores If-Range, when nothing has changed', () => {
    const same = { etag: '"a"' };
    const ignored = (headers: HeaderFields, asked?: Partial<Asked>) =>
      classify(200, headers, asked).kind === 'whole' &&
      (classify(200, headers, asked) as { ignoredCondition: boolean }).ignoredCondition;
    expect(ignored(same)).toBe(true);
    expect(ignored({ etag: '"b"' })).toBe(false);
    expect(ignored(same, { conditional: false })).toBe(false);
  });
});

describe('a part of the file (206)', () => {
  it('begins where its Content-Range says', () => {
    expect(part({ 'content-length': '4100', etag: '"a"' })).toEqual({
      kind: 'part',
      at: 900,
      total: 5000,
      validator: { etag: '"a"', lastModified: null },
    });
  });

  it.each([
    ['bytes 0-4999/5000', 0],
    ['bytes 1000-4999/5000', 1000],
    ['bytes 1000-1000/5000', 1000],
    ['Bytes  900-4999/5000', 900],
  ])('is used from the offset or before: %s', (range, at) => {
    expect(part({ 'content-range': range })).toMatchObject({ kind: 'part', at });
  });

  it('is rejected when it begins after the offset: bytes would be missing', () => {
    const cause = 'range-late';
    expect(part({ 'content-range': 'bytes 1001-4999/5000' })).toEqual({ kind: 'reject', cause });
  });

  it('has the total of its range, or else the recorded one', () => {
    const unknown = { 'content-range': 'bytes 900-4999/*' };
    expect(part(unknown)).toMatchObject({ kind: 'part', total: 5000 });
    expect(part({}, { total: null })).toMatchObject({ kind: 'part', total: 5000 });
    expect(part(unknown, { total: null })).toMatchObject({ kind: 'part', total: null });
  });

  it.each([
    '',
    'bytes */5000',
    'bytes 900-4999',
    'bytes 999-998/5000',
    'bytes 900-5000/5000',
    'bytes 900-4999/5000, 0-1/2',
    'some bytes 900-4999/5000',
    'octets 900-4999/5000',
    'bytes=900-4999/5000',
    `bytes 900-${'9'.repeat(16)}/*`,
    `bytes ${'0'.repeat(16)}-4999/5000`,
    `bytes 900-4999/${'0'.repeat(12)}5000`,
  ])('is rejected without a valid Content-Range: %j', (range) => {
    const cause = 'range-missing';
    expect(part({ 'content-range': range })).toEqual({ kind: 'reject', cause });
  });

  it('is rejected without any Content-Range', () => {
    expect(classify(206, {})).toEqual({ kind: 'reject', cause: 'range-missing' });
  });

  it('is rejected when its length differs from its range', () => {
    for (const length of ['4099', '4101', '0']) {
      const cause = 'range-missing';
      expect(part({ 'content-length': length })).toEqual({ kind: 'reject', cause });
    }
  });

  it.each(['multipart/byteranges; boundary=x', 'Multipart/ByteRanges'])(
    'is rejected as %s',
    (type) => {
      const cause = 'range-multipart';
      expect(part({ 'content-type': type })).toEqual({ kind: 'reject', cause });
    },
  );

  it('may have any other type', () => {
    expect(part({ 'content-type': 'video/mp4; of=multipart/byteranges' }).kind).toBe('part');
  });

  it.each([
    [{ etag: '"a"', lastModified: null }, { etag: '"a"' }, 'part'],
    [{ etag: '"a"', lastModified: null }, { etag: '"b"' }, 'restart'],
    [{ etag: 'W/"a"', lastModified: null }, { etag: 'W/"b"' }, 'restart'],
    // A missing validator proves nothing: then the overlap is compared.
    [{ etag: '"a"', lastModified: null }, {}, 'part'],
    [NO_VALIDATOR, { etag: '"b"' }, 'part'],
    [{ etag: null, lastModified: days(1) }, { 'last-modified': days(1) }, 'part'],
    [{ etag: null, lastModified: days(1) }, { 'last-modified': days(2) }, 'restart'],
    [{ etag: null, lastModified: days(1) }, {}, 'part'],
    [NO_VALIDATOR, { 'last-modified': days(2) }, 'part'],
    // The ETag decides where both have one.
    [{ etag: '"a"', lastModified: days(1) }, { etag: '"a"', 'last-modified': days(2) }, 'part'],
    [{ etag: '"a"', lastModified: days(1) }, { etag: '"b"', 'last-modified': days(1) }, 'restart'],
    [{ etag: '"a"', lastModified: days(1) }, { 'last-modified': days(2) }, 'restart'],
  ])('of another version is never appended to the file: %j, then %j', (validator, now, kind) => {
    const response = part({ date: DATE, ...now }, { validator });
    expect(response.kind).toBe(kind);
    if (kind === 'restart') expect(response).toMatchObject({ cause: 'changed' });
  });

  it('of a file of another size is never appended to the file', () => {
    const cause = 'total-changed';
    expect(part({ 'content-range': 'bytes 900-4999/5001' })).toEqual({ kind: 'restart', cause });
  });
});

describe('a compressed answer', () => {
  it.each(['gzip', 'br', 'identity, gzip'])('is rejected: %s', (encoding) => {
    const headers = { 'content-encoding': encoding };
    const rejected = { kind: 'reject', cause: 'encoded' };
    expect(classify(200, headers)).toEqual(rejected);
    expect(part(headers)).toEqual(rejected);
  });

  it.each(['', 'identity', 'Identity'])('is not one whose encoding is %j', (encoding) => {
    expect(classify(200, { 'content-encoding': encoding }).kind).toBe('whole');
    expect(part({ 'content-encoding': encoding }).kind).toBe('part');
  });
});

describe('a range that is not satisfiable (416)', () => {
  const refused = (range: string | null, asked: Partial<Asked>) =>
    classify(416, range === null ? {} : { 'content-range': range }, asked);

  it('means that the file is complete when as much is on disk as the server has', () => {
    const complete = { kind: 'complete', total: 5000 };
    expect(refused('bytes */5000', { offset: 5000 })).toEqual(complete);
    expect(refused('Bytes  */5000', { offset: 5000, total: null })).toEqual(complete);
    // Without a size from the server, the recorded one decides.
    expect(refused(null, { offset: 5000 })).toEqual(complete);
  });

  it('means starting over when more is on disk than the server has', () => {
    const longer = { kind: 'restart', cause: 'part-longer' };
    expect(refused('bytes */5000', { offset: 5001, total: null })).toEqual(longer);
    expect(refused(null, { offset: 5001 })).toEqual(longer);
  });

  it('means starting over when the file has another size than it had', () => {
    const changed = { kind: 'restart', cause: 'total-changed' };
    expect(refused('bytes */4000', { offset: 4000 })).toEqual(changed);
  });

  it('is rejected when bytes are missing', () => {
    const rejected = { kind: 'reject', cause: 'range-refused' };
    expect(refused('bytes */5000', { offset: 4999 })).toEqual(rejected);
    expect(refused(null, { offset: 4999 })).toEqual(rejected);
  });

  it.each([null, 'bytes */x', 'no bytes */5000', 'bytes */5000 or so', 'bytes 0-1/5000'])(
    'means starting over when the size is unknown: %j',
    (range) => {
      const unknown = { kind: 'restart', cause: 'range-refused' };
      expect(refused(range, { offset: 5000, total: null })).toEqual(unknown);
    },
  );
});

describe('any other answer', () => {
  it.each([401, 403, 404, 410])('refuses the link: %d', (status) => {
    expect(classify(status, {})).toEqual({ kind: 'link-refused' });
  });

  it.each([408, 425, 429, 500, 503, 599])('means that the server is busy: %d', (status) => {
    expect(classify(status, {})).toEqual({ kind: 'busy', status, retryAfterMs: null });
    const headers = { 'retry-after': '120' };
    expect(classify(status, headers)).toEqual({ kind: 'busy', status, retryAfterMs: 120_000 });
  });

  it.each([201, 204, 302, 304, 400, 405, 499])('is rejected: %d', (status) => {
    expect(classify(status, {})).toEqual({ kind: 'reject', cause: 'status' });
  });

  it.each([
    ['Sun, 22 Nov 2026 10:05:00 GMT', { date: 'Sun, 22 Nov 2026 10:03:00 GMT' }, 120_000],
    ['Sun, 22 Nov 2026 10:05:00 GMT', {}, 300_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', {}, 0],
    ['999999999', {}, 999_999_999_000],
    ['whenever', {}, null],
    ['-5s', {}, null],
    ['120 seconds', {}, null],
    ['x120', {}, null],
  ])('gives the wait of Retry-After: %s, %j', (retryAfter, headers, retryAfterMs) => {
    const response = classify(503, { ...headers, 'retry-after': retryAfter });
    expect(response).toMatchObject({ kind: 'busy', retryAfterMs });
  });
});

describe('a version of a file', () => {
  it('is identified by a date that is a minute older than the response, but by no later one', () => {
    const of = (lastModified: string, date: string | null = DATE) => {
      const fields = { 'last-modified': lastModified, ...(date !== null && { date }) };
      return validatorOf(new Map(Object.entries(fields))).lastModified;
    };
    const minute = 'Sun, 22 Nov 2026 09:59:00 GMT';
    expect(of(minute)).toBe(minute);
    expect(of('Sun, 22 Nov 2026 09:59:01 GMT')).toBeNull();
    expect(of('long ago')).toBeNull();
    expect(of(minute, null)).toBeNull();
    expect(validatorOf(new Map([['date', DATE]]))).toEqual(NO_VALIDATOR);
  });

  it('is requested by an ETag or, where that is weak or missing, a date', () => {
    expect(strongValidator({ etag: '"a"', lastModified: days(1) })).toBe('"a"');
    expect(strongValidator({ etag: 'W/"a"', lastModified: days(1) })).toBe(days(1));
    expect(strongValidator({ etag: null, lastModified: days(1) })).toBe(days(1));
    expect(strongValidator({ etag: 'W/"a"', lastModified: null })).toBeNull();
    expect(NO_VALIDATOR).toEqual({ etag: null, lastModified: null });
  });
});

it('reads the server’s time if the response has it', () => {
  expect(serverDate(new Map([['date', DATE]]))).toBe(NOW);
  expect(serverDate(new Map([['date', 'now']]))).toBeNull();
  expect(serverDate(new Map())).toBeNull();
});

function lengthOf(length: string): HeaderFields {
  return { 'content-length': length };
}

/** Midnight so many days before the answer. */
function days(ago: number): string {
  return new Date(Date.UTC(2026, 10, 22 - ago)).toUTCString();
}
