import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRateHeaders } from '../../../../src/engine/pacing/rate-headers.ts';

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
      retryAfterMs: 3_600_000,
      detailsResetAt: AT + 3_600_000,
      date: AT,
    });
  });

  it.each([
    ['2026-05-04T11:00:00+02:00', AT],
    ['2026-05-04T09:00Z', AT],
    ['2026-05-04T09:00:00,5Z', AT + 500],
    ['2026-05-04T09:00:00.123456789Z', AT + 123],
    ['2026-05-04t09:00:00z', AT],
    [' 2026-05-04T09:00:00Z ', AT],
    // Without a zone it would be read in this computer's zone.
    ['2026-05-04T09:00:00', AT],
  ])('reads the reset %j', (text, at) => {
    expect(parse({ 'x-ratelimit-reset': text }).resetAt).toBe(at);
  });

  it.each(['', '1777885200', 'soon', '2026-05-04', '2026-13-04T09:00:00Z', '2026-05-04T25:00:00Z'])(
    'does not guess at the reset %j',
    (text) => {
      expect(parse({ 'x-ratelimit-reset': text }).resetAt).toBeNull();
    },
  );

  it.each(['-1', '1.5', '1e3', '0x10', 'NaN', '', '10, 10', '9999999999'])(
    'does not guess at the count %j',
    (text) => {
      expect(parse({ 'x-ratelimit-remaining': text }).remaining).toBeNull();
    },
  );

  it('reads a Retry-After that is a date by the clock of the service', () => {
    const headers = { date: DATE, 'retry-after': 'Mon, 04 May 2026 09:02:00 GMT' };
    expect(parse(headers).retryAfterMs).toBe(120_000);
    expect(parse({ 'retry-after': headers['retry-after'] }).retryAfterMs).toBeNull();
    expect(parse({ ...headers, 'retry-after': 'Mon, 04 May 2026 08:00:00 GMT' }).retryAfterMs).toBe(
      0,
    );
  });

  it('does not believe a Retry-After beyond the longest month', () => {
    expect(parse({ 'retry-after': '999999999' }).retryAfterMs).toBeNull();
    expect(parse({ 'retry-after': String(31 * 86_400) }).retryAfterMs).toBe(31 * 86_400_000);
  });

  it('takes any body and any text without throwing, and yields numbers or nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.anything(), (a, b, c, body) => {
        const read = parseRateHeaders(
          (name) => ({ date: a, 'x-ratelimit-reset': b, 'retry-after': c })[name] ?? a,
          { details: body },
        );
        for (const value of Object.values(read)) {
          expect(value === null || Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });

  it('is not fooled by inherited or odd details', () => {
    const inherited = Object.create({ details: { resetAt: '2026-05-04T10:00:00Z' } }) as unknown;
    for (const body of [
      inherited,
      null,
      'text',
      [],
      { details: null },
      { details: { resetAt: 5 } },
    ]) {
      expect(parse({}, body).detailsResetAt).toBeNull();
    }
  });
});
