import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_RATE_HEADERS, parseRateHeaders } from '../../../../src/engine/pacing/rate-headers.ts';

const DATE = 'Mon, 04 May 2026 09:00:00 GMT';
const AT = Date.UTC(2026, 4, 4, 9);

function parse(headers: Record<string, string>, body?: unknown) {
  return parseRateHeaders((name) => headers[name], body);
}

describe('parseRateHeaders', () => {
  it('reads what the API document promises', () => {
    expect(
      parse(
        {
          date: DATE,
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': '2026-05-04T10:00:00.250Z',
          'retry-after': '3600',
        },
        { success: false, details: { resetAt: '2026-05-04T10:00:00Z' } },
      ),
    ).toEqual({
      remaining: 0,
      resetAt: AT + 3_600_250,
      resetAfterMs: null,
      policy: null,
      retryAfterMs: 3_600_000,
      detailsResetAt: AT + 3_600_000,
      date: AT,
    });
  });

  it('finds nothing without headers', () => {
    expect(parse({})).toEqual(NO_RATE_HEADERS);
  });

  it.each([
    ['2026-05-04T11:00:00+02:00', AT],
    ['2026-05-04T06:30:00-0230', AT],
    ['2026-05-04T09:00Z', AT],
    ['2026-05-04T09:00:00,5Z', AT + 500],
    ['2026-05-04T09:00:00.123456789Z', AT + 123],
    ['2026-05-04T09:00:00.5Z'.padEnd(64), AT + 500],
    ['2026-05-04t09:00:00z', AT],
    [' 2026-05-04T09:00:00Z ', AT],
    // Without a zone: UTC, not this computer's zone.
    ['2026-05-04T09:00:00', AT],
  ])('reads the reset %j', (text, at) => {
    expect(parse({ 'x-ratelimit-reset': text }).resetAt).toBe(at);
  });

  it.each([
    ['1777885200', AT],
    ['1777885200.25', AT + 250],
    ['1777885200000', AT],
    ['1777885200250', AT + 250],
    // A part of a millisecond counts as a whole one: earlier would be too early.
    ['1777885200.2504', AT + 251],
    ['1777885200250.4', AT + 251],
    // Unix times have had this many digits since 2001.
    ['1000000000', 1e12],
    ['1000000000000', 1e12],
  ])('reads the reset %j as a moment', (text, at) => {
    const headers = { date: DATE, 'x-ratelimit-reset': text };
    expect(parse(headers)).toMatchObject({ resetAt: at, resetAfterMs: null });
    expect(parse({}, { details: { resetAt: text } }).detailsResetAt).toBe(at);
    expect(parse({}, { details: { resetAt: Number(text) } }).detailsResetAt).toBe(at);
  });

  it.each([
    ['0', 0],
    ['3600', 3_600_000],
    ['59.5', 59_500],
    [' 7 ', 7000],
    ['0.0001', 1],
    [String(32 * 86_400), 32 * 86_400_000],
  ])('reads the reset %j as seconds from now', (text, ms) => {
    const headers = { date: DATE, 'x-ratelimit-reset': text };
    expect(parse(headers)).toMatchObject({ resetAt: null, resetAfterMs: ms });
  });

  it.each([
    '-5',
    '1e9',
    '999999999',
    '100000000000000',
    '17:30',
    '1777885200s',
    't1777885200',
    '1,777',
    '3600s',
    '7'.padEnd(65),
  ])('reads the reset %j as neither', (text) => {
    const headers = { date: DATE, 'x-ratelimit-reset': text };
    expect(parse(headers)).toMatchObject({ resetAt: null, resetAfterMs: null });
  });

  it.each([
    '',
    'soon',
    '2026-05-04',
    '2026-13-04T09:00:00Z',
    '2026-05-04T25:00:00Z',
    'at 2026-05-04T09:00:00Z',
    '2026-05-04T09:00:00Z or later',
  ])('does not guess at the reset %j', (text) => {
    expect(parse({ 'x-ratelimit-reset': text }).resetAt).toBeNull();
  });

  it.each([
    'on Mon, 04 May 2026 09:00:00 GMT',
    'Mon, 04 May 2026 09:00:00 GMT+0200',
    'Mon, 99 May 2026 09:00:00 GMT',
    'Monday, 04-May-26 09:00:00 GMT',
    '2026-05-04T09:00:00Z',
  ])('does not guess at the date %j', (text) => {
    expect(parse({ date: text }).date).toBeNull();
  });

  it.each(['-1', '1.5', '1e3', '0x10', 'NaN', '', '10, 10', '9999999999'])(
    'does not guess at the count %j',
    (text) => {
      expect(parse({ 'x-ratelimit-remaining': text }).remaining).toBeNull();
    },
  );

  it('reads a Retry-After that is a date by the clock of the service', () => {
    const headers = { date: DATE, 'retry-after': 'Mon, 04 May 2026 09:02:00 GMT' };
    expect(parse(headers).retryAfterMs).toBe(120_000);
    const receivedAt = AT + 30_000;
    const read = (name: string) => ({ ...headers, date: undefined })[name];
    expect(parseRateHeaders(read).retryAfterMs).toBeNull();
    expect(parseRateHeaders(read, undefined, { receivedAt }).retryAfterMs).toBe(90_000);
    expect(parse({ ...headers, 'retry-after': 'Mon, 04 May 2026 08:00:00 GMT' }).retryAfterMs).toBe(
      0,
    );
    expect(parse({ ...headers, 'retry-after': 'soon' }).retryAfterMs).toBeNull();
    expect(parse({ 'retry-after': 'Fri, 02 Jan 1970 00:00:00 GMT' }).retryAfterMs).toBeNull();
  });

  it.each([
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '0.0004' }, 1],
    [{ 'retry-after': '12s' }, 12_000],
    [{ 'retry-after': '1m30s' }, 90_000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '250.5', 'retry-after': '1' }, 251],
    [{ 'retry-after-ms': '-1', 'retry-after': '1' }, 1000],
    [{ date: DATE, 'retry-after': String(AT / 1000 + 20) }, 20_000],
    [{ date: DATE, 'retry-after': '2026-05-04T09:00:20Z' }, 20_000],
    [{ 'retry-after': '-3' }, null],
    [{ 'retry-after': 'Infinity' }, null],
  ])('reads the delay of %j', (headers, ms) => {
    expect(parse(headers).retryAfterMs).toBe(ms);
  });

  it.each([
    [{ detail: 'Request was throttled. Your rate limit resets in ~12s.' }, 12_000],
    [{ detail: 'Throttled.', status: 429, retry_after: 5 }, 5000],
    [{ error: { message: 'Rate limit reached. Please try again in 1m12.5s.' } }, 72_500],
    [{ error: { message: 'Please try again in 350ms. Visit the page.' } }, 350],
    [{ message: 'Too many requests: retry after 30 seconds' }, 30_000],
    [{ message: 'Wait 2 minutes before you try again.' }, 120_000],
    [{ hint: 'Expected available in 1 second.' }, 1000],
    [{ parameters: { retry_after: 1.5 } }, 1500],
    [{ details: { retryAfterMs: 1500 } }, 1500],
    [{ message: 'You may make 10 requests in 60 seconds.' }, null],
    [{ message: 'Try again later. 12 videos are running.' }, null],
    [{ retry_after: -1, message: 'Try again in 99999999 hours' }, null],
    [{ retry_after: { seconds: 5 }, error: null, message: 12 }, null],
    ['Try again in 5s', null],
  ])('reads the delay in the body %j', (body, ms) => {
    expect(parse({}, body).retryAfterMs).toBe(ms);
    expect(parse({ 'retry-after': '7' }, body).retryAfterMs).toBe(7000);
  });

  it('ignores a Retry-After beyond the longest month', () => {
    expect(parse({ 'retry-after': '999999999' }).retryAfterMs).toBeNull();
    expect(parse({ 'retry-after': String(32 * 86_400) }).retryAfterMs).toBe(32 * 86_400_000);
    const late = { date: DATE, 'retry-after': 'Sun, 14 Jun 2026 09:00:00 GMT' };
    expect(parse(late).retryAfterMs).toBeNull();
  });

  it('takes any body and any text without throwing, and yields numbers or nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.anything(), (a, b, c, body) => {
        const read = parseRateHeaders(
          (name) => ({ date: a, 'x-ratelimit-reset': b, 'retry-after': c })[name] ?? a,
          { details: body },
        );
        const { policy, ...numbers } = read;
        for (const value of [...Object.values(numbers), policy?.limit ?? null]) {
          expect(value === null || Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });

  it('ignores inherited or odd details', () => {
    const inherited = Object.create({ details: { resetAt: '2026-05-04T10:00:00Z' } }) as unknown;
    for (const body of [
      inherited,
      null,
      'text',
      [],
      { details: null },
      { details: { resetAt: 5 } },
      { details: { resetAt: -5 } },
      { details: { resetAt: 1e14 } },
      { details: { resetAt: Infinity } },
    ]) {
      expect(parse({}, body).detailsResetAt).toBeNull();
    }
  });
});

