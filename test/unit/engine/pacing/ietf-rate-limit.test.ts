import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIetfRateLimit } from '../../../../src/engine/pacing/ietf-rate-limit.ts';
import { parseRateHeaders } from '../../../../src/engine/pacing/rate-headers.ts';

const HOURLY = { limit: 10, windowMs: 3_600_000 };

function parse(headers: Record<string, string>) {
  return parseIetfRateLimit((name) => headers[name]);
}

describe('the IETF fields', () => {
  it.each([
    ['the spelling of the latest draft', '"default";r=9;t=3599', '"default";q=10;w=3600'],
    ['spaces', ' "10-in-1h" ; r=9 ; t=3599 ', '"10-in-1h"; q=10; w=3600; pk=:abc=:'],
    ['tokens', 'hour;t=3599;r=9', 'hour;w=3600;q=10;qu="requests"'],
    ['quoted numbers', '"a";r="9";t="3599"', '"a";q="10";w="3600"'],
    ['unknown parameters', '"a";r=9;t=3599;rest', '"a";q=10;w=3600;qux;tier="x"'],
    ['the spelling of draft 07', 'limit=10, remaining=9, reset=3599', '10;w=3600'],
  ])('are read with %s', (_, ratelimit, policy) => {
    const read = parse({ ratelimit, 'ratelimit-policy': policy });
    expect(read).toMatchObject({ remaining: 9, resetSeconds: 3599, policy: HOURLY });
  });

  it('are read in the spelling of the drafts up to 06', () => {
    const headers = {
      'ratelimit-limit': '10',
      'ratelimit-remaining': '9',
      'ratelimit-reset': '3599',
      'ratelimit-policy': '10;w=3600',
    };
    expect(parse(headers)).toEqual({ remaining: 9, resetSeconds: 3599, policy: HOURLY });
    expect(parse({ ...headers, 'ratelimit-policy': '' }).policy).toBeNull();
    expect(parse({ ...headers, 'ratelimit-remaining': ' 7 ' }).remaining).toBe(7);
  });

  it.each([
    [{ ratelimit: 'limit=10, remaining=9, reset=5' }],
    [{ 'ratelimit-limit': ' 10', 'ratelimit-remaining': '9', 'ratelimit-reset': '5' }],
  ])('never combine a limit with the window of another one: %j', (headers) => {
    const policy = (text: string) => parse({ ...headers, 'ratelimit-policy': text }).policy;
    expect(policy('2;w=1, 10;w=3600')).toEqual(HOURLY);
    expect(policy('2;w=1, 50;w=3600')).toBeNull();
  });

  it('give the limit that is reached first, with its own policy', () => {
    const policy = '"day";q=500;w=86400, "hour";q=10;w=3600';
    const of = (ratelimit: string) => parse({ ratelimit, 'ratelimit-policy': policy });
    expect(of('"day";r=400;t=9000, "hour";r=3;t=60')).toMatchObject({
      remaining: 3,
      resetSeconds: 60,
      policy: HOURLY,
    });
    expect(of('"hour";r=3;t=60, "day";r=2;t=9000').policy).toMatchObject({ limit: 500 });
    expect(of('"hour";r=3;t=60, "day";r=400;t=9000').remaining).toBe(3);
    expect(of('"week", "hour";r=3;t=60').remaining).toBe(3);
    expect(of('"hour";r=3;t=60, "week"').remaining).toBe(3);
    const none = ['"hour";r=0;t=60', '"day";r=0;t=9000', '"week";r=0'];
    expect(of(none.join(',')).resetSeconds).toBe(9000);
    expect(of(none.toReversed().join(',')).resetSeconds).toBe(9000);
  });

  it('are read up to 1024 characters', () => {
    const fields = (length: number) => '"default";r=9;t=5;x='.padEnd(length, 'x');
    expect(parse({ ratelimit: fields(1024) }).remaining).toBe(9);
    expect(parse({ ratelimit: fields(1025) }).remaining).toBeNull();
  });

  it.each([
    ['"default";q=10;w=3600;qu="content-bytes"'],
    ['"default";q=10;w=3600;qu'],
    ['"default";q=10'],
    ['"default";q=0;w=3600'],
    ['"default";q=10;w=0'],
    ['"other";q=10;w=3600'],
    ['"default";q=ten;w=3600'],
  ])('give no limit with the policy %s', (policy) => {
    const read = parse({ ratelimit: '"default";r=9;t=5', 'ratelimit-policy': policy });
    expect(read).toMatchObject({ remaining: 9, policy: null });
  });

  it.each([
    '',
    ';;;',
    '"default"',
    'r=9',
    '"default";r=-1;t=5',
    '"default";r=9x;t=5',
    '"default";r=x9;t=5',
    '"default";r',
    '"a;r=9',
    '"a";r=9"";t=5',
    '"a";r=""9;t=5',
    'limit=10, remaining, reset=5',
    'x'.repeat(2000),
  ])('are not guessed at: %j', (ratelimit) => {
    expect(parse({ ratelimit }).remaining).toBeNull();
  });

  it('are used only for what the documented headers do not tell', () => {
    const ietf = { ratelimit: '"default";r=9;t=60' };
    const of = (headers: Record<string, string>) =>
      parseRateHeaders((name) => ({ ...ietf, ...headers })[name]);
    expect(of({})).toMatchObject({ remaining: 9, resetAt: null, resetAfterMs: 60_000 });
    expect(of({ 'x-ratelimit-remaining': '4' }).remaining).toBe(4);
    expect(of({ 'x-ratelimit-reset': '30' }).resetAfterMs).toBe(30_000);
    expect(of({ 'x-ratelimit-reset': 'soon' }).resetAfterMs).toBe(60_000);
    const reset = '2026-05-04T09:00:00Z';
    expect(of({ 'x-ratelimit-reset': reset })).toMatchObject({
      resetAt: Date.parse(reset),
      resetAfterMs: null,
    });
  });

  it('give a finite number or none for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 1100 }), fc.string({ maxLength: 1100 }), (a, b) => {
        const read = parse({ ratelimit: a, 'ratelimit-policy': b, 'ratelimit-remaining': a });
        expect(read.remaining === null || Number.isFinite(read.remaining)).toBe(true);
      }),
    );
  });
});