describe('headers that a profile names', () => {
  const names = {
    limit: ['x-limit-requests'],
    remaining: ['x-remaining-requests'],
    reset: ['x-reset-requests'],
    retryAfter: ['retry-after-ms'],
  };
  const read = (headers: Readonly<Record<string, string>>) =>
    parseRateHeaders((name) => headers[name], undefined, { names, windowMs: 60_000 });

  it('are read instead of the documented ones', () => {
    const headers = {
      'x-limit-requests': '50',
      'x-remaining-requests': '7',
      'x-reset-requests': '1800000000',
      'x-ratelimit-remaining': '3',
      'x-ratelimit-reset': '1',
    };
    expect(read(headers)).toMatchObject({
      remaining: 7,
      resetAt: 1_800_000_000_000,
      policy: { limit: 50, windowMs: 60_000 },
    });
  });

  it.each([
    ['6m0s', 360_000],
    ['1.5s', 1500],
    ['20ms', 20],
    ['1.25s', 1250],
    ['1h2m3s', 3_723_000],
    ['1d', 86_400_000],
    ['about 6m', null],
    ['6m or so', null],
    ['90', 90_000],
    ['5x', null],
    ['99999999d', null],
  ])('say when a limit resets: %s', (text, ms) => {
    expect(read({ 'x-reset-requests': text }).resetAfterMs).toBe(ms);
  });

  it('are a policy if the limit is a number above 0, and its window is known', () => {
    const policyOf = (text: string, windowMs?: number) =>
      parseRateHeaders((name) => ({ 'x-limit-requests': text })[name], undefined, {
        names,
        windowMs,
      }).policy;
    expect(policyOf('1', 60_000)).toEqual({ limit: 1, windowMs: 60_000 });
    expect(policyOf('0', 60_000)).toBeNull();
    expect(policyOf('many', 60_000)).toBeNull();
    expect(policyOf('50')).toBeNull();
  });

  it('give the retry delay in milliseconds, or else Retry-After does in seconds', () => {
    expect(read({ 'retry-after-ms': '1500', 'retry-after': '9' }).retryAfterMs).toBe(1500);
    expect(read({ 'retry-after-ms': 'soon', 'retry-after': '9' }).retryAfterMs).toBe(9000);
    expect(read({ 'retry-after': '9' }).retryAfterMs).toBe(9000);
  });

  it('give the retry delay by the first of several names that has one', () => {
    const several = { ...names, retryAfter: ['x-retry', 'x-ms-retry', 'x-retry-in'] };
    const delay = (headers: Readonly<Record<string, string>>) =>
      parseRateHeaders((name) => headers[name], undefined, { names: several }).retryAfterMs;
    expect(delay({ 'x-retry': '7', 'x-retry-in': '8' })).toBe(7000);
    expect(delay({ 'x-retry': '1m30s' })).toBe(90_000);
    expect(delay({ 'x-ms-retry': '7' })).toBe(7000);
    expect(delay({ 'x-retry': 'soon', 'x-retry-in': '8' })).toBe(8000);
  });
});
